"""Gemini CLI sessions: one JSON object (old), or JSON Lines with updates and rewinds (new).

A line with a known message id replaces the message and keeps its place; ``$set`` with messages
replaces the whole list; ``$rewindTo`` takes a message and all after it off the thread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from generator.exceptions import RecordError
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
    project_of,
    text_of,
)
from generator.history.importers.records import JsonLines, read_whole
from generator.model.session import (
    Attachment,
    CallStatus,
    Event,
    Head,
    Message,
    Tokens,
    ToolCall,
)
from generator.timestamps import parse_time

FORMAT = "gemini-cli"

_TYPES = frozenset({"user", "gemini", "info", "warning", "error"})
_HASH = re.compile(r"[0-9a-f]{8,64}")
_STATUS: dict[str, CallStatus] = {"success": "ok", "error": "error", "cancelled": "cancelled"}
_META = ("sessionId", "projectHash", "startTime", "lastUpdated", "summary", "kind", "directories")


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


@dataclass(slots=True)
class _Slot:
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


class _Chat:
    """The first pass: which line holds the last state of each message."""

    def __init__(self, unit: Unit, handle: Any, reading: Reading) -> None:
        self.reading = reading
        self.meta: dict[str, Any] = {}
        self.slots: dict[str, _Slot] = {}
        self.clock = Clock()
        self.whole: dict[str, Any] | None = None
        self.lines: JsonLines | None = None
        self._generation = 0
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
        if text_of(record.get("type")) not in _TYPES:
            self.reading.notes.opaque += 1
        key = text_of(record.get("id")) or f"at-{start}-{index}"
        if record.get("type") == "gemini":
            tokens = _tokens(record.get("tokens"))
            if tokens is not None:
                self.reading.audit.line(tokens)
        slot = self.slots.get(key)
        if slot is not None and slot.off and index < 0:
            # It was rewound and comes again: a new place on the thread.
            del self.slots[key]
            slot = None
        if slot is None:
            slot = self.slots[key] = _Slot(key, start, length, index)
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

    def message(self, slot: _Slot) -> dict[str, Any]:
        """Read one message again."""
        if self.whole is not None:
            return object_of(self.whole["messages"][slot.index])
        assert self.lines is not None
        record = self.lines.at(slot.start, slot.length)
        if slot.index < 0:
            return record
        holder = object_of(record.get("$set")) if "$set" in record else record
        return object_of(list_of(holder.get("messages"))[slot.index])


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session of a file."""
    with unit.open() as handle:
        chat = _Chat(unit, handle, reading)
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
            messages=_messages(chat, events),
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


def _messages(chat: _Chat, events: list[Event]) -> Iterator[Message]:
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
        text, attachments, calls_in_text, responses = _content(record.get("content"))
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
        elif kind in _TYPES and kind != "user":
            notice = text if not isinstance(record.get("content"), str) else record["content"]
            events.append(Event(id=slot.id, kind="notice", text=notice, ts=slot.ts, after=main))
        elif kind not in _TYPES:
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
            text, failed = _response_text(outputs[call.id])
            calls.append(replace(call, result=text, status="error" if failed else "ok"))
        else:
            calls.append(call)
    return replace(message, calls=tuple(calls))


def _content(
    content: Any,
) -> tuple[str, list[Attachment], list[dict[str, Any]], dict[str, Any]]:
    """Take content apart: text, attachments, calls and responses by call id."""
    texts: list[str] = []
    attachments: list[Attachment] = []
    calls: list[dict[str, Any]] = []
    responses: dict[str, Any] = {}
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            texts.append(part)
            continue
        if not isinstance(part, dict):
            continue
        texts.append(text_of(part.get("text")))
        if isinstance(part.get("inlineData"), dict):
            data = part["inlineData"]
            kind = text_of(data.get("mimeType")) or None
            size = len(text_of(data.get("data"))) * 3 // 4
            attachments.append(Attachment(name="inline data", kind=kind, size=size))
        elif isinstance(part.get("fileData"), dict):
            name = text_of(part["fileData"].get("fileUri")) or "file"
            kind = text_of(part["fileData"].get("mimeType")) or None
            attachments.append(Attachment(name=name, kind=kind))
        if isinstance(part.get("functionCall"), dict):
            calls.append(part["functionCall"])
        if isinstance(part.get("functionResponse"), dict):
            answer = part["functionResponse"]
            key = text_of(answer.get("id")) or text_of(answer.get("name"))
            responses[key] = answer.get("response")
    return "".join(texts), attachments, calls, responses


def _reply(
    chat: _Chat,
    slot: _Slot,
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
        _call(call, f"{slot.id}-{number}", chat.reading)
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
    tokens = _tokens(record.get("tokens"))
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


def _call(call: dict[str, Any], made: str, reading: Reading) -> ToolCall:
    pieces = []
    failed = False
    result = call.get("result")
    for part in result if isinstance(result, list) else [result]:
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, dict):
            answer = part.get("functionResponse")
            if isinstance(answer, dict):
                text, part_failed = _response_text(answer.get("response"))
                failed = failed or part_failed
                pieces.append(text)
            else:
                pieces.append(text_of(part.get("text")))
    state = text_of(call.get("status"))
    status = _STATUS.get(state, "unfinished")
    if not state and pieces:
        status = "error" if failed else "ok"
    return ToolCall(
        id=text_of(call.get("id")) or made,
        name=text_of(call.get("name")) or "unknown",
        arguments=call.get("args"),
        result="\n".join(piece for piece in pieces if piece) if pieces else None,
        status=status,
        started=parse_time(call.get("timestamp"), reading.zone),
        child=text_of(call.get("agentId")) or None,
    )


def _response_text(response: Any) -> tuple[str, bool]:
    if isinstance(response, str):
        return response, False
    values = object_of(response)
    if "error" in values:
        error = values["error"]
        return error if isinstance(error, str) else json.dumps(error, ensure_ascii=False), True
    output = values.get("output", response)
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False), False


def _tokens(tokens: Any) -> Tokens | None:
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
