"""Agenvoy: a folder a session, and one database with every session's messages.

The same message stands in ``history.json`` (cut from the front when large) and in the database;
both get the same key, made of its second, its role and its text. Action records are runs; their
calls are the session's calls.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from generator.exceptions import RecordError
from generator.history.importers.agenvoy.action_records import RECORD_NAME, action_of
from generator.history.importers.agenvoy.entries import entries_of, entry_of, keyed
from generator.history.importers.agenvoy.usage_log import USAGE_LINE, spending_in
from generator.history.importers.base import (
    Clock,
    Parsed,
    Reading,
    Sample,
    Unit,
    moment_of,
    object_of,
    project_of,
    text_of,
)
from generator.history.importers.databases import open_database, select
from generator.history.importers.records import read_lines, read_object
from generator.model.session import ActionRecord, Event, Head

FORMAT = "agenvoy"

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
            if RECORD_NAME.fullmatch(path.name) and _RECORD_KEYS & set(object_of(record)):
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
                if USAGE_LINE.fullmatch(line):
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
        actions.append(action_of(path, record, reading))
    entries = list(entries_of(folder / "history.json", identity, reading))
    clock = Clock()
    for entry in entries:
        clock.take(entry.ts)
    for action in actions:
        clock.take(action.ended)
    usage = list(spending_in(folder / "usage.log", reading))
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
        messages=keyed(entries),
        actions=actions,
        usage=usage,
        events=_summary(folder / "summary.json", reading),
        precedence=(1, moment_of(clock.latest)),
    )


def _channel(identity: str) -> str | None:
    prefix = identity.split("-", 1)[0]
    return _CHANNELS.get(prefix) if "-" in identity else None


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
                entry = entry_of(row, row["send_at"], reading)
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
                messages=keyed(entries),
                precedence=(0, moment_of(max(stamps, default=None))),
            )
