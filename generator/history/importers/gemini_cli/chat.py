"""The first pass over a chat: which line holds the last state of each message."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from generator.history.importers.base import (
    Clock,
    Reading,
    Unit,
    count_of,
    list_of,
    object_of,
    text_of,
)
from generator.history.importers.records import JsonLines, read_whole
from generator.model.session import Tokens
from generator.timestamps import parse_time

TYPES = frozenset({"user", "gemini", "info", "warning", "error"})
_META = ("sessionId", "projectHash", "startTime", "lastUpdated", "summary", "kind", "directories")


@dataclass(slots=True)
class Slot:
    """A message's place in the thread and in the file.

    ``index`` is its place in a ``$set`` list or in the old form's list; -1 for a line of its own.
    """

    id: str
    start: int
    length: int
    index: int = -1
    off: bool = False
    shown: bool = True
    ts: datetime | None = None


class Chat:
    """The first pass: which line holds the last state of each message."""

    def __init__(self, unit: Unit, handle: Any, reading: Reading) -> None:
        self.reading = reading
        self.meta: dict[str, Any] = {}
        self.slots: dict[str, Slot] = {}
        self.clock = Clock()
        self.whole: dict[str, Any] | None = None
        self.lines: JsonLines | None = None
        if unit.kind == "object":
            self.whole = object_of(read_whole(handle, reading.notes))
            self._take_meta(self.whole)
            for index, message in enumerate(list_of(self.whole.get("messages"))):
                if isinstance(message, dict):
                    reading.notes.records += 1
                    self._take_message(message, 0, 0, index)
                else:
                    reading.notes.skip(index + 1, "not an object")
            return
        self.lines = JsonLines(handle, reading.notes)
        for line in self.lines:
            self._take(line.value, line.start, line.length)

    def _take(self, record: dict[str, Any], start: int, length: int) -> None:
        if "$rewindTo" in record:
            self._rewind(text_of(record["$rewindTo"]))
        elif "$set" in record:
            update = object_of(record["$set"])
            self._take_meta(update)
            if isinstance(update.get("messages"), list):
                for slot in self.slots.values():
                    slot.off = True
                for index, message in enumerate(update["messages"]):
                    if isinstance(message, dict):
                        self._take_message(message, start, length, index)
        elif "sessionId" in record and "type" not in record:
            self._take_meta(record)
            for index, message in enumerate(list_of(record.get("messages"))):
                if isinstance(message, dict):
                    self._take_message(message, start, length, index)
        else:
            self._take_message(record, start, length, -1)

    def _take_meta(self, record: dict[str, Any]) -> None:
        self.meta.update({name: record[name] for name in _META if name in record})

    def _take_message(self, record: dict[str, Any], start: int, length: int, index: int) -> None:
        if text_of(record.get("type")) not in TYPES:
            self.reading.notes.opaque += 1
        key = text_of(record.get("id")) or f"at-{start}-{index}"
        if record.get("type") == "gemini":
            tokens = tokens_of(record.get("tokens"))
            if tokens is not None:
                self.reading.audit.line(tokens)
        slot = self.slots.get(key)
        if slot is not None and slot.off and index < 0:
            # It was rewound and comes again: a new place on the thread.
            del self.slots[key]
            slot = None
        if slot is None:
            slot = self.slots[key] = Slot(key, start, length, index)
        elif record.get("type") == "gemini":
            self.reading.audit.drop("an earlier state of the same message")
        slot.start, slot.length, slot.index, slot.off = start, length, index, False
        slot.ts = self.clock.take(parse_time(record.get("timestamp"), self.reading.zone))

    def _rewind(self, target: str) -> None:
        found = self.slots.get(target)
        taken = found is None or found.off
        for slot in self.slots.values():
            taken = taken or slot.id == target
            slot.off = slot.off or taken

    def message(self, slot: Slot) -> dict[str, Any]:
        """Read one message again."""
        if self.whole is not None:
            return object_of(self.whole["messages"][slot.index])
        assert self.lines is not None
        record = self.lines.at(slot.start, slot.length)
        if slot.index < 0:
            return record
        holder = object_of(record.get("$set")) if "$set" in record else record
        return object_of(list_of(holder.get("messages"))[slot.index])


def tokens_of(tokens: Any) -> Tokens | None:
    """Map the six numbers; whether input includes the cached ones shows in the total."""
    if not isinstance(tokens, dict):
        return None
    whole, output, cached, thoughts, tool, total = (
        count_of(tokens.get(name))
        for name in ("input", "output", "cached", "thoughts", "tool", "total")
    )
    if whole is None and output is None and cached is None:
        return None
    without = (whole or 0) + (output or 0) + (thoughts or 0) + (tool or 0)
    apart = bool(cached) and total == without + (cached or 0)
    fresh = None
    if whole is not None:
        fresh = max(whole - (0 if apart else cached or 0), 0) + (tool or 0)
    return Tokens(
        input=fresh,
        output=None if output is None and thoughts is None else (output or 0) + (thoughts or 0),
        cache_read=cached,
    )
