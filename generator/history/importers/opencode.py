"""opencode: a SQLite database now, three levels of JSON files before, one object as an export.

All three hold the same three shapes (session, message, part), so one builder serves them. Call
and result are one part; ``step-finish`` repeats the message's tokens and is never added.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import tzinfo
from pathlib import Path
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import (
    Parsed,
    Reading,
    Sample,
    Unit,
    count_of,
    list_of,
    moment_of,
    object_of,
    project_of,
    text_of,
)
from generator.history.importers.databases import open_database, select
from generator.history.importers.records import parse_object, read_object, read_whole
from generator.model.session import (
    Attachment,
    CallStatus,
    Event,
    Head,
    Message,
    Tokens,
    ToolCall,
)
from generator.timestamps import parse_time

FORMAT = "opencode"

_STATUS: dict[str, CallStatus] = {"completed": "ok", "error": "error"}
_PARTS = frozenset(
    [
        "text",
        "reasoning",
        "tool",
        "file",
        "step-start",
        "step-finish",
        "snapshot",
        "patch",
        "agent",
        "subtask",
        "retry",
        "compaction",
    ]
)
_FILES, _EXPORT, _DATABASE = 0, 1, 2


def recognise(sample: Sample) -> bool:
    """Tell whether a file is a database, a session file or an export of this agent."""
    if sample.kind == "sqlite":
        return {"session", "message", "part"} <= sample.tables
    if sample.kind != "object":
        return False
    for record in sample.records:
        if "info" in record and "messages" in record:
            return True
        if is_session(record):
            return True
    return False


def is_session(record: dict[str, Any]) -> bool:
    """Tell whether an object is a session file of the old layout."""
    return (
        text_of(record.get("id")).startswith("ses")
        and "time" in record
        and ("projectID" in record or "directory" in record)
    )


def session_parts(path: Path, session_id: str) -> tuple[Path, ...]:
    """Return every file that a session of the old layout is made of, itself first."""
    storage = path.parent.parent.parent
    parts = [path]
    for message in sorted((storage / "message" / session_id).glob("*.json")):
        parts.append(message)
        parts.extend(sorted((storage / "part" / message.stem).glob("*.json")))
    return tuple(parts)


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the sessions of a database, a session file or an export."""
    if unit.kind == "sqlite":
        yield from _read_database(unit, reading)
        return
    with unit.open() as handle:
        try:
            whole = object_of(read_whole(handle, reading.notes))
        except RecordError as error:
            reading.notes.skip(1, str(error))
            return
    reading.notes.records += 1
    if "info" in whole and "messages" in whole:
        pairs = (
            (object_of(item.get("info")), list_of(item.get("parts")))
            for item in list_of(whole["messages"])
            if isinstance(item, dict)
        )
        yield _session(object_of(whole["info"]), _counted(pairs, reading), reading, _EXPORT)
    else:
        yield _session(whole, _stored(unit, whole, reading), reading, _FILES)


def _counted(
    pairs: Iterable[tuple[dict[str, Any], list[Any]]], reading: Reading
) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    for info, parts in pairs:
        reading.notes.records += 1 + len(parts)
        yield info, parts


