"""The register: one row a canonical file, telling whose it is and what it holds.

Listing sessions, finding the newest one or the owner of a task must not read the archive. The
register reads each file once and after that only what was appended. It is a cache beside the
index: lost, broken or unwritable, it is made anew.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from generator.exceptions import StorageError
from generator.history.archive import Archive, Located
from generator.model.entry import FileState
from generator.model.session import ActionRecord, Document, Head, Message
from generator.paths import Home
from generator.storage import write_atomic

_VERSION = 2
_PROBE = 48

# Replacing lines of a file that are told apart; behind more of them it is indexed anew.
_REPLACING = 48

# How a message stands in a row's marks: thread and role in one letter, small on the thread.
_MARKS = {
    ("active", "user"): b"u",
    ("active", "assistant"): b"a",
    ("off", "user"): b"U",
    ("off", "assistant"): b"A",
    ("side", "user"): b"u",
    ("side", "assistant"): b"a",
}
_COPY = b"c"
_PARTIAL = b"p"
_GAP = b" "
# A number past this in a file from elsewhere is a mistake: it is not worth the memory.
_NUMBER_MAX = 5_000_000


@dataclass(slots=True)
class Row:
    """What is known of one canonical file.

    Attributes:
        path: The file.
        size: Its size when it was read.
        mtime_ns: Its time when it was read.
        read: Bytes that were read, up to the end of the last whole line.
        probe: The last bytes before ``read``, to tell appending from replacing.
        replaced: Offsets after the last lines that replaced an earlier one, in order.
        head: The newest head, as JSON types; empty for a file that is not canonical.
        marks: By sidechain (empty: the main thread), one letter a message: ``u`` and ``a`` on
            the thread, ``U`` and ``A`` off it, ``c`` for a copy, ``p`` for what is no reply yet.
        ids: Ids of its action records and documents, in order.
        tasks: Ids of the tasks it holds, of either kind.
        last: Time of the newest message in seconds since 1970, None when unknown.
    """

    path: Path
    size: int = 0
    mtime_ns: int = 0
    read: int = 0
    probe: str = ""
    replaced: list[int] = field(default_factory=list)
    head: dict[str, Any] = field(default_factory=dict)
    marks: dict[str, bytearray] = field(default_factory=dict)
    ids: dict[str, None] = field(default_factory=dict)
    tasks: dict[str, None] = field(default_factory=dict)
    last: float | None = None

    def replacing(self, start: int) -> int | None:
        """Return how many lines after ``start`` replace an earlier one; None for very many."""
        if len(self.replaced) >= _REPLACING and self.replaced[0] > start:
            return None
        return sum(end > start for end in self.replaced)

    def note_replacing(self, end: int) -> None:
        """Note that the line which ends there replaces an earlier one."""
        self.replaced = [*self.replaced[1 - _REPLACING :], end]

    @property
    def id(self) -> str:
        """Session id, or the id of a workspace's documents."""
        return str(self.head.get("id", ""))

    @property
    def is_session(self) -> bool:
        """Whether the file holds a session."""
        return self.head.get("holds") == "session"

    @property
    def channel(self) -> str:
        """Where it was held, for agents with channels; else the agent's name."""
        return str(self.head.get("channel") or self.head.get("agent", ""))

    @property
    def messages(self) -> int:
        """Messages on the active thread, copies left aside."""
        marks = self.marks.get("", b"")
        return marks.count(b"u") + marks.count(b"a")

    @property
    def created(self) -> datetime | None:
        """Time of the first record."""
        return _moment(self.head.get("created"))

    @property
    def updated(self) -> datetime | None:
        """Time of the last record: of the newest message when the head is older."""
        newest = None if self.last is None else datetime.fromtimestamp(self.last, UTC)
        moments = (_moment(self.head.get("updated")), newest)
        return max((moment for moment in moments if moment), default=None)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


