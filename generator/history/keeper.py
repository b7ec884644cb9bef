"""Writing the archive: a session's records are added or extended, never taken away.

A file only grows. A message keeps the number it got first; when its source shows more of it
(a result came, the reply went on) the whole message is appended again under that number.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path
from typing import Any, BinaryIO

from generator.exceptions import NotFoundError, RecordError, StorageError
from generator.history.archive import Archive
from generator.history.books import Books
from generator.history.canonical import Record, decode, encode
from generator.history.forgotten import Forgotten
from generator.history.importers.base import UNRANKED, Parsed
from generator.history.tally import Tally
from generator.model.session import (
    ActionRecord,
    Document,
    Event,
    Head,
    Message,
    SubagentInfo,
    Tokens,
    ToolCall,
    Usage,
)
from generator.paths import Home
from generator.storage import create_exclusive, make_folder, read_text

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_MAX = 100
# Formats whose messages carry ids that are the same in every copy, across sessions.
_WITH_TWINS = frozenset({"claude-code"})
# Documents whose time is that of their file: touching the file is no news.
_TIMED_BY_FILE = frozenset({"knowledge", "consolidated", "reflection", "doc", "log", "task"})
_COLUMNS = [
    "file",
    "kind",
    "agent",
    "key",
    "n",
    "digest",
    "unit",
    "start",
    "length",
    "twin",
    "said",
    "copy",
    "role",
    "thread",
    "partial",
    "calls",
    "errors",
    "unfinished",
    "tin",
    "tout",
    "tread",
    "twrite",
    "ts",
    "model",
    "provider",
    "cost",
]
_INSERT = (
    f"INSERT OR REPLACE INTO entries ({', '.join(_COLUMNS)}) "  # noqa: S608 - names of ours
    f"VALUES ({', '.join('?' for _ in _COLUMNS)})"
)


@dataclass(slots=True)
class Known:
    """What the books say of a record's newest line."""

    n: int
    digest: bytes
    unit: int | None
    start: int
    length: int
    copy: str | None
    thread: str | None


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


