"""The second pass over a chat: each message's last state is read again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import list_of, text_of
from generator.history.importers.gemini_cli.chat import TYPES, Chat, Slot, tokens_of
from generator.history.importers.gemini_cli.content import call_of, content_of, response_text
from generator.model.session import Attachment, Event, Message, ToolCall


def messages_of(chat: Chat, events: list[Event]) -> Iterator[Message]:
    """Yield the messages of a chat; notices go to ``events``."""
    main = 0
    outputs: dict[str, Any] = {}
    held: Message | None = None
    for slot in chat.slots.values():
        try:
            record = chat.message(slot)
        except (RecordError, IndexError, KeyError):
            chat.reading.notes.warn("The file changed while it was read; it is read again later.")
            return
        kind = text_of(record.get("type"))
        text, attachments, calls_in_text, responses = content_of(
            record.get("content"), chat.reading.images
        )
        outputs.update(responses)
        message: Message | None = None
        if kind == "user" and (text.strip() or attachments):
            message = Message(
                n=0,
                id=slot.id,
                role="user",
                text=text,
                ts=slot.ts,
                thread="off" if slot.off else "active",
                attachments=tuple(attachments),
            )
        elif kind == "gemini":
            message = _reply(
                chat,
                slot,
                record,
                text=text,
                attachments=attachments,
                calls_in_text=calls_in_text,
            )
        elif kind in TYPES and kind != "user":
            notice = text if not isinstance(record.get("content"), str) else record["content"]
            events.append(Event(id=slot.id, kind="notice", text=notice, ts=slot.ts, after=main))
        elif kind not in TYPES:
            raw = json.dumps(record, ensure_ascii=False)
            events.append(
                Event(id=slot.id, kind=f"opaque:{kind}", text=raw, ts=slot.ts, after=main)
            )
        if held is not None and (message is not None or responses):
            yield _answered(held, outputs)
            held = None
        if message is not None:
            main += 1
            if any(call.status == "unfinished" for call in message.calls):
                held = message
            else:
                yield message
    if held is not None:
        yield _answered(held, outputs)


def _answered(message: Message, outputs: dict[str, Any]) -> Message:
    """Give calls that stand in the text their results, which come in the next user record."""
    calls = []
    for call in message.calls:
        if call.status == "unfinished" and call.id in outputs:
            text, failed = response_text(outputs[call.id])
            calls.append(replace(call, result=text, status="error" if failed else "ok"))
        else:
            calls.append(call)
    return replace(message, calls=tuple(calls))


def _reply(
    chat: Chat,
    slot: Slot,
    record: dict[str, Any],
    *,
    text: str,
    attachments: list[Attachment],
    calls_in_text: list[dict[str, Any]],
) -> Message | None:
    thoughts = [
        ": ".join(filter(None, (text_of(item.get("subject")), text_of(item.get("description")))))
        for item in list_of(record.get("thoughts"))
        if isinstance(item, dict)
    ]
    calls = [
        call_of(call, f"{slot.id}-{number}", chat.reading)
        for number, call in enumerate(list_of(record.get("toolCalls")), start=1)
        if isinstance(call, dict)
    ]
    known = {call.id for call in calls}
    for number, call in enumerate(calls_in_text, start=1):
        key = text_of(call.get("id")) or text_of(call.get("name")) or f"{slot.id}-c{number}"
        if key not in known and not calls:
            known.add(key)
            calls.append(
                ToolCall(id=key, name=text_of(call.get("name")), arguments=call.get("args"))
            )
    tokens = tokens_of(record.get("tokens"))
    if not (text.strip() or thoughts or calls or attachments or tokens):
        return None
    return Message(
        n=0,
        id=slot.id,
        role="assistant",
        text=text,
        thinking="\n\n".join(thought for thought in thoughts if thought),
        ts=slot.ts,
        model=text_of(record.get("model")) or None,
        thread="off" if slot.off else "active",
        calls=tuple({call.id: call for call in calls}.values()),
        attachments=tuple(attachments),
        tokens=tokens,
    )
