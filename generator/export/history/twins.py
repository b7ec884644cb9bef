"""The Markdown twin of a session's pages: the same messages and calls, under their refs."""

from __future__ import annotations

from generator.export.history.blocks import attached, calls_came_first
from generator.export.history.wording import clean, one_line, shortened
from generator.export.texts import Texts
from generator.model.session import Attachment, Message, ToolCall

_TWIN_CHARACTERS = 2_000  # of a result


def twin_of(message: Message, session: str, texts: Texts) -> str:
    """Return a message as Markdown, under its ref."""
    words = texts["session"]
    place = f"/{message.agent}#{message.n}" if message.agent else f"#{message.n}"
    who = words["asked" if message.role == "user" else "replied"]
    marks = [f"conversation:{session}{place}"]
    marks += [words["off"]] if message.thread == "off" else []
    parts = [f"**{who}** ({texts.listed(marks)})"]
    said = [clean(message.text)] if message.text.strip() else []
    said += [_twin_attachment(item, texts) for item in message.attachments]
    calls = [twin_of_call(call, texts) for call in message.calls]
    parts += [*calls, *said] if calls_came_first(message) else [*said, *calls]
    return "\n\n".join(parts)


def _twin_attachment(item: Attachment, texts: Texts) -> str:
    if item.file:
        return f"\x04{item.file}\x04{attached(item, texts)}\x04"
    head = texts.say("session", "attached", name=attached(item, texts))
    text = shortened(clean(item.text), texts, _TWIN_CHARACTERS)[0].strip("\n")
    return "\n\n".join([head, _indented(text)]) if text else head


def _indented(text: str) -> str:
    return "\n".join(f"      {line}" for line in text.split("\n"))


def twin_of_call(call: ToolCall, texts: Texts) -> str:
    """Return a call as Markdown."""
    state = f" ({texts['session'][call.status]})" if call.status != "ok" else ""
    head = f"- `{call.name}` {one_line(call)}{state}"
    result = shortened(clean(call.result or ""), texts, _TWIN_CHARACTERS)[0].strip("\n")
    parts = [head, _indented(result)] if result else [head]
    parts += [f"  {_twin_attachment(item, texts)}" for item in call.attachments]
    return "\n\n".join(parts)
