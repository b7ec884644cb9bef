"""A Wolffish conversation: one JSON object whose messages hold segments.

An assistant's ``content`` repeats its text deltas; ``stats`` repeats the ledger. Segments with
a ``worker`` tag are the words and calls of a subagent and become a sidechain.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import (
    Clock,
    Parsed,
    Reading,
    Unit,
    list_of,
    mark_of,
    moment_of,
    object_of,
    text_of,
)
from generator.history.importers.records import read_whole
from generator.model.session import (
    Attachment,
    CallStatus,
    Event,
    Head,
    Message,
    SubagentInfo,
    ToolCall,
)
from generator.timestamps import parse_time

_STATUS: dict[str, CallStatus] = {"success": "ok", "failed": "error", "denied": "denied"}
_SEGMENTS = frozenset(
    [
        "text",
        "tool_call",
        "tool_result",
        "active_model",
        "turn_end",
        "workflow",
        "task",
        "thinking",
        "reasoning",
    ]
)


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the conversation of a file."""
    with unit.open() as handle:
        try:
            whole = read_whole(handle, reading.notes)
        except RecordError as error:
            reading.notes.skip(1, str(error))
            return
    conversation = object_of(whole)
    if not isinstance(conversation.get("messages"), list):
        reading.notes.skip(1, "not a conversation")
        return
    events: list[Event] = []
    messages = list(_messages(conversation, events, reading))
    workers = dict.fromkeys(message.agent for message in messages if message.agent)
    updated = parse_time(conversation.get("updatedAt"), reading.zone)
    if text_of(conversation.get("summary")):
        events.append(Event(id="summary", kind="compaction", text=conversation["summary"]))
    yield Parsed(
        head=Head(
            id=text_of(conversation.get("id")) or unit.path.stem.removeprefix("conv-"),
            agent="wolffish",
            title=text_of(conversation.get("title")) or None,
            channel=text_of(conversation.get("channel")) or "electron",
            created=parse_time(conversation.get("createdAt"), reading.zone),
            updated=updated,
            subagents=tuple(SubagentInfo(id=worker) for worker in workers),
        ),
        messages=messages,
        events=events,
        snapshot=True,
        precedence=(0, moment_of(updated)),
    )


def _messages(
    conversation: dict[str, Any], events: list[Event], reading: Reading
) -> Iterator[Message]:
    clock = Clock()
    seen: set[str] = set()
    shown = 0
    for index, record in enumerate(conversation["messages"], start=1):
        if not isinstance(record, dict):
            reading.notes.skip(index, "not an object")
            continue
        reading.notes.records += 1
        ts = clock.take(parse_time(record.get("timestamp"), reading.zone))
        role = text_of(record.get("role"))
        content = record.get("content")
        said = content if isinstance(content, str) else ""
        key = text_of(record.get("id")) or f"{record.get('timestamp')}-{role}-{mark_of(said)}"
        if role not in ("user", "assistant") or key in seen:
            if role not in ("user", "assistant", "system"):
                reading.notes.opaque += 1
            continue
        seen.add(key)
        segments = [item for item in list_of(record.get("segments")) if isinstance(item, dict)]
        own = [segment for segment in segments if not segment.get("worker")]
        message = Message(
            n=0,
            id=key,
            role="user" if role == "user" else "assistant",
            text=said if said.strip() else _deltas(own, "text"),
            thinking=_deltas(own, "thinking") or _deltas(own, "reasoning"),
            ts=ts,
            model=_model(own) if role == "assistant" else None,
            calls=tuple(_calls(own, key, ts)),
            attachments=tuple(_attachments(record)),
        )
        if record.get("error"):
            error = record["error"]
            text = error if isinstance(error, str) else json.dumps(error, ensure_ascii=False)
            events.append(Event(id=f"{key}-error", kind="notice", text=text, ts=ts, after=shown))
        for segment in segments:
            if text_of(segment.get("kind")) not in _SEGMENTS:
                reading.notes.warn(f"Segments of an unknown kind: {segment.get('kind')}.")
        if message.text.strip() or message.thinking or message.calls or message.attachments:
            shown += 1
            yield message
        yield from _workers(segments, key, message)


def _workers(segments: list[dict[str, Any]], key: str, message: Message) -> Iterator[Message]:
    """Yield what subagents said inside a message, one message a worker."""
    names = dict.fromkeys(_worker(segment) for segment in segments if segment.get("worker"))
    for name in names:
        theirs = [item for item in segments if item.get("worker") and _worker(item) == name]
        text = _deltas(theirs, "text")
        calls = tuple(_calls(theirs, f"{key}-{name}", message.ts))
        if text or calls:
            yield Message(
                n=0,
                id=key,
                role="assistant",
                text=text,
                ts=message.ts,
                model=_model(theirs) or message.model,
                thread="side",
                agent=name,
                calls=calls,
            )


def _worker(segment: dict[str, Any]) -> str:
    tag = segment["worker"]
    named = object_of(tag).get("id") or object_of(tag).get("name") or tag
    return named if isinstance(named, str) else f"worker-{mark_of(json.dumps(named))[:6]}"


def _deltas(segments: list[dict[str, Any]], kind: str) -> str:
    return "".join(text_of(item.get("delta")) for item in segments if item.get("kind") == kind)


def _model(segments: list[dict[str, Any]]) -> str | None:
    models = [text_of(item.get("model")) for item in segments if item.get("kind") == "active_model"]
    return next((model for model in reversed(models) if model), None)


def _calls(segments: list[dict[str, Any]], made: str, ts: Any) -> Iterator[ToolCall]:
    results = {
        text_of(item.get("toolCallId")): item
        for item in segments
        if item.get("kind") == "tool_result"
    }
    seen: set[str] = set()
    for number, item in enumerate(segments):
        if item.get("kind") != "tool_call":
            continue
        key = text_of(item.get("toolCallId")) or f"{made}-{number}"
        if key in seen:
            continue
        seen.add(key)
        result = results.get(key)
        text = None
        status: CallStatus = "unfinished"
        if result is not None:
            status = _STATUS.get(text_of(result.get("status")), "ok")
            pieces = (result.get("output"), result.get("error"))
            text = "\n".join(
                piece if isinstance(piece, str) else json.dumps(piece, ensure_ascii=False)
                for piece in pieces
                if piece
            )
        yield ToolCall(
            id=key,
            name=text_of(item.get("name")) or "unknown",
            arguments=item.get("args"),
            result=text,
            status=status,
            started=ts,
        )


def _attachments(record: dict[str, Any]) -> Iterator[Attachment]:
    for item in list_of(record.get("attachments")):
        values = object_of(item)
        name = text_of(values.get("name")) or text_of(values.get("path")) or text_of(item)
        size = values.get("size")
        yield Attachment(
            name=name or "attachment",
            kind=text_of(values.get("mimeType")) or text_of(values.get("type")) or None,
            size=size if isinstance(size, int) else None,
        )
