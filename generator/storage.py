"""Atomic writes and locks: nothing is lost, nothing is half written.

A file is written under a temporary name in the same folder, flushed to disk and moved into
place, so a reader sees the old bytes or the new ones. Locks are held on an open file handle
by the operating system: a process that dies lets go of them.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from generator.exceptions import StorageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_TEMPORARY_PREFIX = ".fieldguide-"


def _explain(action: str, path: Path, error: OSError) -> StorageError:
    reason = error.strerror or str(error)
    return StorageError(
        f"{path} could not be {action}: {reason}.",
        hint="Check that the folder exists, is writable and has space left.",
    )


@contextlib.contextmanager
def _temporary(path: Path, data: bytes) -> Iterator[Path]:
    """Write data beside ``path`` under a temporary name that never outlives the block."""
    temporary = path.with_name(f"{_TEMPORARY_PREFIX}{secrets.token_hex(8)}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(data)
            handle.flush()
            os.fsync(handle.fileno())
        yield temporary
    finally:
        temporary.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename durable; some file systems and Windows cannot open a folder."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents.

    Raises:
        StorageError: The folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _explain("made", folder, error) from error


def write_atomic(path: Path, data: bytes | str) -> None:
    """Write a file whole or not at all, replacing what was there.

    Args:
        path: The file; its folder is made when missing.
        data: Bytes, or text that is written as UTF-8 with its line ends as they are.

    Raises:
        StorageError: The file cannot be written; what was there before is untouched.
    """
    raw = data.encode("utf-8") if isinstance(data, str) else data
    make_folder(path.parent)
    try:
        with _temporary(path, raw) as temporary:
            temporary.replace(path)
    except OSError as error:
        raise _explain("written", path, error) from error
    _sync_folder(path.parent)


def create_exclusive(path: Path, data: bytes | str) -> bool:
    """Write a new file whole or not at all, never replacing one that exists.

    Args:
        path: The file; its folder is made when missing.
        data: Bytes, or text that is written as UTF-8.

    Returns:
        True when this call made the file, False when a file of that name stood there already.

    Raises:
        StorageError: The file cannot be written.
    """
    raw = data.encode("utf-8") if isinstance(data, str) else data
    make_folder(path.parent)
    try:
        made = _create_unnamed(path, raw)
        if made is None:
            made = _create_renamed(path, raw)
    except OSError as error:
        raise _explain("written", path, error) from error
    if made:
        _sync_folder(path.parent)
    return made


def _create_unnamed(path: Path, data: bytes) -> bool | None:
    """Write a file that has no name until it is whole, so that even a kill leaves nothing.

    Returns:
        Whether the name was free; None where the system or the file system cannot do this.
    """
    if not sys.platform.startswith("linux"):
        return None
    try:
        descriptor = os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:
        return None  # also a folder that may not be written: the named way words that
    with os.fdopen(descriptor, "wb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())
        source = f"/proc/self/fd/{handle.fileno()}"
        try:
            # Only the *at form of link follows the handle; the folder is never used for a full path.
            os.link(source, path, src_dir_fd=handle.fileno(), follow_symlinks=True)
        except FileExistsError:
            return False
        except OSError:
            return None
    return True


def _create_renamed(path: Path, data: bytes) -> bool:
    """Write beside the name, then take it; returns whether the name was free."""
    with _temporary(path, data) as temporary:
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
        except OSError:
            # A file system without hard links: reserve the name, then move into it.
            try:
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
            except FileExistsError:
                return False
            try:
                temporary.replace(path)
            except OSError:
                path.unlink(missing_ok=True)
                raise
    return True


@contextlib.contextmanager
def file_lock(path: Path, *, timeout: float) -> Iterator[None]:
    """Hold an exclusive lock between processes and threads.

    Args:
        path: The lock file; it is made when missing and left in place.
        timeout: Seconds to wait for another holder.

    Raises:
        StorageError: The lock was not free in time, or the lock file cannot be made.
    """
    make_folder(path.parent)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise _explain("locked", path, error) from error
    deadline = time.monotonic() + timeout
    try:
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise StorageError(
                    f"Another process has held {path} for {timeout:g} s.",
                    hint="Wait for it to finish and try again.",
                )
            time.sleep(0.01)
        yield
    finally:
        os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def read_bytes(path: Path) -> bytes:
    """Read a file.

    Raises:
        StorageError: The file cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise _explain("read", path, error) from error


def read_text(path: Path) -> str:
    """Read a UTF-8 file as text, dropping a byte order mark and replacing stray bytes.

    Raises:
        StorageError: The file cannot be read.
    """
    return read_bytes(path).decode("utf-8-sig", errors="replace")
