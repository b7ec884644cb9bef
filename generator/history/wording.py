"""A tool call and a recorded run as text: one wording for the index, snippets and reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from generator.model.session import ActionRecord, Document, Message, ToolCall


def arguments_text(arguments: Any) -> str:
    """Write the arguments of a call, a line each, texts as they are.

    Args:
        arguments: A mapping, raw text, or any JSON value.
    """
    if arguments is None:
        return ""
    if not isinstance(arguments, Mapping):
        return _plain(arguments)
    return "\n".join(f"{name}: {_plain(value)}" for name, value in arguments.items())


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def call_text(call: ToolCall) -> str:
    """Write a call with its arguments and what came back."""
    parts = (call.name, arguments_text(call.arguments), call.result or "")
    return "\n".join(part for part in parts if part)


def message_text(message: Message) -> str:
    """Write what a message holds beside its calls: words, pasted text, names of files, thinking."""
    attached = [
        "\n".join(part for part in (item.name, item.text) if part) for item in message.attachments
    ]
    parts = (message.text, *attached, message.thinking)
    return "\n".join(part for part in parts if part)


def action_text(action: ActionRecord) -> str:
    """Write what a recorded run holds beside its calls: request, notes, reply."""
    details = arguments_text(action.details) if action.details else ""
    return "\n".join(part for part in (action.objective, details, action.reply) if part)


def document_text(document: Document) -> str:
    """Write a document: its heading when the text does not show it, and its text."""
    if document.title and document.title not in document.text:
        return f"{document.title}\n{document.text}".rstrip("\n")
    return document.text
