"""The database: a row a session, a message and a part, with JSON in its columns."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import Reading
from generator.history.importers.databases import select
from generator.history.importers.records import parse_object


def sessions_of(database: sqlite3.Connection, reading: Reading) -> Iterator[dict[str, Any]]:
    """Yield every session in the shape of a session file."""
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
        yield {
            "id": row["id"],
            "projectID": row["project_id"],
            "parentID": row["parent_id"],
            "directory": row["directory"],
            "title": row["title"],
            "time": {"created": row["time_created"], "updated": row["time_updated"]},
            "revert": _json_column(row["revert"]),
        }


def _json_column(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        return None


def rows_of(
    database: sqlite3.Connection, session: str, reading: Reading
) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield the messages of a session with their parts."""
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
