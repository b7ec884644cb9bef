"""The second pass: each message's lines are read again and put together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any

from generator.exceptions import RecordError
from generator.history.images import Images
from generator.history.importers.base import list_of, object_of, text_of
from generator.history.importers.claude_code.blocks import (
    attachment_of,
    is_block,
    own_text,
    result_text,
    structured_text,
)
from generator.history.importers.claude_code.stored_outputs import stored_outputs
from generator.history.importers.claude_code.transcript import Transcript
from generator.history.tally import share_of
from generator.model.session import Message, ToolCall
from generator.timestamps import parse_time

_AGENT_ID = re.compile(r"\bagentId: ?([A-Za-z0-9_-]+)")


def messages_of(seen: Transcript) -> Iterator[Message]:
    """Read each message's lines again and put it together."""
    stored = stored_outputs(seen)
    for group in seen.groups.values():
        if not group.changed:
            continue
        base = Message(
            n=0,
            id=group.id,
            role="user" if group.role == "user" else "assistant",
            ts=group.ts,
            thread=group.thread,  # type: ignore[arg-type]
            agent=group.agent,
            tokens=group.tokens,
        )
        try:
            records = [seen.lines.at(*place) for place in group.places]
            if group.role == "user":
                message = _prompt(base, records[0], seen.reading.images)
            else:
                message = _reply(base, records, seen, stored)
        except RecordError:
            seen.doubtful = True
            seen.reading.notes.warn("The file changed while it was read; it is read again later.")
            return
        group.share = share_of(message)
        for call in message.calls:
            owner = seen.calls.setdefault(call.id, (group.agent or "", group.id))
            if owner != (group.agent or "", group.id):
                seen.doubtful = True  # a result would complete both
        yield message


def _prompt(base: Message, record: dict[str, Any], images: Images) -> Message:
    content = object_of(record.get("message")).get("content")
    attachments = tuple(
        attachment for block in list_of(content) if (attachment := attachment_of(block, images))
    )
    return replace(base, text=own_text(content), attachments=attachments)


def _reply(
    base: Message,
    records: list[dict[str, Any]],
    seen: Transcript,
    stored: Callable[[str, str], str | None],
) -> Message:
    texts: dict[str, None] = {}
    thoughts: dict[str, None] = {}
    calls: dict[str, ToolCall] = {}
    model = None
    for record in records:
        message = object_of(record.get("message"))
        model = text_of(message.get("model")) or model
        content = message.get("content")
        if isinstance(content, str):
            texts[content] = None
        for number, block in enumerate(list_of(content)):
            if is_block(block, "text"):
                texts[text_of(block.get("text"))] = None
            elif is_block(block, "thinking"):
                thoughts[text_of(block.get("thinking"))] = None
            elif is_block(block, "tool_use", "server_tool_use", "mcp_tool_use"):
                key = text_of(block.get("id")) or f"{base.id}-{len(calls)}-{number}"
                if key not in calls:
                    started = parse_time(record.get("timestamp"), seen.reading.zone) or base.ts
                    calls[key] = _call(key, block, started, seen, stored)
    return replace(
        base,
        text="\n\n".join(text for text in texts if text),
        thinking="\n\n".join(text for text in thoughts if text),
        calls=tuple(calls.values()),
        model=model,
    )


def _call(
    key: str,
    block: dict[str, Any],
    started: datetime | None,
    seen: Transcript,
    stored: Callable[[str, str], str | None],
) -> ToolCall:
    call = ToolCall(
        id=key,
        name=text_of(block.get("name")) or "unknown",
        arguments=block.get("input"),
        started=started,
    )
    place = seen.results.get(key)
    if place is None:
        return call
    record = seen.lines.at(*place)
    structured = record.get("toolUseResult")
    content = list_of(object_of(record.get("message")).get("content"))
    for block_ in content:
        if isinstance(block_, dict) and block_.get("tool_use_id") == key:
            text = result_text(block_.get("content"))
            if not text and block_.get("content") in (None, ""):
                text = structured_text(structured)
            failed = bool(block_.get("is_error")) or is_block(
                block_.get("content"), "web_search_tool_result_error", "tool_result_error"
            )
            child = text_of(object_of(structured).get("agentId"))
            if not child and call.name in ("Task", "Agent"):
                found = _AGENT_ID.search(text)
                child = found.group(1) if found else ""
            return replace(
                call,
                result=stored(key, text) or text,
                attachments=tuple(
                    shown
                    for item in list_of(block_.get("content"))
                    if is_block(item, "image")
                    and (shown := attachment_of(item, seen.reading.images))
                ),
                status="error" if failed else "ok",
                ended=parse_time(record.get("timestamp"), seen.reading.zone) or started,
                child=child or None,
            )
    return call