class Register:
    """The rows of one archive, as fresh as the call of :meth:`refresh`.

    Args:
        home: The folder with the user's data.
    """

    def __init__(self, home: Home) -> None:
        self._archive = Archive(home)
        self._file = home.index / "register.json"
        self._rows: dict[Path, Row] | None = None
        self._lock = threading.Lock()

    def refresh(self) -> dict[Path, Row]:
        """Take in what changed and return every row by path, in the archive's order.

        Safe to call from several threads.
        """
        with self._lock:
            return self._refresh()

    def _refresh(self) -> dict[Path, Row]:
        old = self._rows if self._rows is not None else self._load()
        rows: dict[Path, Row] = {}
        changed = False
        for state in self._archive.files():
            row = old.get(state.path)
            if row is None or (row.size, row.mtime_ns) != (state.size, state.mtime_ns):
                row = self._read(state, row)
                changed = True
            rows[state.path] = row
        if changed or len(rows) != len(old):
            self._save(rows)
        self._rows = rows
        return rows

    def sessions(self) -> list[Row]:
        """Return the row of every session, the last updated first."""
        rows = [row for row in self.refresh().values() if row.is_session]
        dated = [(row.updated, row) for row in rows]
        dated.sort(key=lambda pair: (pair[0] is not None, pair[0], pair[1].id), reverse=True)
        return [row for _, row in dated]

    def documents(self) -> list[Row]:
        """Return the row of every file of documents."""
        return [row for row in self.refresh().values() if row.head.get("holds") == "documents"]

    def _read(self, state: FileState, row: Row | None) -> Row:
        if row is None or row.read > state.size or row.probe != _probe(state.path, row.read):
            row = Row(path=state.path)
        try:
            for located in self._archive.records(state.path, row.read):
                if located.start + located.length > state.size:
                    break  # written since it was listed
                _note(row, located)
                row.read = located.start + located.length
        except StorageError:
            pass  # unreadable now: the row keeps what it knew and the file is tried again
        else:
            row.size, row.mtime_ns = state.size, state.mtime_ns
        row.probe = _probe(state.path, row.read)
        return row

    def _load(self) -> dict[Path, Row]:
        try:
            raw = json.loads(self._file.read_bytes())
            if raw["version"] != _VERSION:
                return {}
            folder = self._archive.folder
            return {row.path: row for row in (_unpack(item, folder) for item in raw["rows"])}
        except (OSError, ValueError, KeyError, TypeError):
            return {}

    def _save(self, rows: dict[Path, Row]) -> None:
        packed = [_pack(row, self._archive.folder) for row in rows.values()]
        text = json.dumps({"version": _VERSION, "rows": packed}, ensure_ascii=False)
        try:
            # A file from elsewhere may hold half a character in its title.
            write_atomic(self._file, text.encode("utf-8", errors="replace"))
        except StorageError:
            return  # a home that cannot be written is still read


def _note(row: Row, located: Located) -> None:
    """Enter one record in its file's row."""
    record = located.record
    end = located.start + located.length
    if isinstance(record, Head):
        row.head = {
            name: value.isoformat() if isinstance(value, datetime) else value
            for name in _HEAD_FIELDS
            if (value := getattr(record, name)) is not None
        }
    elif isinstance(record, Message):
        if 0 < record.n <= _NUMBER_MAX:
            _mark(row, record, end)
        if record.ts:
            row.last = max(record.ts.timestamp(), row.last or 0.0)
    elif isinstance(record, ActionRecord | Document):
        if record.id in row.ids:
            row.note_replacing(end)
        row.ids[record.id] = None
        task = record.id if isinstance(record, ActionRecord) else record.task
        if task:
            row.tasks[task] = None


def _mark(row: Row, message: Message, end: int) -> None:
    marks = row.marks.setdefault(message.agent or "", bytearray())
    at = message.n - 1
    if at < len(marks) and marks[at : at + 1] != _GAP:
        row.note_replacing(end)
    marks.extend(_GAP * (message.n - len(marks)))
    if message.copy_of:
        mark = _COPY
    else:
        mark = _PARTIAL if message.partial else _MARKS[message.thread, message.role]
    marks[at : at + 1] = mark


_HEAD_FIELDS = (
    *("id", "agent", "holds", "title", "project", "cwd", "channel", "parent"),
    *("created", "updated"),
)


def _probe(path: Path, end: int) -> str:
    """Return the bytes just before ``end``, as text: the same bytes give the same text."""
    try:
        with path.open("rb") as handle:
            handle.seek(max(0, end - _PROBE))
            return handle.read(min(end, _PROBE)).decode("latin-1")
    except OSError:
        return ""


def _pack(row: Row, folder: Path) -> list[Any]:
    return [
        row.path.relative_to(folder).as_posix(),
        *(row.size, row.mtime_ns, row.read, row.probe, row.replaced, row.head),
        {agent: marks.decode("ascii") for agent, marks in row.marks.items()},
        *(list(row.ids), list(row.tasks), row.last),
    ]


def _unpack(item: list[Any], folder: Path) -> Row:
    path, size, mtime_ns, read, probe, replaced, head, marks, ids, tasks, last = item
    return Row(
        path=folder / path,
        size=size,
        mtime_ns=mtime_ns,
        read=read,
        probe=probe,
        replaced=replaced,
        head=head,
        marks={agent: bytearray(letters, "ascii") for agent, letters in marks.items()},
        ids=dict.fromkeys(ids),
        tasks=dict.fromkeys(tasks),
        last=last,
    )