class Keeper:
    """Puts what importers read into the archive.

    Args:
        home: The folder with the user's data.
        books: The books, writable, inside a transaction whenever :meth:`take` is called.
        forgotten: What must stay away.
    """

    def __init__(self, home: Home, books: Books, forgotten: Forgotten) -> None:
        self.home = home
        self.books = books
        self.forgotten = forgotten
        self.archive = Archive(home)
        self.touched: set[int] = set()
        self.written = 0
        self._unsynced: set[Path] = set()

    def take(self, parsed: Parsed, unit: int, source: Path, tally: Tally) -> None:
        """Add or extend one session, or one set of documents.

        Args:
            parsed: What an importer read.
            unit: The unit it was read from.
            source: The path of that unit, for the head.
            tally: Where the unit's numbers are counted, copies included.

        Raises:
            StorageError: The archive cannot be written.
        """
        head = self._own(parsed.head)
        if self.forgotten.is_whole(head) or (
            self.forgotten.holds(head, "", head.updated) and self.file_row(head) is None
        ):
            _count(parsed, tally)
            return
        _Taking(self, parsed, replace(head, sources=(str(source),)), unit, tally).run()

    def _own(self, head: Head) -> Head:
        """Give a set of documents an id of this archive: two machines have equal paths."""
        if head.holds == "session" or head.id.startswith("documents-"):
            return head
        return replace(head, id=f"documents-{archive_id(self.home)}-{head.id}")

    def file_row(self, head: Head) -> Any:
        """Return the books' row of a session's file, None when there is none."""
        return self.books.database.execute(
            "SELECT * FROM files WHERE agent = ? AND holds = ? AND session = ?",
            (head.agent, head.holds, head.id),
        ).fetchone()

    def known(self, file: int) -> dict[tuple[str, str, str], Known]:
        """Return the newest line of every record of a file."""
        rows = self.books.database.execute(
            "SELECT kind, agent, key, n, digest, unit, start, length, copy, thread "
            "FROM entries WHERE file = ?",
            (file,),
        )
        return {(row[0], row[1], row[2]): Known(*row[3:]) for row in rows}

    def new_path(self, head: Head) -> Path:
        """Return a path for a new file, which nothing stands at."""
        folder = self.home.history / _safe(head.agent)
        path = folder / f"{_safe(head.id)}.jsonl"
        for number in range(2, 1000):
            if not path.exists():
                return path
            path = folder / f"{_safe(head.id)}~{number}.jsonl"
        return path

    def record_of(self, file: int, key: tuple[str, str, str]) -> Record | None:
        """Return the newest state of a record; None when its file was changed by hand meanwhile.

        Args:
            file: The file's number in the books.
            key: Kind, sidechain and key of the record.
        """
        row = self.books.database.execute(
            "SELECT f.path, e.start, e.length FROM entries e JOIN files f ON f.id = e.file "
            "WHERE e.file = ? AND e.kind = ? AND e.agent = ? AND e.key = ?",
            (file, *key),
        ).fetchone()
        try:
            path = self.home.history / row["path"]
            return self.archive.record(path, row["start"], row["length"])
        except NotFoundError:
            return None

    def patch(self, file: int, key: tuple[str, str, str], **changes: Any) -> None:
        """Append a record again with some fields changed.

        Args:
            file: The file's number in the books.
            key: Kind, sidechain and key of the record.
            changes: New values of its fields.
        """
        row = self.books.database.execute("SELECT * FROM files WHERE id = ?", (file,)).fetchone()
        known = self.books.database.execute(
            "SELECT start, length, unit FROM entries WHERE file = ? AND kind = ? AND agent = ? "
            "AND key = ?",
            (file, *key),
        ).fetchone()
        path = self.home.history / row["path"]
        try:
            record = self.archive.record(path, known["start"], known["length"])
        except NotFoundError:
            return  # changed by hand meanwhile; the next run takes it up
        record = replace(record, **changes)
        appender = Appender(path)
        line = encode(record)
        start = appender.write(line)
        self.enter(
            file,
            [entry_row(file, record, row["agent"], unit=known["unit"], start=start, line=line)],
        )
        self.note_size(file, appender)

    def enter(self, file: int, rows: list[tuple[Any, ...]]) -> None:
        """Enter the rows of lines that were appended."""
        self.books.database.executemany(_INSERT, rows)
        self.touched.add(file)
        self.written += len(rows)

    def note_size(self, file: int, appender: Appender) -> None:
        """Finish a file and enter its size and time in the books."""
        state = appender.finish()
        if state is not None:
            self._unsynced.add(appender.path)
            self.books.database.execute(
                "UPDATE files SET size = ?, mtime = ? WHERE id = ?",
                (state.st_size, state.st_mtime_ns, file),
            )

    def sync(self) -> None:
        """Put all that was written on disk; to be called before the books are closed over it.

        Many files are synced side by side: one after the other, 5,000 sessions would wait more
        than a minute for the disk.

        Raises:
            StorageError: The disk is full.
        """
        paths, self._unsynced = self._unsynced, set()
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


