"""What the index holds of each thing that can be found, and who supplies it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One findable thing: a message, a tool call, an error record, a fact, a section of a file.

    Attributes:
        ref: Its stable ref, as ``memory_get`` takes it.
        source: ``conversation``, ``task``, ``episode``, ``knowledge``, ``note``, ``error``, ...
        text: The text that is indexed. The index keeps no copy of it.
        start: Byte offset of the record in its file.
        length: Bytes of the record in its file, line end included.
        part: Which part of the record, when one record yields several entries.
        session: Session id, when it belongs to one.
        agent: Agent name.
        project: Project name.
        role: ``user``, ``assistant`` or ``tool``.
        tool: Tool name, for tool calls and error records.
        thread: ``active``, ``off`` or ``side``.
        ts: Seconds since 1970 (UTC), None when unknown.
    """

    ref: str
    source: str
    text: str
    start: int = 0
    length: int = 0
    part: str = ""
    session: str = ""
    agent: str = ""
    project: str = ""
    role: str = ""
    tool: str = ""
    thread: str = "active"
    ts: float | None = None


class FileState(NamedTuple):
    """A file as it is now; a change of size or mtime means it must be read.

    A plain tuple, since thousands are made before each query.
    """

    path: Path
    size: int
    mtime_ns: int


class Collection(Protocol):
    """A supplier of entries. History, errors, knowledge, notes and reports each have one.

    The index calls these methods from any thread. A method that cannot read a file raises
    ``OSError`` or ``FieldguideError``: the file is reported and its old entries stay.
    """

    @property
    def name(self) -> str:
        """A short name that no other collection has and that never changes."""
        ...

    def files(self) -> Iterator[FileState]:
        """Yield every file that holds entries now, in the order of their age or name.

        Use ``os.scandir``: this runs before every query, over thousands of files.
        """
        ...

    def superseded(self, path: Path, start: int, looked: int) -> Sequence[Entry] | None:
        """Return the earlier entries that no longer count for what was added to a file.

        ``start`` is the end of the last entry that was yielded, ``looked`` the size that the file
        was last listed with: lines that end by then were taken into account.

        Asked only when the file has grown and the bytes before ``start`` look unchanged. A file
        that is rewritten whole (Markdown, one JSON object) answers None and is read anew, and so
        does one whose earlier entries would take long to find.
        """
        ...

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        """Yield the entries of one file from byte ``start`` on (0: the whole file).

        ``start`` is 0 or the end of an entry that was yielded before. A last line that is still
        being written is left for the next time. Texts of one record stand next to each other.
        """
        ...

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        """Return the text of one entry again, for snippets and for literal checks."""
        ...
