"""Agenvoy: a folder a session, and one database with every session's messages.

The same message stands in ``history.json`` (cut from the front when large) and in the database;
both get the same key, made of its second, its role and its text. Action records are runs; their
calls are the session's calls.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import (
    Clock,
    Parsed,
    Reading,
    Sample,
    Unit,
    list_of,
    mark_of,
    moment_of,
    object_of,
    project_of,
    text_of,
)
from generator.history.importers.databases import open_database, select
from generator.history.importers.records import read_lines, read_object, read_whole
from generator.model.session import (
    ActionRecord,
    Attachment,
    Event,
    Head,
    Message,
    Tokens,
    ToolCall,
    Usage,
)
from generator.timestamps import parse_time

FORMAT = "agenvoy"

_RECORD_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})-(\d{2})-(\d{2})-(.+)\.json")
_RECORD_KEYS = frozenset(
    [
        "task_hash",
        "session_id",
        "message_id",
        "objective",
        "completed",
        "next_steps",
        "tool_attempts",
        "tool_results",
        "todos",
        "reply",
        "answer",
        "questions",
        "reasoning",
        "model",
    ]
)
_USAGE = re.compile(
    r"\[([^\]]+)\]\[([^\]]*)\]\s*in/\s*(\d{1,15})\s+out/\s*(\d{1,15})\s+"
    r"write/\s*(\d{1,15})\s+hit/\s*(\d{1,15})\s*"
)
_PREFACE_LINE = re.compile(r"(sendAt|sender|channelId): *(.*)")
_PREFACE_BLOCK = re.compile(r"\s*---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
_BLOCK_LINE = re.compile(r"\s*([^:：]+)[:：]\s*(.*)")
_BLOCK_KEYS = {
    "當前時間": "time",
    "当前时间": "time",
    "傳送者": "sender",
    "传送者": "sender",
    "发送者": "sender",
    "工作目錄": "cwd",
    "工作目录": "cwd",
    "sendAt": "time",
    "sender": "sender",
    "channelId": "channel",
}
_CHANNELS = {"cli": "cli", "tg": "telegram", "dc": "discord", "wa": "whatsapp"}


def recognise(sample: Sample) -> bool:
    """Tell whether a database is this agent's."""
    return sample.kind == "sqlite" and {"messages", "session_meta"} <= sample.tables


def claim(folder: Path, names: frozenset[str], folders: frozenset[str]) -> bool:
    """Tell whether a folder is a session, by what its files hold.

    Args:
        folder: The folder.
        names: Names of its files.
        folders: Names of its folders.
    """
    if "usage.log" in names and _first_lines_fit(folder / "usage.log"):
        return True
    if "history" in folders:
        for path in sorted((folder / "history").glob("*.json"))[:3]:
            try:
                with path.open("rb") as handle:
                    record = json.loads(handle.read(1 << 20))
            except (OSError, ValueError, RecursionError):
                continue
            if _RECORD_NAME.fullmatch(path.name) and _RECORD_KEYS & set(object_of(record)):
                return True
    if "history.json" in names and names & {"summary.json", "action.log"}:
        return True
    if "history.json" in names:
        try:
            with (folder / "history.json").open("rb") as handle:
                start = handle.read(4096)
        except OSError:
            return False
        return b'"role"' in start and b'"content"' in start and start.lstrip()[:1] == b"["
    return False


def _first_lines_fit(path: Path) -> bool:
    try:
        with path.open("rb") as handle:
            for number, line in read_lines(handle):
                if _USAGE.fullmatch(line):
                    return True
                if number > 20:
                    return False
    except OSError:
        return False
    return False


