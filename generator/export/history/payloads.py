"""What a tool was called with and what it gave back, as HTML: commands, edits, lists of tasks."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import unified_diff
from html import escape
from typing import Any

from generator import limits
from generator.export.history.wording import clean, shortened, step_of
from generator.export.texts import Texts, fill
from generator.history.wording import arguments_text
from generator.model.session import ToolCall

_DIFF = re.compile(r"^(?:diff --git |--- |@@ |\*\*\* (?:Begin|Update|Add|Delete) )", re.M)
_DIFF_CHARACTERS = 20_000
_BEFORE_AFTER = (("old_string", "new_string"), ("old_str", "new_str"), ("oldString", "newString"))
_SHELLS = ("command", "cmd", "script")
# What importers write in the place of an image.
_STAND_IN = re.compile(r"^\[(?:input_)?image\b[^\]\n]*\]\n?", re.M)
_STATES = frozenset({"completed", "in_progress", "pending", "cancelled"})


class Payloads:
    """Writes arguments and results.

    Args:
        texts: The words of the interface.
    """

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self._words = {name: escape(word) for name, word in texts["session"].items()}

    def arguments(self, call: ToolCall) -> str:
        """Return what a tool was called with, empty when it was nothing."""
        arguments = call.arguments
        if not arguments:
            return ""
        if isinstance(arguments, str):
            text = self._shortened(clean(arguments))[0]
            return diff(text) if _DIFF.search(text) else pre(text)
        if not isinstance(arguments, Mapping):
            return pre(self._shortened(clean(arguments_text(arguments)))[0])
        parts: list[str] = []
        rest = dict(arguments)
        for name in _SHELLS:
            if isinstance(rest.get(name), str):
                command = self._shortened(clean(rest.pop(name)))[0]
                parts.append(
                    f'<pre class="code shell" tabindex="0"><code>{escape(command, quote=False)}</code></pre>'
                )
        changes = [self._change(before, after) for before, after in edits_of(rest)]
        if changes:
            parts += changes
            shown = {name for pair in _BEFORE_AFTER for name in pair} | {"edits"}
            rest = {name: value for name, value in rest.items() if name not in shown}
        short = {
            name: value
            for name, value in rest.items()
            if not (isinstance(value, str) and (len(value) > 200 or "\n" in value))
        }
        for name, value in list(short.items()):
            if steps := self._steps(value):
                parts.append(steps)
                del short[name], rest[name]
        if short:
            rows = "".join(
                f"<div><dt>{escape(clean(str(name)))}</dt>"
                f"<dd>{escape(self._shortened(clean(arguments_text(value)), 4000)[0])}</dd></div>"
                for name, value in short.items()
            )
            parts.insert(0, f'<dl class="arguments" lang="">{rows}</dl>')
        for name, value in rest.items():
            if name not in short:
                text = self._shortened(clean(value))[0]
                shown_text = diff(text) if _DIFF.search(text) else pre(text)
                parts.append(f'<p class="label" lang="">{escape(clean(str(name)))}</p>{shown_text}')
        return "".join(parts)

    def _change(self, before: str, after: str) -> str:
        if len(before) + len(after) > _DIFF_CHARACTERS:
            return pre(self._shortened(changed(before, after))[0])
        return diff(changed(before, after))

    def _steps(self, value: Any) -> str:
        """Return a list of tasks as one that is ticked off, empty for any other value."""
        if not isinstance(value, list) or not value:
            return ""
        rows = []
        for item in value:
            told, text = step_of(item)
            if not text:
                return ""
            state = told if told in _STATES else "pending"
            rows.append(
                f'<li class="{state}"><span class="state">{self._words[state]}</span> '
                f"{escape(clean(text))}</li>"
            )
        return f'<ul class="steps" lang="">{"".join(rows)}</ul>'

    def result(self, call: ToolCall) -> str:
        """Return what came back, empty when nothing did, or nothing but images that are shown."""
        if call.result is None:
            return ""
        text = clean(call.result)
        if any(item.file for item in call.attachments):
            text = _STAND_IN.sub("", text)
            if not text.strip():
                return ""
        if not text.strip():
            return f'<p class="label">{self._words["nothing"]}</p>'
        shown, left_out = self._shortened(text)
        label = self._words["result"]
        if left_out:
            length = escape(self._texts.count(len(text), "character"))
            label = fill(self._words["result_of"], characters=length)
        body = diff(shown) if _DIFF.match(shown) else pre(shown, "output")
        return f'<p class="label">{label}</p>{body}'

    def _shortened(self, text: str, most: int = limits.FILE_EXCERPT_CHARACTERS) -> tuple[str, int]:
        return shortened(text, self._texts, most)


def edits_of(arguments: Any) -> list[tuple[str, str]]:
    """Return what a call changed in a file: each text before and after."""
    if not isinstance(arguments, Mapping):
        return []
    edits = arguments.get("edits")
    found = []
    for edit in edits if isinstance(edits, list) else [arguments]:
        for old, new in _BEFORE_AFTER if isinstance(edit, Mapping) else ():
            before, after = edit.get(old), edit.get(new)
            if isinstance(before, str) and isinstance(after, str):
                found.append((clean(before), clean(after)))
                break
    return found


def changed(before: str, after: str) -> str:
    """Return a change as a diff; one that would be slow to work out as the two texts."""
    if len(before) + len(after) > _DIFF_CHARACTERS:
        return f"{before}\n---\n{after}"
    lines = unified_diff(before.splitlines(), after.splitlines(), n=2, lineterm="")
    return "\n".join(list(lines)[2:])


def pre(text: str, kind: str = "") -> str:
    """Return a text as it stands, in a box that scrolls."""
    name = f"code wrap {kind}".strip()
    return f'<pre class="{name}" tabindex="0"><code>{escape(text, quote=False)}</code></pre>'


def diff(text: str) -> str:
    """Return a diff with added and removed lines told apart, by sign as well as by colour."""
    lines = []
    for line in text.split("\n"):
        shown = escape(line, quote=False)
        if line.startswith("+") and not line.startswith("+++"):
            shown = f'<span class="gi">{shown}</span>'
        elif line.startswith("-") and not line.startswith("---"):
            shown = f'<span class="gd">{shown}</span>'
        elif line.startswith(("@@", "***", "diff ")):
            shown = f'<span class="gu">{shown}</span>'
        lines.append(shown)
    return f'<pre class="code diff" tabindex="0"><code>{chr(10).join(lines)}</code></pre>'
