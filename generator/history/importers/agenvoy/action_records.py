"""Action records: one file a run, named for the minute it ended and its task."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from generator.history.importers.base import Reading, list_of, object_of, text_of
from generator.model.session import ActionRecord, ToolCall
from generator.timestamps import parse_time

RECORD_NAME = re.compile(r"(\d{4}-\d{2}-\d{2})-(\d{2})-(\d{2})-(.+)\.json")


def action_of(path: Path, record: dict[str, Any], reading: Reading) -> ActionRecord:
    """Read one action record."""
    named = RECORD_NAME.fullmatch(path.name)
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