def parts(folder: Path) -> tuple[Path, ...]:
    """Return the files a session folder is read from."""
    own = [folder / name for name in ("history.json", "usage.log", "summary.json")]
    records = sorted((folder / "history").glob("*.json"))
    return tuple(path for path in [*own, *records] if path.is_file() and not path.is_symlink())


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session of a folder, or every session of a database."""
    if unit.kind == "sqlite":
        yield from _read_database(unit, reading)
        return
    folder = unit.path
    actions: list[ActionRecord] = []
    identity = folder.name
    for path in sorted((folder / "history").glob("*.json")):
        try:
            record = read_object(path, reading.notes)
        except RecordError as error:
            reading.notes.skip(1, str(error))
            continue
        reading.notes.records += 1
        identity = text_of(record.get("session_id")) or identity
        actions.append(_action(path, record, reading))
    entries = list(_entries(folder / "history.json", identity, reading))
    clock = Clock()
    for entry in entries:
        clock.take(entry.ts)
    for action in actions:
        clock.take(action.ended)
    usage = list(_ledger(folder / "usage.log", reading))
    cwd = next((entry.cwd for entry in entries if entry.cwd), None)
    yield Parsed(
        head=Head(
            id=identity,
            agent=FORMAT,
            cwd=cwd,
            project=project_of(cwd),
            channel=_channel(identity),
            created=min(filter(None, (clock.first, *(row.ts for row in usage))), default=None),
            updated=max(filter(None, (clock.latest, *(row.ts for row in usage))), default=None),
        ),
        messages=_keyed(entries),
        actions=actions,
        usage=usage,
        events=_summary(folder / "summary.json", reading),
        precedence=(1, moment_of(clock.latest)),
    )


def _channel(identity: str) -> str | None:
    prefix = identity.split("-", 1)[0]
    return _CHANNELS.get(prefix) if "-" in identity else None


@dataclass(slots=True)
class _Entry:
    """A message before it has its key.

    ``mark`` stands for the time in the key where the time is not known for sure: a clock without
    a zone as it was written, "0" where the time was inherited.
    """

    role: str
    text: str
    ts: datetime | None
    mark: str = ""
    sender: str | None = None
    cwd: str | None = None
    attachments: tuple[Attachment, ...] = ()


def _keyed(entries: list[_Entry]) -> Iterator[Message]:
    """Give each message a key that the database and the folder agree on."""
    equal: Counter[str] = Counter()
    for entry in entries:
        second = str(int(entry.ts.timestamp())) if entry.ts else "0"
        key = f"{entry.mark or second}-{entry.role}-{mark_of(entry.text)}"
        equal[key] += 1
        yield Message(
            n=0,
            id=key if equal[key] == 1 else f"{key}-{equal[key]}",
            role="user" if entry.role == "user" else "assistant",
            text=entry.text,
            ts=entry.ts,
            sender=entry.sender,
            attachments=entry.attachments,
        )


def _entries(path: Path, identity: str, reading: Reading) -> Iterator[_Entry]:
    if not path.is_file() or path.is_symlink():
        return
    try:
        with path.open("rb") as handle:
            rows = read_whole(handle, reading.notes)
    except (OSError, RecordError) as error:
        reading.notes.skip(1, f"{path.name}: {error}")
        return
    known: dict[tuple[str, str], list[datetime]] | None = None
    clock = Clock()
    for index, row in enumerate(list_of(rows), start=1):
        if not isinstance(row, dict):
            reading.notes.skip(index, f"{path.name}: not an object")
            continue
        reading.notes.records += 1
        entry = _entry(row, row.get("sendAt"), reading)
        if entry is None:
            continue
        if not row.get("sendAt"):
            # The database knows the moment; a preface has only the clock of some zone.
            known = _known_times(path.parent, identity, reading) if known is None else known
            times = known.get((entry.role, entry.text))
            if times:
                entry.ts, entry.mark = times.pop(0), ""
        if entry.ts is None:
            # An inherited time is no part of the key: it changes when the front is cut away.
            entry.mark = "0"
        entry.ts = clock.take(entry.ts)
        yield entry


def _entry(row: dict[str, Any], stamp: Any, reading: Reading) -> _Entry | None:
    role = text_of(row.get("role"))
    if role not in ("user", "assistant"):
        return None
    text, attachments = _content(row.get("content"))
    text, preface = _without_preface(text)
    if not text.strip():
        return None
    ts = parse_time(stamp, reading.zone) if stamp else None
    mark = ""
    if ts is None and (written := preface.get("time")):
        ts = parse_time(written, reading.zone)
        # Read in another zone it must be the same message.
        zoned = parse_time(written, UTC) == parse_time(written, timezone(timedelta(hours=1)))
        mark = "" if zoned else " ".join(written.split())
    return _Entry(
        role=role,
        text=text,
        ts=ts,
        mark=mark,
        sender=text_of(row.get("sender")) or preface.get("sender") or None,
        cwd=preface.get("cwd"),
        attachments=attachments,
    )


def _content(content: Any) -> tuple[str, tuple[Attachment, ...]]:
    if isinstance(content, str):
        return content, ()
    texts: list[str] = []
    attachments: list[Attachment] = []
    for part in list_of(content):
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and part.get("type") == "text":
            texts.append(text_of(part.get("text")))
        elif isinstance(part, dict):
            address = text_of(object_of(part.get("image_url")).get("url"))
            kind = address[5:].split(";", 1)[0] if address.startswith("data:") else "image"
            attachments.append(Attachment(name=text_of(part.get("type")) or "part", kind=kind))
    return "\n".join(texts), tuple(attachments)


def _without_preface(text: str) -> tuple[str, dict[str, str]]:
    """Strip what older versions put before a message, and return what it said."""
    block = _PREFACE_BLOCK.match(text)
    if block:
        said = {}
        for line in block.group(1).splitlines():
            found = _BLOCK_LINE.match(line)
            if found and found.group(1).strip() in _BLOCK_KEYS:
                said[_BLOCK_KEYS[found.group(1).strip()]] = found.group(2).strip()
        if said:
            return text[block.end() :].lstrip("\r\n"), said
    said = {}
    rest = text
    while found := _PREFACE_LINE.match(rest):
        said[_BLOCK_KEYS[found.group(1)]] = found.group(2).strip()
        rest = rest[found.end() :].removeprefix("\r").removeprefix("\n")
    return (rest.lstrip("\r\n").removeprefix("---\n"), said) if said else (text, said)


def _known_times(
    folder: Path, identity: str, reading: Reading
) -> dict[tuple[str, str], list[datetime]]:
    """Return the database's times by role and text, for a session's old entries."""
    root = folder.parent.parent
    times: dict[tuple[str, str], list[datetime]] = {}
    for path in (root / "history.db", root / "store" / "history.db"):
        if not path.is_file():
            continue
        with closing(open_database(path)) as database:
            where = ("session_id = ?", (identity,))
            columns = "send_at role content"
            for row in select(database, "messages", columns, where=where, order="send_at, id"):
                entry = _entry(row, row["send_at"], reading)
                if entry is not None and entry.ts is not None:
                    times.setdefault((entry.role, entry.text), []).append(entry.ts)
    return times


def _action(path: Path, record: dict[str, Any], reading: Reading) -> ActionRecord:
    named = _RECORD_NAME.fullmatch(path.name)
    ended = None
    task = text_of(record.get("task_hash"))
    if named:
        day, hour, minute, rest = named.groups()
        ended = parse_time(f"{day}T{hour}:{minute}:00", reading.zone)
        task = rest
    calls: dict[str, ToolCall] = {}
    for number, item in enumerate(list_of(record.get("tool_results")), start=1):
        values = object_of(item)
        key = text_of(values.get("id")) or f"result-{number}"
        result = values.get("result")
        calls[key] = ToolCall(
            id=key,
            name=text_of(values.get("name")) or "unknown",
            arguments=_arguments(values.get("args")),
            result=result if isinstance(result, str) else json.dumps(result, ensure_ascii=False),
            status="ok",
        )
    for number, item in enumerate(list_of(record.get("tool_attempts")), start=1):
        values = object_of(item)
        key = text_of(values.get("id")) or f"attempt-{number}"
        if key not in calls:
            calls[key] = ToolCall(
                id=key,
                name=text_of(values.get("name")) or "unknown",
                arguments=_arguments(values.get("args")),
            )
    shown = ("completed", "next_steps", "questions", "answer", "todos", "reasoning", "message_id")
    return ActionRecord(
        id=task or path.stem,
        objective=text_of(record.get("objective")),
        reply=text_of(record.get("reply")),
        model=text_of(record.get("model")) or None,
        calls=tuple(calls.values()),
        ended=ended,
        details={name: record[name] for name in shown if record.get(name)},
    )


def _arguments(raw: Any) -> Any:
    if not isinstance(raw, str):
        return raw
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return raw


def _ledger(path: Path, reading: Reading) -> Iterator[Usage]:
    if not path.is_file() or path.is_symlink():
        return
    equal: Counter[str] = Counter()
    with path.open("rb") as handle:
        for number, line in read_lines(handle):
            if not line.strip():
                continue
            found = _USAGE.fullmatch(line)
            if found is None:
                reason = "a partial line" if number == 1 else "not a usage line"
                reading.notes.skip(number, f"{path.name}: {reason}")
                continue
            reading.notes.records += 1
            stamp, model, *counts = found.groups()
            fresh, output, written, hit = map(int, counts)
            tokens = Tokens(input=fresh, output=output, cache_read=hit, cache_write=written)
            reading.audit.line(tokens)
            key = f"{stamp} {model} {fresh}/{output}/{written}/{hit}"
            equal[key] += 1
            provider, _, name = model.rpartition("@")
            yield Usage(
                id=key if equal[key] == 1 else f"{key} {equal[key]}",
                tokens=tokens,
                ts=parse_time(stamp, reading.zone),
                model=name,
                provider=provider or None,
            )


def _summary(path: Path, reading: Reading) -> list[Event]:
    if not path.is_file():
        return []
    try:
        summary = read_object(path, reading.notes)
    except RecordError as error:
        reading.notes.skip(1, str(error))
        return []
    reading.notes.records += 1
    text = text_of(summary.get("summary")) or json.dumps(summary, ensure_ascii=False)
    return [Event(id="summary", kind="compaction", text=text)]


def _read_database(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    with closing(open_database(unit.path)) as database:
        sessions: dict[str, None] = {}
        for table in ("session_meta", "messages"):
            for row in select(database, table, "session_id"):
                sessions[text_of(row["session_id"])] = None
                if table == "session_meta":
                    reading.notes.records += 1
        for identity in sessions:
            if not identity:
                continue
            where = ("session_id = ?", (identity,))
            entries = []
            columns = "send_at role content sender"
            for row in select(database, "messages", columns, where=where, order="send_at, id"):
                reading.notes.records += 1
                entry = _entry(row, row["send_at"], reading)
                if entry is not None:
                    entries.append(entry)
            stamps = [entry.ts for entry in entries if entry.ts]
            yield Parsed(
                head=Head(
                    id=identity,
                    agent=FORMAT,
                    channel=_channel(identity),
                    created=min(stamps, default=None),
                    updated=max(stamps, default=None),
                ),
                messages=_keyed(entries),
                precedence=(0, moment_of(max(stamps, default=None))),
            )
