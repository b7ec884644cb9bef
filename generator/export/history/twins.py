"""The Markdown twin of a session's pages: the same messages and calls, under their refs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import tzinfo

from generator.export.history.blocks import attached, calls_came_first, time_spent, time_text
from generator.export.history.payloads import changed, edits_of
from generator.export.history.wording import clean, one_line, shortened
from generator.export.texts import Texts
from generator.model.session import Attachment, Message, ToolCall

_TWIN_CHARACTERS = 2_000  # of a result, or of what a call was given


class Twins:
    """Writes the parts of one session as Markdown.

    Args:
        session: The id of the session.
        zone: The zone that times are written in.
        texts: The words of the interface.
    """

    def __init__(self, session: str, zone: tzinfo, texts: Texts) -> None:
        self._session = session
        self._zone = zone
        self._texts = texts
        self._words = texts["session"]
        self._model: str | None = None

    def message(self, message: Message) -> str:
        """Return a message and its calls, under its ref."""
        parts = [self._head(message)]
        if message.thinking.strip():
            parts.append(self._quoted(message.thinking))
        said = [clean(message.text)] if message.text.strip() else []
        said += [self._attachment(item) for item in message.attachments]
        calls = [self.call(call) for call in message.calls]
        parts += [*calls, *said] if calls_came_first(message) else [*said, *calls]
        return "\n\n".join(parts)

    def _head(self, message: Message) -> str:
        words = self._words
        place = f"/{message.agent}#{message.n}" if message.agent else f"#{message.n}"
        asked = "told" if message.thread == "side" else "asked"
        # Said once, and again when it changes, as the page does.
        model = message.model if message.model != self._model else None
        self._model = message.model or self._model
        about = [
            f"**{words[asked if message.role == 'user' else 'replied']}**",
            clean(message.sender or ""),
            model or "",
            time_text(message.ts, self._zone),
            words["off"] if message.thread == "off" else "",
            words["copied"] if message.copy_of else "",
            f"(conversation:{self._session}{place})",
        ]
        return " ".join(filter(None, about))

    def call(self, call: ToolCall) -> str:
        """Return a call: what it was given, how it ended, what it gave back."""
        images = sum(bool(item.file) for item in call.attachments)
        about = [
            _code(clean(call.name)),
            _code(one_line(call)),
            self._words[call.status] if call.status != "ok" else "",
            self._texts.count(images, "image") if images else "",
            time_spent(call, self._texts),
        ]
        parts = ["- " + " ".join(filter(None, about))]
        parts += [self._indented(text) for text in _given(call)]
        result = clean(call.result or "")
        if len(result) > _TWIN_CHARACTERS:
            length = self._texts.count(len(result), "character")
            parts.append(f"  {self._texts.say('session', 'result_of', characters=length)}")
        parts += [self._indented(result)] if result.strip() else []
        parts += [f"  {self._attachment(item)}" for item in call.attachments]
        return "\n\n".join(parts)

    def compacted(self, text: str) -> str:
        """Return what stands in the place of messages that an agent summed up."""
        return f"{self._words['compacted']}:\n\n{self._quoted(text)}"

    def _attachment(self, item: Attachment) -> str:
        if item.file:
            return f"\x04{item.file}\x04{attached(item, self._texts)}\x04"
        head = self._texts.say("session", "attached", name=attached(item, self._texts))
        return "\n\n".join([head, self._indented(clean(item.text))]) if item.text else head

    def _quoted(self, text: str) -> str:
        kept = shortened(clean(text), self._texts, _TWIN_CHARACTERS)[0].strip("\n")
        return "\n".join(f"> {line}".rstrip() for line in kept.split("\n"))

    def _indented(self, text: str) -> str:
        kept = shortened(text, self._texts, _TWIN_CHARACTERS)[0].strip("\n")
        return "\n".join(f"      {line}" for line in kept.split("\n"))


def _given(call: ToolCall) -> Iterator[str]:
    """Yield what a call was given that its one line cannot hold: changes and long texts."""
    edits = edits_of(call.arguments)
    for before, after in edits:
        yield changed(before, after)
    values = call.arguments.values() if isinstance(call.arguments, Mapping) else [call.arguments]
    for value in values:
        if isinstance(value, str) and not any(clean(value) in edit for edit in edits):
            text = clean(value).strip()
            if "\n" in text or len(text) > len(one_line(call)):
                yield text


def literal(text: str) -> str:
    """Return a line whose signs mean nothing to Markdown."""
    return re.sub(r"([\\`*_\[\]<>|~])", r"\\\1", text)


def _code(text: str) -> str:
    """Return a text as a code span, whatever backticks it holds."""
    if not text:
        return ""
    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    return f"{ticks}{text}{ticks}" if len(ticks) == 1 else f"{ticks} {text} {ticks}"