class _Taking:
    """One call of :meth:`Keeper.take`."""

    def __init__(self, keeper: Keeper, parsed: Parsed, head: Head, unit: int, tally: Tally) -> None:
        self.keeper = keeper
        self.parsed = parsed
        self.unit = unit
        self.tally = tally
        row = keeper.file_row(head)
        self.old = _head_from(row["head"]) if row else None
        self.file: int | None = row["id"] if row else None
        self.path = keeper.home.history / row["path"] if row else keeper.new_path(head)
        self.known = keeper.known(row["id"]) if row else {}
        before = (row["rank"], row["moment"]) if row else (UNRANKED, "")
        now = parsed.precedence
        if UNRANKED in (before[0], now[0]):
            self.higher, self.lower = now[1] > before[1], now[1] < before[1]
            self.precedence = (max(before[0], now[0]), max(before[1], now[1]))
        else:
            self.higher, self.lower = now > before, now < before
            self.precedence = max(before, now)
        self.head = merged(self.old, head, newer_holds=not self.lower)
        self.appender = Appender(self.path)
        self.rows: list[tuple[Any, ...]] = []
        self.seen: set[tuple[str, str, str]] = set()
        self.numbers: dict[tuple[str, str], int] = {}
        self.last: dict[str, int] = {}
        for (kind, agent, key), entry in self.known.items():
            if kind == "message":
                self.numbers[(agent, key)] = entry.n
                self.last[agent] = max(self.last.get(agent, 0), entry.n)
        self.taken = {(agent, n) for (agent, _), n in self.numbers.items()}

    def run(self) -> None:
        try:
            if self.parsed.counts_as_session:
                self.tally.sessions += 1
            if self.file is None and not self.parsed.counts_as_session and not self._has_records():
                self._note_titles()
                return
            self._open_file()
            self._take_all()
            self._leave_out_the_gone()
            self._flush()
            self.keeper.note_size(self._number, self.appender)
            self._note_titles()
        finally:
            self.appender.abandon()

    def _has_records(self) -> bool:
        """Tell whether there is anything to keep; a file of titles alone makes no session."""
        if self.parsed.head.holds == "documents":
            return bool(self.parsed.documents or self.parsed.usage)
        return not self.parsed.leaf_titles or bool(self.parsed.head.created)

    @property
    def _number(self) -> int:
        assert self.file is not None
        return self.file

    def _open_file(self) -> None:
        head = self.head
        changed = self.old is None or encode(self.old) != encode(head)
        if changed:
            self.appender.write(encode(head))
        values = (
            str(self.path.relative_to(self.keeper.home.history)),
            head.agent,
            head.id,
            head.holds,
            head.parent,
            head_text(head),
            *self.precedence,
            head.created.timestamp() if head.created else None,
            head.updated.timestamp() if head.updated else None,
            head.project,
        )
        names = [
            "path",
            "agent",
            "session",
            "holds",
            "parent",
            "head",
            "rank",
            "moment",
            "created",
            "updated",
            "project",
        ]
        database = self.keeper.books.database
        if self.file is None:
            marks = ", ".join("?" for _ in names)
            cursor = database.execute(
                f"INSERT INTO files ({', '.join(names)}) VALUES ({marks})",  # noqa: S608
                values,
            )
            self.file = cursor.lastrowid
            self.keeper.touched.add(self._number)
        elif changed or self.higher:
            sets = ", ".join(f"{name} = ?" for name in names)
            database.execute(
                f"UPDATE files SET {sets} WHERE id = ?",  # noqa: S608 - names of ours
                (*values, self.file),
            )
            self.keeper.touched.add(self._number)

    def _take_all(self) -> None:
        for message in self.parsed.messages:
            self.tally.add_message(message)
            self._take(self._numbered(message), message.ts)
        for action in self.parsed.actions:
            self.tally.add_action(action)
            self._take(action, action.ended)
        for usage in self.parsed.usage:
            self.tally.add_usage(usage)
            owner = self.parsed.owners.get(usage.id)
            n = self.numbers.get(owner) if owner else usage.n
            agent = (owner[0] or None) if owner else usage.agent
            self._take(replace(usage, n=n, agent=agent), usage.ts)
        for event in self.parsed.events:
            self._take(event, event.ts)
        for document in self.parsed.documents:
            self._take(document, document.ts)

    def _numbered(self, message: Message) -> Message:
        agent = message.agent or ""
        n = self.numbers.get((agent, message.id))
        if n is None:
            n = message.n
            if n <= 0 or (agent, n) in self.taken:
                n = self.last.get(agent, 0) + 1
            self.numbers[(agent, message.id)] = n
            self.taken.add((agent, n))
            self.last[agent] = max(self.last.get(agent, 0), n)
            if self.lower and self.parsed.complete and message.thread == "active":
                # An older export knows a message that the newer one no longer shows.
                message = replace(message, thread="off")
        return message if message.n == n else replace(message, n=n)

    def _take(self, record: Record, ts: Any) -> None:
        kind, agent, key = entry_key(record)
        self.seen.add((kind, agent, key))
        if self.keeper.forgotten.holds(self.head, key, ts):
            return
        entry = self.known.get((kind, agent, key))
        if (
            entry is not None
            and isinstance(record, Message | Usage)
            and record.copy_of != entry.copy
        ):
            record = replace(record, copy_of=entry.copy)
        line = encode(record)
        if entry is not None:
            if entry.digest == digest_of(record, line):
                if entry.unit is None:
                    self._adopt(kind, agent, key)
                return
            richer = self.higher or (not self.lower and len(line) > entry.length)
            # A record of an unknown unit was dropped in, or its books were lost.
            foreign = entry.unit != self.unit and (entry.unit is not None or self.lower)
            if foreign and not richer:
                return
        start = self.appender.write(line)
        row = entry_row(
            self._number, record, self.head.agent, unit=self.unit, start=start, line=line
        )
        self.rows.append(row)
        if len(self.rows) >= 500:
            self._flush()

    def _adopt(self, kind: str, agent: str, key: str) -> None:
        self.keeper.books.database.execute(
            "UPDATE entries SET unit = ? WHERE file = ? AND kind = ? AND agent = ? AND key = ?",
            (self.unit, self.file, kind, agent, key),
        )

    def _flush(self) -> None:
        if self.rows:
            self.keeper.enter(self._number, self.rows)
            self.rows = []

    def _leave_out_the_gone(self) -> None:
        """Mark what this unit showed before and no longer shows."""
        if not self.parsed.snapshot or self.lower:
            return
        gone = [
            (key, entry)
            for key, entry in self.known.items()
            if key not in self.seen
            and (entry.unit == self.unit or (self.parsed.complete and self.higher))
        ]
        for (kind, agent, key), entry in gone:
            if kind == "message" and entry.thread == "active":
                self._again(entry, kind, agent, key, thread="off")
            elif kind == "document" and entry.thread != "removed":
                self._again(entry, kind, agent, key, removed=True)

    def _again(self, entry: Known, kind: str, agent: str, key: str, **changes: Any) -> None:
        try:
            record = self.keeper.archive.record(self.path, entry.start, entry.length)
        except NotFoundError:
            return
        record = replace(record, **changes)
        line = encode(record)
        start = self.appender.write(line)
        self.rows.append(
            entry_row(self._number, record, self.head.agent, unit=self.unit, start=start, line=line)
        )

    def _note_titles(self) -> None:
        database = self.keeper.books.database
        for leaf, title in self.parsed.leaf_titles.items():
            database.execute("INSERT OR REPLACE INTO leaf_titles VALUES (?, ?)", (leaf, title))
        if self.file is not None:
            database.executemany(
                "INSERT OR IGNORE INTO leaves VALUES (?, ?)",
                ((leaf_number(leaf), self.file) for leaf in self.parsed.leaf_ids),
            )