def _stored(
    unit: Unit, session: dict[str, Any], reading: Reading
) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield the messages of the old layout with their parts."""
    storage = unit.path.parent.parent.parent
    folder = storage / "message" / text_of(session.get("id"))
    if not folder.is_dir():
        reading.notes.warn(f"The folder of its messages is missing: {folder}.")
    for path in sorted(folder.glob("*.json")):
        info = _load(path, reading)
        if info is None:
            continue
        info.setdefault("id", path.stem)
        parts = []
        for piece in sorted((storage / "part" / path.stem).glob("*.json")):
            part = _load(piece, reading)
            if part is not None:
                parts.append(part)
        yield info, parts


def _load(path: Path, reading: Reading) -> dict[str, Any] | None:
    try:
        value = read_object(path, reading.notes)
    except RecordError as error:
        reading.notes.skip(1, str(error))
        return None
    reading.notes.records += 1
    return value


def _read_database(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    with closing(open_database(unit.path)) as database:
        sessions = list(
            select(
                database,
                "session",
                "id project_id parent_id directory title version time_created time_updated revert",
                order="time_created, id",
            )
        )
        for row in sessions:
            reading.notes.records += 1
            session = {
                "id": row["id"],
                "projectID": row["project_id"],
                "parentID": row["parent_id"],
                "directory": row["directory"],
                "title": row["title"],
                "time": {"created": row["time_created"], "updated": row["time_updated"]},
                "revert": _json_column(row["revert"]),
            }
            yield _session(
                session, _rows(database, text_of(row["id"]), reading), reading, _DATABASE
            )


def _json_column(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None


def _rows(
    database: sqlite3.Connection, session: str, reading: Reading
) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    where = ("session_id = ?", (session,))
    for row in select(database, "message", "id time_created data", where=where, order="id"):
        info = _data(row, reading)
        if info is None:
            continue
        info.setdefault("time", {"created": row["time_created"]})
        of_message = ("message_id = ?", (row["id"],))
        parts = []
        for piece in select(database, "part", "id data", where=of_message, order="id"):
            part = _data(piece, reading)
            if part is not None:
                parts.append(part)
        yield info, parts


def _data(row: dict[str, Any], reading: Reading) -> dict[str, Any] | None:
    raw = row["data"]
    try:
        value = parse_object(raw.encode() if isinstance(raw, str) else bytes(raw or b""))
    except RecordError as error:
        reading.notes.skip(reading.notes.records + 1, f"{row['id']}: {error}")
        return None
    reading.notes.records += 1
    # The JSON lacks what is a column.
    value["id"] = row["id"]
    return value


def _session(
    session: dict[str, Any],
    messages: Iterator[tuple[dict[str, Any], list[Any]]],
    reading: Reading,
    layout: int,
) -> Parsed:
    times = object_of(session.get("time"))
    directory = text_of(session.get("directory")) or None
    updated = parse_time(times.get("updated"), reading.zone)
    events: list[Event] = []
    revert = text_of(object_of(session.get("revert")).get("messageID")) or None
    return Parsed(
        head=Head(
            id=text_of(session.get("id")),
            agent=FORMAT,
            title=text_of(session.get("title")) or None,
            cwd=directory,
            project=project_of(directory),
            parent=text_of(session.get("parentID")) or None,
            created=parse_time(times.get("created"), reading.zone),
            updated=updated,
        ),
        messages=_messages(messages, revert, events, reading),
        events=events,
        snapshot=True,
        # The database holds whatever an older layout says of the same message.
        precedence=(layout, moment_of(updated)),
    )


def _messages(
    records: Iterator[tuple[dict[str, Any], list[Any]]],
    revert: str | None,
    events: list[Event],
    reading: Reading,
) -> Iterator[Message]:
    reverted = False
    shown = 0
    seen: set[str] = set()
    for info, parts in records:
        key = text_of(info.get("id"))
        if not key or key in seen:
            reading.audit.drop("the same message twice in one source")
            continue
        seen.add(key)
        reverted = reverted or key == revert
        message = _message(info, [part for part in parts if isinstance(part, dict)], reading)
        if message is None:
            continue
        if info.get("summary") is True:
            events.append(
                Event(id=key, kind="compaction", text=message.text, ts=message.ts, after=shown)
            )
            if message.tokens is None:
                continue
            # Writing the summary was paid for.
            message = Message(
                n=0,
                id=key,
                role="assistant",
                ts=message.ts,
                model=message.model,
                tokens=message.tokens,
                cost=message.cost,
                partial=True,
                thread="off" if reverted else "active",
            )
        elif reverted:
            message = replace(message, thread="off")
        shown += 1
        yield message


def _message(info: dict[str, Any], parts: list[dict[str, Any]], reading: Reading) -> Message | None:
    zone = reading.zone
    texts: list[str] = []
    thoughts: list[str] = []
    calls: dict[str, ToolCall] = {}
    attachments: list[Attachment] = []
    for part in parts:
        kind = text_of(part.get("type"))
        if kind == "text":
            if not part.get("synthetic") and not part.get("ignored"):
                texts.append(text_of(part.get("text")))
        elif kind == "reasoning":
            thoughts.append(text_of(part.get("text")))
        elif kind == "tool":
            call = _call(part, zone)
            calls.setdefault(call.id, call)
        elif kind == "file":
            attachments.append(
                Attachment(
                    name=text_of(part.get("filename")) or "file",
                    kind=text_of(part.get("mime")) or None,
                )
            )
        elif kind == "step-finish":
            if tokens := _tokens(part.get("tokens")):
                reading.audit.line(tokens)
                reading.audit.drop("tokens of a step, which its message already counts")
        elif kind not in _PARTS:
            reading.notes.opaque += 1
    role = text_of(info.get("role"))
    if role not in ("user", "assistant"):
        reading.notes.opaque += 1
        return None
    text = "\n\n".join(piece for piece in texts if piece)
    created = parse_time(object_of(info.get("time")).get("created"), zone)
    if role == "user":
        if not text.strip() and not attachments:
            return None
        return Message(
            n=0,
            id=text_of(info["id"]),
            role="user",
            text=text,
            ts=created,
            attachments=tuple(attachments),
        )
    tokens = _tokens(info.get("tokens"))
    if tokens is not None:
        reading.audit.line(tokens)
    thinking = "\n\n".join(thought for thought in thoughts if thought)
    empty = not (text.strip() or thinking or calls or attachments)
    if empty and not (tokens and tokens.total):
        return None
    cost = info.get("cost")
    return Message(
        n=0,
        id=text_of(info["id"]),
        role="assistant",
        text=text,
        thinking=thinking,
        ts=created,
        model=text_of(info.get("modelID"))
        or text_of(object_of(info.get("model")).get("modelID"))
        or None,
        calls=tuple(calls.values()),
        attachments=tuple(attachments),
        tokens=tokens,
        cost=float(cost) if isinstance(cost, int | float) and 0 < cost < 1e9 else None,
        partial=empty,
    )


def _call(part: dict[str, Any], zone: tzinfo) -> ToolCall:
    state = object_of(part.get("state"))
    times = object_of(state.get("time"))
    status = _STATUS.get(text_of(state.get("status")), "unfinished")
    result = text_of(state.get("output")) if status == "ok" else text_of(state.get("error"))
    child = object_of(state.get("metadata")).get("sessionId")
    return ToolCall(
        id=text_of(part.get("callID")) or text_of(part.get("id")),
        name=text_of(part.get("tool")) or "unknown",
        arguments=state.get("input"),
        result=result if status != "unfinished" else None,
        status=status,
        started=parse_time(times.get("start"), zone),
        ended=parse_time(times.get("end"), zone),
        child=text_of(child) or None,
    )


def _tokens(tokens: Any) -> Tokens | None:
    """Map the numbers; whether reasoning stands inside output shows in the total."""
    if not isinstance(tokens, dict):
        return None
    cache = object_of(tokens.get("cache"))
    fresh, output, reasoning, total = (
        count_of(tokens.get(name)) for name in ("input", "output", "reasoning", "total")
    )
    read_, written = count_of(cache.get("read")), count_of(cache.get("write"))
    inside = total is not None and total == sum(
        part or 0 for part in (fresh, output, read_, written)
    )
    if output is not None and not inside:
        output += reasoning or 0
    return Tokens(input=fresh, output=output, cache_read=read_, cache_write=written)
