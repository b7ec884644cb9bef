"""A record's row in the books: what it is known by, where its newest line stands, its numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC
from typing import Any

from generator.history.books import Books
from generator.history.canonical import Record, encode
from generator.model.session import (
    ActionRecord,
    Document,
    Event,
    Head,
    Message,
    Tokens,
    ToolCall,
    Usage,
)

# Formats whose messages carry ids that are the same in every copy, across sessions.
_WITH_TWINS = frozenset({"claude-code"})
# Documents whose time is that of their file: touching the file is no news.
_TIMED_BY_FILE = frozenset({"knowledge", "consolidated", "reflection", "doc", "log", "task"})
COLUMNS = [
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
    f"INSERT OR REPLACE INTO entries ({', '.join(COLUMNS)}) "  # noqa: S608 - names of ours
    f"VALUES ({', '.join('?' for _ in COLUMNS)})"
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
        row[COLUMNS.index("length")] = length
        yield tuple(row)


def insert_rows(books: Books, rows: Iterable[tuple[Any, ...]]) -> None:
    """Enter rows in the books, a later one replacing an earlier one of the same key."""
    books.database.executemany(_INSERT, rows)