def _count(parsed: Parsed, tally: Tally) -> None:
    """Count what a unit shows of a session that is not kept."""
    if parsed.counts_as_session:
        tally.sessions += 1
    for message in parsed.messages:
        tally.add_message(message)
    for action in parsed.actions:
        tally.add_action(action)
    for usage in parsed.usage:
        tally.add_usage(usage)


def archive_id(home: Home) -> str:
    """Return this archive's own id, made when it is first asked for."""
    path = home.history / ".archive-id"
    if not path.exists():
        create_exclusive(path, os.urandom(4).hex())
    return read_text(path).strip()[:16] or "archive"


def _safe(name: str) -> str:
    """Return a file name for an id; a changed one carries a hash that keeps it apart."""
    plain = _UNSAFE.sub("-", name).strip(".-")[:_NAME_MAX]
    if plain == name:
        return plain
    mark = hashlib.sha256(name.encode("utf-8", errors="replace")).hexdigest()[:8]
    return f"{plain or 'session'}-{mark}"


def head_text(head: Head) -> str:
    """Write a head for the books."""
    return encode(head).decode()


def _head_from(text: str) -> Head:
    found = decode(text)
    assert isinstance(found, Head)
    return found


def merged(old: Head | None, new: Head, *, newer_holds: bool) -> Head:
    """Join what two sources know of one session.

    Args:
        old: What the archive knows, None for a new session.
        new: What a source says now.
        newer_holds: Whether the source's word goes first where both say something.
    """
    if old is None:
        return new
    first, second = (new, old) if newer_holds else (old, new)
    agents: dict[str, SubagentInfo] = {}
    for info in (*old.subagents, *new.subagents):
        before = agents.get(info.id)
        agents[info.id] = SubagentInfo(
            id=info.id,
            kind=info.kind or (before.kind if before else None),
            description=info.description or (before.description if before else None),
        )
    moments = [moment for moment in (old.created, new.created) if moment]
    ends = [moment for moment in (old.updated, new.updated) if moment]
    return replace(
        first,
        title=first.title or second.title,
        project=first.project or second.project,
        cwd=first.cwd or second.cwd,
        channel=first.channel or second.channel,
        parent=first.parent or second.parent,
        created=min(moments, default=None),
        updated=max(ends, default=None),
        subagents=tuple(agents.values()),
        sources=tuple(dict.fromkeys((*old.sources, *new.sources))),
    )


