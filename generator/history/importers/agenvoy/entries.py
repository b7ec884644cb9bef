"""Messages as ``history.json`` and the database tell them, with the key both agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from generator.exceptions import RecordError
from generator.history.images import Images
from generator.history.importers.agenvoy.preface import without_preface
from generator.history.importers.base import Clock, Reading, list_of, mark_of, object_of, text_of
from generator.history.importers.databases import open_database, select
from generator.history.importers.records import read_whole
from generator.model.session import Attachment, Message
from generator.timestamps import parse_time


@dataclass(slots=True)
class Entry:
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


def keyed(entries: list[Entry]) -> Iterator[Message]:
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


def entries_of(path: Path, identity: str, reading: Reading) -> Iterator[Entry]:
    """Yield the messages of ``history.json``, which may be missing."""
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
        entry = entry_of(row, row.get("sendAt"), reading)
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


def entry_of(row: dict[str, Any], stamp: Any, reading: Reading) -> Entry | None:
    """Read a message of either place; None when it says nothing."""
    role = text_of(row.get("role"))
    if role not in ("user", "assistant"):
        return None
    text, attachments = _content(row.get("content"), reading.images)
    text, preface = without_preface(text)
    if not text.strip():
        return None
    ts = parse_time(stamp, reading.zone) if stamp else None
    mark = ""
    if ts is None and (written := preface.get("time")):
        ts = parse_time(written, reading.zone)
        # Read in another zone it must be the same message.
        zoned = parse_time(written, UTC) == parse_time(written, timezone(timedelta(hours=1)))
        mark = "" if zoned else " ".join(written.split())
    return Entry(
        role=role,
        text=text,
        ts=ts,
        mark=mark,
        sender=text_of(row.get("sender")) or preface.get("sender") or None,
        cwd=preface.get("cwd"),
        attachments=attachments,
    )


def _content(content: Any, images: Images) -> tuple[str, tuple[Attachment, ...]]:
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
            name = text_of(part.get("type")) or "part"
            if address.startswith("data:"):
                attachments.append(images.attachment(name, address))
            else:
                attachments.append(Attachment(name=name, kind="image"))
    return "\n".join(texts), tuple(attachments)


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
                entry = entry_of(row, row["send_at"], reading)
                if entry is not None and entry.ts is not None:
                    times.setdefault((entry.role, entry.text), []).append(entry.ts)
    return times
