"""Messages with their parts, the same in every layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from generator.history.images import Images
from generator.history.importers.base import Reading, count_of, list_of, object_of, text_of
from generator.model.session import (
    Attachment,
    CallStatus,
    Event,
    Message,
    Tokens,
    ToolCall,
)
from generator.timestamps import parse_time

_STATUS: dict[str, CallStatus] = {"completed": "ok", "error": "error"}
_PARTS = frozenset(
    [
        "text",
        "reasoning",
        "tool",
        "file",
        "step-start",
        "step-finish",
        "snapshot",
        "patch",
        "agent",
        "subtask",
        "retry",
        "compaction",
    ]
)


def messages_of(
    records: Iterator[tuple[dict[str, Any], list[Any]]],
    revert: str | None,
    events: list[Event],
    reading: Reading,
) -> Iterator[Message]:
    """Yield the messages of a session; compactions go to ``events``."""
    reverted = False
    shown = 0
    seen: set[str] = set()
    for info, parts in records:
        key = text_of(info.get("id"))
        if not key or key in seen:
            reading.audit.drop("the same message twice in one source")
            continue
        seen.add(key)
        reverted = reverted or key == revert
        message = _message(info, [part for part in parts if isinstance(part, dict)], reading)
        if message is None:
            continue
        if info.get("summary") is True:
            events.append(
                Event(id=key, kind="compaction", text=message.text, ts=message.ts, after=shown)
            )
            if message.tokens is None:
                continue
            # Writing the summary was paid for.
            message = Message(
                n=0,
                id=key,
                role="assistant",
                ts=message.ts,
                model=message.model,
                tokens=message.tokens,
                cost=message.cost,
                partial=True,
                thread="off" if reverted else "active",
            )
        elif reverted:
            message = replace(message, thread="off")
        shown += 1
        yield message


def _message(info: dict[str, Any], parts: list[dict[str, Any]], reading: Reading) -> Message | None:
    zone = reading.zone
    texts: list[str] = []
    thoughts: list[str] = []
    calls: dict[str, ToolCall] = {}
    attachments: list[Attachment] = []
    for part in parts:
        kind = text_of(part.get("type"))
        if kind == "text":
            if not part.get("synthetic") and not part.get("ignored"):
                texts.append(text_of(part.get("text")))
        elif kind == "reasoning":
            thoughts.append(text_of(part.get("text")))
        elif kind == "tool":
            call = _call(part, zone, reading.images)
            calls.setdefault(call.id, call)
        elif kind == "file":
            attachments.append(_file(part, reading.images))
        elif kind == "step-finish":
            if tokens := _tokens(part.get("tokens")):
                reading.audit.line(tokens)
                reading.audit.drop("tokens of a step, which its message already counts")
        elif kind not in _PARTS:
            reading.notes.opaque += 1
    role = text_of(info.get("role"))
    if role not in ("user", "assistant"):
        reading.notes.opaque += 1
        return None
    text = "\n\n".join(piece for piece in texts if piece)
    created = parse_time(object_of(info.get("time")).get("created"), zone)
    if role == "user":
        if not text.strip() and not attachments:
            return None
        return Message(
            n=0,
            id=text_of(info["id"]),
            role="user",
            text=text,
            ts=created,
            attachments=tuple(attachments),
        )
    tokens = _tokens(info.get("tokens"))
    if tokens is not None:
        reading.audit.line(tokens)
    thinking = "\n\n".join(thought for thought in thoughts if thought)
    empty = not (text.strip() or thinking or calls or attachments)
    if empty and not (tokens and tokens.total):
        return None
    cost = info.get("cost")
    return Message(
        n=0,
        id=text_of(info["id"]),
        role="assistant",
        text=text,
        thinking=thinking,
        ts=created,
        model=text_of(info.get("modelID"))
        or text_of(object_of(info.get("model")).get("modelID"))
        or None,
        calls=tuple(calls.values()),
        attachments=tuple(attachments),
        tokens=tokens,
        cost=float(cost) if isinstance(cost, int | float) and 0 < cost < 1e9 else None,
        partial=empty,
    )


def _file(part: dict[str, Any], images: Images) -> Attachment:
    name = text_of(part.get("filename")) or "file"
    kind = text_of(part.get("mime")) or None
    address = text_of(part.get("url"))
    if address.startswith("data:"):
        return images.attachment(name, address, kind)
    return Attachment(name=name, kind=kind)


def _call(part: dict[str, Any], zone: tzinfo, images: Images) -> ToolCall:
    state = object_of(part.get("state"))
    times = object_of(state.get("time"))
    status = _STATUS.get(text_of(state.get("status")), "unfinished")
    result = text_of(state.get("output")) if status == "ok" else text_of(state.get("error"))
    child = object_of(state.get("metadata")).get("sessionId")
    return ToolCall(
        id=text_of(part.get("callID")) or text_of(part.get("id")),
        name=text_of(part.get("tool")) or "unknown",
        arguments=state.get("input"),
        result=result if status != "unfinished" else None,
        status=status,
        started=parse_time(times.get("start"), zone),
        ended=parse_time(times.get("end"), zone),
        child=text_of(child) or None,
        attachments=tuple(
            _file(item, images)
            for item in list_of(state.get("attachments"))
            if isinstance(item, dict)
        ),
    )


def _tokens(tokens: Any) -> Tokens | None:
    """Map the numbers; whether reasoning stands inside output shows in the total."""
    if not isinstance(tokens, dict):
        return None
    cache = object_of(tokens.get("cache"))
    fresh, output, reasoning, total = (
        count_of(tokens.get(name)) for name in ("input", "output", "reasoning", "total")
    )
    read_, written = count_of(cache.get("read")), count_of(cache.get("write"))
    inside = total is not None and total == sum(
        part or 0 for part in (fresh, output, read_, written)
    )
    if output is not None and not inside:
        output += reasoning or 0
    return Tokens(input=fresh, output=output, cache_read=read_, cache_write=written)
