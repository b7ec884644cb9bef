"""Claude.ai account exports: an array of conversations with their messages in a list.

Calls and results stand inside one assistant message, at times without ids; branches show only
through ``parent_message_uuid``; pasted text lives in ``extracted_content`` alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import tzinfo
from typing import Any

from generator.history.importers.base import (
    Clock,
    Parsed,
    Reading,
    Sample,
    Unit,
    count_of,
    list_of,
    moment_of,
    object_of,
    text_of,
)
from generator.history.importers.media import Media
from generator.history.importers.records import array_elements
from generator.model.session import Attachment, Head, Message, ToolCall
from generator.timestamps import parse_time

FORMAT = "claude-ai"

_ROLES = {"human": "user", "assistant": "assistant"}
_ROOT = "00000000-0000-4000-8000-000000000000"


def recognise(sample: Sample) -> bool:
    """Tell whether a file is such an array."""
    return sample.kind == "array" and any("chat_messages" in record for record in sample.records)


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield every conversation of an export."""
    media = Media(unit.path, reading.images)
    with unit.open() as handle:
        for number, conversation in array_elements(handle, reading.notes):
            if not isinstance(conversation.get("chat_messages"), list):
                reading.notes.opaque += 1
                continue
            updated = parse_time(conversation.get("updated_at"), reading.zone)
            project = conversation.get("project")
            yield Parsed(
                head=Head(
                    id=text_of(conversation.get("uuid")) or f"{unit.path.stem}-{number}",
                    agent=FORMAT,
                    title=text_of(conversation.get("name"))
                    or text_of(conversation.get("summary"))
                    or None,
                    project=text_of(object_of(project).get("name")) or text_of(project) or None,
                    created=parse_time(conversation.get("created_at"), reading.zone),
                    updated=updated,
                ),
                messages=_messages(conversation, reading, media),
                snapshot=True,
                complete=True,
                precedence=(0, moment_of(updated)),
            )


def _messages(conversation: dict[str, Any], reading: Reading, media: Media) -> Iterator[Message]:
    records = [record for record in conversation["chat_messages"] if isinstance(record, dict)]
    active = _active(records, conversation.get("current_leaf_message_uuid"), reading.zone)
    model = text_of(conversation.get("model")) or None
    clock = Clock()
    for index, record in enumerate(records):
        ts = clock.take(parse_time(record.get("created_at"), reading.zone))
        role = _ROLES.get(text_of(record.get("sender")))
        if role is None:
            reading.notes.opaque += 1
            continue
        message = Message(
            n=0,
            id=text_of(record.get("uuid")) or f"at-{index}",
            role="user" if role == "user" else "assistant",
            ts=ts,
            model=(text_of(record.get("model")) or model) if role == "assistant" else None,
            thread="active" if index in active else "off",
            attachments=tuple(_attachments(record, media)),
        )
        message = _with_blocks(message, record)
        if message.text.strip() or message.thinking or message.calls or message.attachments:
            yield message


def _active(records: list[dict[str, Any]], leaf: Any, zone: tzinfo) -> set[int]:
    """Return the places of the messages on the thread."""
    if not any(text_of(record.get("parent_message_uuid")) for record in records):
        return set(range(len(records)))
    places = {text_of(record.get("uuid")): index for index, record in enumerate(records)}
    parents: list[int | None] = []
    for index, record in enumerate(records):
        parent = text_of(record.get("parent_message_uuid"))
        if parent in places and places[parent] != index:
            parents.append(places[parent])
        elif parent == _ROOT or index == 0:
            parents.append(None)
        else:
            parents.append(index - 1)  # the parent is missing: what stands before it
    at: int | None
    if isinstance(leaf, str) and leaf in places:
        at = places[leaf]
    else:
        with_children = set(parents)
        leaves = [index for index in range(len(records)) if index not in with_children]
        stamps = [parse_time(record.get("created_at"), zone) for record in records]
        at = max(
            leaves or range(len(records)),
            key=lambda index: (moment.timestamp() if (moment := stamps[index]) else 0.0, index),
        )
    chain: set[int] = set()
    while at is not None and at not in chain:
        chain.add(at)
        at = parents[at]
    return chain


def _attachments(record: dict[str, Any], media: Media) -> Iterator[Attachment]:
    for item in list_of(record.get("attachments")):
        values = object_of(item)
        yield Attachment(
            name=text_of(values.get("file_name")) or "attachment",
            kind=text_of(values.get("file_type")) or None,
            size=count_of(values.get("file_size")),
            text=text_of(values.get("extracted_content")),
        )
    for item in list_of(record.get("files")):
        values = object_of(item)
        name = text_of(values.get("file_name")) or "file"
        yield media.attachment(text_of(values.get("file_uuid")), name)


def _with_blocks(message: Message, record: dict[str, Any]) -> Message:
    blocks = [block for block in list_of(record.get("content")) if isinstance(block, dict)]
    if not blocks:
        return replace(message, text=text_of(record.get("text")))
    texts: list[str] = []
    thoughts: list[str] = []
    calls: list[ToolCall] = []
    for number, block in enumerate(blocks, start=1):
        kind = text_of(block.get("type"))
        if kind == "text":
            texts.append(text_of(block.get("text")))
        elif kind == "thinking":
            thoughts.append(text_of(block.get("thinking")))
        elif kind == "tool_use":
            key = text_of(block.get("id"))
            if key and any(call.id == key for call in calls):
                continue
            calls.append(
                ToolCall(
                    id=key or f"{message.id}-{number}",
                    name=text_of(block.get("name")) or "unknown",
                    arguments=block.get("input"),
                    started=message.ts,
                )
            )
        elif kind == "tool_result":
            _pair(calls, block, message)
    return replace(
        message,
        text="\n\n".join(text for text in texts if text),
        thinking="\n\n".join(thought for thought in thoughts if thought),
        calls=tuple(calls),
    )


def _pair(calls: list[ToolCall], block: dict[str, Any], message: Message) -> None:
    """Give a result to its call: by id, else to the first open one of its name, if it has one."""
    key, name = text_of(block.get("tool_use_id")), text_of(block.get("name"))
    by_id = bool(key) and any(call.id == key for call in calls)
    for index, call in enumerate(calls):
        if call.status != "unfinished":
            continue
        if call.id != key if by_id else name not in ("", call.name):
            continue
        calls[index] = replace(
            call,
            result=_result_text(block.get("content")),
            status="error" if block.get("is_error") else "ok",
            ended=message.ts,
        )
        return


def _result_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    pieces = []
    for piece in list_of(content):
        if isinstance(piece, str):
            pieces.append(piece)
        elif isinstance(piece, dict):
            pieces.append(text_of(piece.get("text")) or json.dumps(piece, ensure_ascii=False))
    return "\n".join(pieces)
