"""opencode: a SQLite database now, three levels of JSON files before, one object as an export.

All three hold the same three shapes (session, message, part), so one builder serves them. Call
and result are one part; ``step-finish`` repeats the message's tokens and is never added.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import (
    Parsed,
    Reading,
    Sample,
    Unit,
    list_of,
    moment_of,
    object_of,
    project_of,
    text_of,
)
from generator.history.importers.databases import open_database
from generator.history.importers.opencode.database import rows_of, sessions_of
from generator.history.importers.opencode.files import session_parts, stored_messages
from generator.history.importers.opencode.messages import messages_of
from generator.history.importers.records import read_whole
from generator.model.session import Event, Head
from generator.timestamps import parse_time

FORMAT = "opencode"
__all__ = ["FORMAT", "is_session", "read", "recognise", "session_parts"]

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


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the sessions of a database, a session file or an export."""
    if unit.kind == "sqlite":
        with closing(open_database(unit.path)) as database:
            for session in sessions_of(database, reading):
                rows = rows_of(database, text_of(session["id"]), reading)
                yield _session(session, rows, reading, _DATABASE)
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
        yield _session(whole, stored_messages(unit, whole, reading), reading, _FILES)


def _counted(
    pairs: Iterable[tuple[dict[str, Any], list[Any]]], reading: Reading
) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    for info, parts in pairs:
        reading.notes.records += 1 + len(parts)
        yield info, parts


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
        messages=messages_of(messages, revert, events, reading),
        events=events,
        snapshot=True,
        # The database holds whatever an older layout says of the same message.
        precedence=(layout, moment_of(updated)),
    )
