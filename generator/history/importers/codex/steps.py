"""The records of a rollout, of any generation, in the shape of the newest one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from generator.history.importers.base import Reading, list_of, object_of, text_of
from generator.history.importers.records import JsonLines, Line, read_whole

ENVELOPES = frozenset(
    [
        "session_meta",
        "turn_context",
        "response_item",
        "event_msg",
        "compacted",
        "world_state",
        "token_usage_record",
    ]
)
ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "local_shell_call_output",
        "web_search_call",
        "compaction",
        "compaction_summary",
        "ghost_snapshot",
        "tool_search_call",
        "tool_search_output",
        "other",
        "mcp_tool_call",
        "mcp_tool_call_output",
        "image_generation_call",
        "context_compaction",
    ]
)
CALLS = frozenset(
    [
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "mcp_tool_call",
        "tool_search_call",
        "image_generation_call",
    ]
)


@dataclass(frozen=True, slots=True)
class Step:
    """One record in the shape of the newest generation."""

    number: int
    place: tuple[int, int]
    kind: str
    payload: dict[str, Any]
    stamp: Any


class Steps:
    """The records of a rollout of any generation."""

    def __init__(
        self, handle: BinaryIO, kind: str, reading: Reading, lines: JsonLines | None = None
    ) -> None:
        self.reading = reading
        self._items: list[Any] | None = None
        self._session: dict[str, Any] = {}
        self._lines: JsonLines | None = None
        if kind == "object":
            whole = object_of(read_whole(handle, reading.notes))
            self._items, self._session = list_of(whole.get("items")), object_of(whole["session"])
        else:
            self._lines = lines or JsonLines(handle, reading.notes)

    def __iter__(self) -> Iterator[Step]:
        if self._items is not None:
            self.reading.notes.records += 1 + len(self._items)
            yield Step(0, (0, 0), "session_meta", self._session, self._session.get("timestamp"))
            for index, item in enumerate(self._items):
                if isinstance(item, dict):
                    yield _bare_step(index + 1, (index, 1), item)
                else:
                    self.reading.notes.skip(index + 1, "not an object")
            return
        assert self._lines is not None
        for line in self._lines:
            yield _step(line)

    def is_unfinished(self, step: Step) -> bool:
        """Tell whether a record stands in a line that is not ended yet."""
        return self._lines is not None and step.place[0] >= self._lines.end

    def payload(self, place: tuple[int, int]) -> dict[str, Any]:
        """Read one record's payload again."""
        if self._items is not None:
            return object_of(self._items[place[0]])
        assert self._lines is not None
        value = self._lines.at(*place)
        return object_of(value["payload"]) if "payload" in value else value


def _step(line: Line) -> Step:
    record = line.value
    place = (line.start, line.length)
    if "payload" in record:
        kind = text_of(record.get("type"))
        payload = object_of(record.get("payload"))
        return Step(line.number, place, kind, payload, record.get("timestamp"))
    return _bare_step(line.number, place, record)


def _bare_step(number: int, place: tuple[int, int], record: dict[str, Any]) -> Step:
    kind = text_of(record.get("type"))
    stamp = record.get("timestamp")
    if record.get("record_type") is not None:
        return Step(number, place, "state", record, stamp)
    if not kind and "id" in record:
        return Step(number, place, "session_meta", record, stamp)
    if kind == "compacted":
        return Step(number, place, "compacted", record, stamp)
    return Step(number, place, "response_item", record, stamp)
