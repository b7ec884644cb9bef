"""The archive: canonical files under ``history/``, one a session, read here.

Layout: ``history/<agent>/<session id>.jsonl``; a file dropped in anywhere below ``history/``
counts as well, except below ``history/images/``, which has none. Files grow by appending and are otherwise left alone: when one must be written
anew (something was forgotten) it gets a new name, so that whoever remembers "read up to byte n
of this path" is never wrong. Names that begin with a dot are book-keeping.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterator
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from generator.echo import quoted
from generator.exceptions import NotFoundError, RecordError, StorageError
from generator.history.canonical import Record, decode, record_key
from generator.model.entry import FileState
from generator.model.session import (
    ActionRecord,
    Document,
    Event,
    Head,
    Message,
    Session,
    Usage,
)
from generator.paths import Home

IMAGES = "images"
"""The folder below ``history/`` that holds images, and no sessions."""

# Bytes that are looked back at for a line that was replaced: mostly it is one of the last.
_LOOK_BACK = 2_000_000
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A record with its place, so that it can be read again alone.

    Attributes:
        start: Byte offset of its line.
        length: Bytes of its line, line end included.
        record: The record.
    """

    start: int
    length: int
    record: Record


class Archive:
    """Reads the canonical files of one home.

    Args:
        home: The folder with the user's data. Nothing need exist yet.
    """

    def __init__(self, home: Home) -> None:
        self.folder = home.history

    def files(self) -> Iterator[FileState]:
        """Yield every canonical file with its size and time, in a stable order."""
        yield from _walk(self.folder, top=True)

    def records(self, path: Path, start: int = 0) -> Iterator[Located]:
        """Yield the records of a file from byte ``start`` on, one at a time.

        A line that replaces an earlier one (same :func:`canonical.record_key`) is yielded like
        any other: the later one holds. Lines that are no records, and a last line without its
        end, are passed over.

        Raises:
            StorageError: The file cannot be read.
        """
        try:
            with path.open("rb") as handle:
                handle.seek(start)
                for line in handle:
                    record = _record_of(line)
                    if record is not None:
                        yield Located(start=start, length=len(line), record=record)
                    start += len(line)
        except OSError as error:
            raise StorageError(f"{path} could not be read: {error.strerror}.") from error

    def newest_before(
        self, path: Path, end: int, keys: Container[tuple[str, ...]], most: int
    ) -> list[Located]:
        """Find the newest lines of some records, looking back from byte ``end``.

        Args:
            path: The file.
            end: Where a line begins.
            keys: Keys of records (:func:`canonical.record_key`).
            most: How many to find; looking ends there, or far back.

        Raises:
            StorageError: The file cannot be read.
        """
        found: dict[tuple[str, ...], Located] = {}
        try:
            with path.open("rb") as handle:
                for start, line in _lines_back(handle, end):
                    if len(found) >= most or end - start > _LOOK_BACK:
                        break
                    record = _record_of(line)
                    if record is None:
                        continue
                    key = record_key(record)
                    if key in keys and key not in found:
                        found[key] = Located(start=start, length=len(line), record=record)
        except OSError as error:
            raise StorageError(f"{path} could not be read: {error.strerror}.") from error
        return list(found.values())

    def record(self, path: Path, start: int, length: int) -> Record:
        """Read one record again.

        Raises:
            NotFoundError: There is no record at that place (any more).
        """
        try:
            with path.open("rb") as handle:
                handle.seek(start)
                return decode(_bare(handle.read(length)))
        except (OSError, RecordError) as error:
            raise NotFoundError(f"There is no record at byte {start} of {path}.") from error

    def heads(self) -> dict[Path, Head]:
        """Return the head of every file, sessions and documents alike, newest line winning."""
        found: dict[Path, Head] = {}
        for state in self.files():
            head = self.head(state.path)
            if head is not None:
                found[state.path] = head
        return found

    def head(self, path: Path) -> Head | None:
        """Return the head of one file; None when it is no canonical file."""
        newest: Head | None = None
        for located in self.records(path):
            if isinstance(located.record, Head):
                newest = located.record
            elif newest is None:
                return None
        return newest

    def sessions(self) -> list[Head]:
        """Return the head of every session, newest first by time of the last record."""
        heads = [head for head in self.heads().values() if head.holds == "session"]
        return sorted(
            heads, key=lambda head: (head.updated is not None, head.updated, head.id), reverse=True
        )

    def path_of(self, session_id: str) -> Path:
        """Return the file that holds a session.

        Raises:
            NotFoundError: The archive holds no such session.
        """
        for path, head in self.heads().items():
            if head.holds == "session" and head.id == session_id:
                return path
        raise NotFoundError(
            f"The archive holds no session {quoted(session_id)}.",
            hint="List the sessions with 'fieldguide memory list'.",
        )

    def load(self, session_id: str) -> Session:
        """Read a whole session.

        Raises:
            NotFoundError: The archive holds no such session.
        """
        return self.load_file(self.path_of(session_id))

    def load_file(self, path: Path) -> Session:
        """Read the session in one canonical file.

        Raises:
            NotFoundError: The file holds no session.
        """
        current: dict[tuple[str, ...], Record] = {}
        for located in self.records(path):
            current[record_key(located.record)] = located.record
        head = current.pop(("head",), None)
        if not isinstance(head, Head) or head.holds != "session":
            raise NotFoundError(f"{path} holds no session.")
        records = list(current.values())
        messages = [record for record in records if isinstance(record, Message)]
        return Session(
            **{item.name: getattr(head, item.name) for item in fields(Head)},
            messages=tuple(sorted(messages, key=lambda item: (item.agent or "", item.n))),
            actions=tuple(record for record in records if isinstance(record, ActionRecord)),
            usage=tuple(record for record in records if isinstance(record, Usage)),
            events=tuple(record for record in records if isinstance(record, Event)),
        )

    def documents(self) -> Iterator[tuple[Path, Head, Document]]:
        """Yield every document with its file and head, replaced lines left out."""
        for path, head in self.heads().items():
            if head.holds != "documents":
                continue
            current: dict[str, Document] = {}
            for located in self.records(path):
                if isinstance(located.record, Document):
                    current[located.record.id] = located.record
            for document in current.values():
                yield path, head, document


