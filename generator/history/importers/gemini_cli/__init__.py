"""Gemini CLI sessions: one JSON object (old), or JSON Lines with updates and rewinds (new).

A line with a known message id replaces the message and keeps its place; ``$set`` with messages
replaces the whole list; ``$rewindTo`` takes a message and all after it off the thread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.history.importers.base import (
    Parsed,
    Reading,
    Sample,
    Unit,
    list_of,
    moment_of,
    project_of,
    text_of,
)
from generator.history.importers.gemini_cli.chat import Chat
from generator.history.importers.gemini_cli.messages import messages_of
from generator.model.session import Event, Head
from generator.timestamps import parse_time

FORMAT = "gemini-cli"

_HASH = re.compile(r"[0-9a-f]{8,64}")


def recognise(sample: Sample) -> bool:
    """Tell whether a file holds this format's records, old or new."""
    if sample.kind == "object":
        return any(
            "sessionId" in record and "messages" in record and "startTime" in record
            for record in sample.records
        )
    if sample.kind != "lines":
        return False
    return any(
        ("sessionId" in record and "projectHash" in record)
        or "$rewindTo" in record
        or (record.get("type") == "gemini" and "id" in record and "content" in record)
        or ("$set" in record and isinstance(record["$set"], dict))
        for record in sample.records
    )


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session of a file."""
    with unit.open() as handle:
        chat = Chat(unit, handle, reading)
        if not chat.meta and not chat.slots:
            return
        events: list[Event] = []
        directories = [
            text for item in list_of(chat.meta.get("directories")) if (text := text_of(item))
        ]
        cwd = directories[0] if directories else None
        started = parse_time(chat.meta.get("startTime"), reading.zone)
        ended = parse_time(chat.meta.get("lastUpdated"), reading.zone)
        # The first line of the new form keeps the time of the old form that it was resumed from.
        updated = max(filter(None, (ended, chat.clock.latest)), default=None)
        yield Parsed(
            head=Head(
                id=text_of(chat.meta.get("sessionId")) or unit.path.stem,
                agent=FORMAT,
                title=text_of(chat.meta.get("summary")) or None,
                cwd=cwd,
                project=project_of(cwd) or _named_project(unit.path),
                parent=_parent(unit.path, chat.meta),
                created=min(filter(None, (started, chat.clock.first)), default=None),
                updated=updated,
            ),
            messages=messages_of(chat, events),
            events=events,
            snapshot=True,
            precedence=(0, moment_of(updated)),
        )


def _named_project(path: Path) -> str | None:
    """Return the project's folder name, which is a hash in older versions."""
    for parent in path.parents:
        if parent.name == "chats":
            name = parent.parent.name
            return None if _HASH.fullmatch(name) else name or None
    return None


def _parent(path: Path, meta: dict[str, Any]) -> str | None:
    """Return the session that started a subagent: its chat lies in the parent's folder."""
    if path.parent.parent.name == "chats" and path.parent.name != text_of(meta.get("sessionId")):
        return path.parent.name
    return None
