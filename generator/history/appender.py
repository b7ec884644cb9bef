"""Appending lines to the archive's files, and putting them on the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

from generator.exceptions import StorageError
from generator.storage import make_folder


class Appender:
    """Appends lines to one archive file, opened on the first line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: BinaryIO | None = None
        self._end = 0

    def write(self, line: bytes) -> int:
        """Append a line and return the byte it begins at.

        Raises:
            StorageError: The disk is full, or the archive cannot be written.
        """
        try:
            if self._handle is None:
                make_folder(self.path.parent)
                self._handle = self.path.open("ab+")
                self._end = self._handle.seek(0, os.SEEK_END)
                if self._end:
                    self._handle.seek(-1, os.SEEK_END)
                    if self._handle.read(1) != b"\n":
                        # A line that a crash cut off: it stays a line of its own.
                        self._handle.write(b"\n")
                        self._end += 1
            start = self._end
            self._handle.write(line)
        except OSError as error:
            raise _explained(self.path, error) from error
        self._end += len(line)
        return start

    def finish(self) -> os.stat_result | None:
        """Write everything out; return the file's state, None when nothing was written.

        Raises:
            StorageError: The disk is full.
        """
        if self._handle is None:
            return None
        try:
            self._handle.flush()
            state = os.fstat(self._handle.fileno())
        except OSError as error:
            raise _explained(self.path, error) from error
        finally:
            self.abandon()
        return state

    def abandon(self) -> None:
        """Let go of the file; what was written of it is taken up by the next run."""
        handle, self._handle = self._handle, None
        if handle is not None:
            try:
                handle.close()
            except OSError:
                return


def _explained(path: Path, error: OSError) -> StorageError:
    return StorageError(
        f"{path} could not be written: {error.strerror or error}.",
        hint="Check that the home is writable and has space left; then run it again.",
    )


def sync_all(paths: Iterable[Path]) -> None:
    """Put files on the disk.

    Many are synced side by side: one after the other, 5,000 sessions would wait more than a
    minute for the disk.

    Raises:
        StorageError: The disk is full.
    """
    paths = list(paths)
    if len(paths) < 3:
        for path in paths:
            _sync(path)
        return
    with ThreadPoolExecutor(max_workers=16) as pool:
        for _ in pool.map(_sync, paths):
            pass


def _sync(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _explained(path, error) from error
