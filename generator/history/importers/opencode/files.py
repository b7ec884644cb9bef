"""The old layout: three levels of JSON files below a storage folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import Reading, Unit, text_of
from generator.history.importers.records import read_object


def session_parts(path: Path, session_id: str) -> tuple[Path, ...]:
    """Return every file that a session of the old layout is made of, itself first."""
    storage = path.parent.parent.parent
    parts = [path]
    for message in sorted((storage / "message" / session_id).glob("*.json")):
        parts.append(message)
        parts.extend(sorted((storage / "part" / message.stem).glob("*.json")))
    return tuple(parts)


def stored_messages(
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