def _lines_back(handle: BinaryIO, end: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines before a byte with their places, the last one first."""
    rest = b""
    while end > 0:
        begin = max(0, end - _BLOCK)
        handle.seek(begin)
        lines = (handle.read(end - begin) + rest).splitlines(keepends=True)
        at = begin + sum(map(len, lines))
        # The first line of a block may begin in the one before.
        rest = lines.pop(0) if begin else b""
        for line in reversed(lines):
            at -= len(line)
            yield at, line
        end = begin


def _record_of(line: bytes) -> Record | None:
    if not line.endswith(b"\n"):
        return None
    try:
        return decode(_bare(line))
    except RecordError:
        return None


def file_states(folder: Path) -> dict[str, tuple[int, int]]:
    """Return size and time of every canonical file by its path below the folder.

    The same files as :meth:`Archive.files`, without an object for each: this runs before every
    query.
    """
    found: dict[str, tuple[int, int]] = {}
    waiting = [""]
    while waiting:
        below = waiting.pop()
        try:
            with os.scandir(folder / below) as entries:
                for entry in entries:
                    name = entry.name
                    if name.startswith("."):
                        continue
                    if name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
                        state = entry.stat(follow_symlinks=False)
                        found[below + name] = (state.st_size, state.st_mtime_ns)
                    elif entry.is_dir(follow_symlinks=False) and (below or name != IMAGES):
                        waiting.append(f"{below}{name}{os.sep}")
        except OSError:
            continue
    return found


def _bare(line: bytes) -> bytes:
    return line.removeprefix(b"\xef\xbb\xbf")


@lru_cache(maxsize=100_000)
def _path(text: str) -> Path:
    """Make a path once: the archive is listed before every query, and paths are slow to make."""
    return Path(text)


def _walk(folder: Path, *, top: bool = False) -> Iterator[FileState]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in listed:
        if entry.name.startswith(".") or (top and entry.name == IMAGES):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path))
        elif entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False):
            state = entry.stat(follow_symlinks=False)
            yield FileState(path=_path(entry.path), size=state.st_size, mtime_ns=state.st_mtime_ns)