def entry_key(record: Record) -> tuple[str, str, str]:
    """Return kind, sidechain and key of a record as the books know it.

    Messages are known by their id, not their number: the id is what a source shows again.
    """
    if isinstance(record, Message):
        return "message", record.agent or "", record.id
    names = {ActionRecord: "action", Usage: "usage", Event: "event", Document: "document"}
    return names[type(record)], "", record.id


def digest_of(record: Record, line: bytes) -> bytes:
    """Return a digest of what a source says.

    Whether it is a copy is our own judgement, and the time of a file says nothing of the
    sections in it that stayed the same.
    """
    if isinstance(record, Document) and record.source in _TIMED_BY_FILE:
        line = encode(replace(record, ts=None))
    elif isinstance(record, Message | Usage) and record.copy_of is not None:
        line = encode(replace(record, copy_of=None))
    return hashlib.blake2b(line, digest_size=12).digest()


def leaf_number(leaf: str) -> int:
    """Return a record id as a short number."""
    raw = hashlib.blake2b(leaf.encode("utf-8", errors="replace"), digest_size=8).digest()
    return int.from_bytes(raw, "big", signed=True)


def _twin(record: Message, agent: str) -> str | None:
    """Return what is equal in every copy of a message, across sessions and side files.

    The id of a reply is given by the service and unique; that of a prompt is the tool's own and
    is not trusted alone.
    """
    if agent not in _WITH_TWINS:
        return None
    if record.role == "assistant":
        return f"a:{record.id}"
    return f"u:{record.id}:{_said(record, agent)}"


def _said(record: Message, agent: str) -> str | None:
    """Return what tells a prompt whose copy got another id: its time and its text."""
    if agent not in _WITH_TWINS or record.role != "user" or record.ts is None:
        return None
    mark = hashlib.blake2b(record.text.encode(errors="replace"), digest_size=8).hexdigest()
    return f"{record.ts.astimezone(UTC).isoformat(timespec='milliseconds')} {mark}"


def entry_row(
    file: int, record: Record, agent: str, *, unit: int | None, start: int, line: bytes
) -> tuple[Any, ...]:
    """Return a record's row for the books."""
    kind, side, key = entry_key(record)
    calls: tuple[ToolCall, ...] = getattr(record, "calls", ())
    tokens: Tokens | None = getattr(record, "tokens", None)
    ts = getattr(record, "ts", None) or getattr(record, "ended", None)
    thread = getattr(record, "thread", None)
    if isinstance(record, Document) and record.removed:
        thread = "removed"
    return (
        file,
        kind,
        side,
        key,
        getattr(record, "n", None) or 0,
        digest_of(record, line),
        unit,
        start,
        len(line),
        _twin(record, agent) if isinstance(record, Message) else None,
        _said(record, agent) if isinstance(record, Message) else None,
        getattr(record, "copy_of", None),
        getattr(record, "role", None),
        thread,
        int(getattr(record, "partial", False)),
        len(calls),
        sum(call.status == "error" for call in calls),
        sum(call.status == "unfinished" for call in calls),
        tokens.input if tokens else None,
        tokens.output if tokens else None,
        tokens.cache_read if tokens else None,
        tokens.cache_write if tokens else None,
        ts.timestamp() if ts else None,
        getattr(record, "model", None),
        getattr(record, "provider", None),
        getattr(record, "cost", None),
    )


def rows_of_file(
    file: int, located: Iterator[tuple[int, int, Record]], agent: str
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a file that is read anew, earlier lines first."""
    for start, length, record in located:
        if isinstance(record, Head):
            continue
        line = encode(record)
        row = list(entry_row(file, record, agent, unit=None, start=start, line=line))
        row[_COLUMNS.index("length")] = length
        yield tuple(row)


def insert_rows(books: Books, rows: Iterator[tuple[Any, ...]]) -> None:
    """Enter rows in the books, a later one replacing an earlier one of the same key."""
    books.database.executemany(_INSERT, rows)


def load_head(text: str) -> Head | None:
    """Read a head from the books; None when it is broken."""
    try:
        return _head_from(text)
    except (RecordError, AssertionError, json.JSONDecodeError):
        return None
