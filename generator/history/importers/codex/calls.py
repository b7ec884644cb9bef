"""Tool calls of a rollout with their results, and whether they failed."""

from __future__ import annotations

import contextlib
import json
import re
from dataclasses import replace
from datetime import datetime
from typing import Any

from generator.history.importers.base import object_of, text_of
from generator.history.importers.codex.content import images_in
from generator.history.importers.codex.rollout import Rollout
from generator.model.session import CallStatus, ToolCall

_SELF_CONTAINED = frozenset({"web_search_call", "local_shell_call", "image_generation_call"})
_EXIT = re.compile(r"(?m)^(?:Process exited with code|Exit code:) *(-?\d+)")


def call_of(
    rollout: Rollout, payload: dict[str, Any], started: datetime | None, made: str
) -> ToolCall:
    """Put a call together with its output."""
    kind = text_of(payload.get("type"))
    key = text_of(payload.get("call_id")) or text_of(payload.get("id")) or made
    arguments: Any = payload.get("arguments", payload.get("input", payload.get("action")))
    if kind == "function_call" and isinstance(arguments, str):
        with contextlib.suppress(ValueError, RecursionError):  # cut off: kept as it stands
            arguments = json.loads(arguments)
    call = ToolCall(
        id=key,
        name=text_of(payload.get("name")) or kind.removesuffix("_call"),
        arguments=arguments,
        started=started,
    )
    found = rollout.outputs.get(key) if key else None
    if found is not None:
        place, ended = found
        output = rollout.steps.payload(place).get("output")
        text, status = _output(output)
        parts = output.get("content") if isinstance(output, dict) else output
        shown = tuple(images_in(parts, rollout.reading.images))
        return replace(call, result=text, status=status, ended=ended, attachments=shown)
    if kind in _SELF_CONTAINED:
        drawn = text_of(payload.get("result")) if kind == "image_generation_call" else ""
        if drawn:
            image = rollout.reading.images.attachment("image", drawn)
            call = replace(call, attachments=(image,))
        state = text_of(payload.get("status"))
        if state == "completed":
            return replace(call, status="ok", ended=started)
        if state in ("failed", "incomplete"):
            return replace(call, status="error", ended=started)
    return call


def _output(output: Any) -> tuple[str, CallStatus]:
    """Return a result's text and whether it failed."""
    if isinstance(output, dict):
        text, _ = _output(output.get("content", output.get("output", "")))
        return text, "error" if output.get("success") is False else "ok"
    if isinstance(output, list):
        pieces = [
            text_of(object_of(item).get("text")) or f"[{object_of(item).get('type', 'item')}]"
            for item in output
        ]
        return "\n".join(pieces), _judge("\n".join(pieces))
    text = text_of(output)
    if text.startswith("{"):
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            whole = None
        if isinstance(whole, dict) and ("metadata" in whole or "success" in whole):
            code = object_of(whole.get("metadata")).get("exit_code")
            failed = (isinstance(code, int) and code != 0) or whole.get("success") is False
            said = whole.get("output", whole.get("content"))
            return (said if isinstance(said, str) else text), "error" if failed else "ok"
    return text, _judge(text)


def _judge(text: str) -> CallStatus:
    """Tell from the lines above the output itself whether a command failed."""
    found = _EXIT.search(text.split("\nOutput:", 1)[0][:2000])
    return "error" if found and found.group(1) != "0" else "ok"
