"""Content of a message and results of its calls, taken apart."""

from __future__ import annotations

import json
from typing import Any

from generator.history.images import Images
from generator.history.importers.base import Reading, object_of, text_of
from generator.model.session import Attachment, CallStatus, ToolCall
from generator.timestamps import parse_time

_STATUS: dict[str, CallStatus] = {"success": "ok", "error": "error", "cancelled": "cancelled"}


def content_of(
    content: Any, images: Images
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
            attachments.append(images.attachment("inline data", text_of(data.get("data")), kind))
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


def call_of(call: dict[str, Any], made: str, reading: Reading) -> ToolCall:
    """Read one call with its result."""
    pieces = []
    shown = []
    failed = False
    result = call.get("result")
    for part in result if isinstance(result, list) else [result]:
        if isinstance(part, str):
            pieces.append(part)
        elif isinstance(part, dict):
            answer = part.get("functionResponse")
            if isinstance(answer, dict):
                text, part_failed = response_text(answer.get("response"))
                failed = failed or part_failed
                pieces.append(text)
                shown += content_of(answer.get("parts"), reading.images)[1]
            else:
                pieces.append(text_of(part.get("text")))
                shown += content_of(part, reading.images)[1]
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
        attachments=tuple(shown),
    )


def response_text(response: Any) -> tuple[str, bool]:
    """Return what a call gave back, and whether it is an error."""
    if isinstance(response, str):
        return response, False
    values = object_of(response)
    if "error" in values:
        error = values["error"]
        return error if isinstance(error, str) else json.dumps(error, ensure_ascii=False), True
    output = values.get("output", response)
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False), False
