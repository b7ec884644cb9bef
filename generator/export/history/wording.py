"""Texts of transcripts made safe to show: what a browser or a terminal would act on is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from generator import limits
from generator.export.texts import Texts
from generator.history.wording import arguments_text
from generator.model.session import ToolCall

# Controls, marks that turn the direction of writing, halves of characters: none belongs in HTML.
_UNSHOWN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
_COLOURS = re.compile(r"\x1b\[[0-9;:?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_ONE_LINE = 110
# Arguments that say best what a call is about, the most telling first.
_TELLING = (
    *("command", "cmd", "pattern", "query", "file_path", "path", "filePath", "notebook_path"),
    *("url", "description", "prompt", "input", "topics", "ref", "name"),
)


# Where lists of tasks say what is to be done (Claude Code, opencode, Codex, Gemini CLI).
_STEP = ("content", "step", "description", "subject", "title")


def clean(text: str) -> str:
    """Return a text without colours of a terminal; characters that act are shown by name."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "\x1b" in text:
        text = _COLOURS.sub("", text)
    return _UNSHOWN.sub(_named, text)


def _named(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"[U+{code:04X}]" if 0x2000 < code < 0x2100 else "\ufffd"


def shortened(
    text: str, texts: Texts, most: int = limits.FILE_EXCERPT_CHARACTERS
) -> tuple[str, int]:
    """Keep head and tail of a long text.

    Args:
        text: The whole text.
        texts: The words of the interface, which say how much is left out.
        most: Characters to keep.

    Returns:
        The text, and how many characters were left out.
    """
    if len(text) <= most:
        return text, 0
    head = most * 2 // 3
    tail = len(text) - (most - head)
    mark = texts.count(tail - head, "left_out")
    return f"{text[:head]}\n\n{mark}\n\n{text[tail:]}", tail - head


def step_of(item: Any) -> tuple[str, str]:
    """Return how far a task of a list is, and what is to be done; both empty for other values."""
    told = item.get("status") if isinstance(item, Mapping) else None
    text = next((item[name] for name in _STEP if item.get(name)), None) if told else None
    return (told, text) if isinstance(told, str) and isinstance(text, str) else ("", "")


def one_line(call: ToolCall) -> str:
    """Return what a call was about, in one line."""
    arguments = call.arguments
    chosen: Any = ""
    if isinstance(arguments, Mapping):
        chosen = next((arguments[name] for name in _TELLING if arguments.get(name)), None)
        if chosen is None:
            chosen = next(iter(arguments.values()), "")
    elif arguments is not None:
        chosen = arguments
    if isinstance(chosen, list):
        steps = [step_of(item) for item in chosen]
        now = next((text for told, text in steps if told == "in_progress"), None)
        chosen = now or next((text for _, text in reversed(steps) if text), chosen)
    text = " ".join(clean(arguments_text(chosen))[: 4 * _ONE_LINE].split())
    return text if len(text) <= _ONE_LINE else text[: _ONE_LINE - 1] + "…"


def title_line(text: str, most: int = 90) -> str:
    """Return the first line of a text that says something, cut to fit a list."""
    line = next((line.strip(" #*`>-") for line in text.splitlines() if line.strip(" #*`>-")), "")
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def between(first: datetime | None, last: datetime | None, texts: Texts) -> str:
    """Write how long something took; empty when an end of it is not known."""
    return texts.duration((last - first).total_seconds()) if first and last else ""
