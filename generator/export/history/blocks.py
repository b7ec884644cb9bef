"""A message and a tool call as HTML. Everything from a transcript is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from difflib import unified_diff
from html import escape
from typing import Any

from generator import limits
from generator.export.history.wording import between, clean, one_line, shortened
from generator.export.outputs import digest
from generator.export.texts import Texts, fill
from generator.history.wording import arguments_text
from generator.markup.markdown import Options, render_markdown
from generator.model.finding import Finding
from generator.model.session import Attachment, Message, ToolCall
from generator.tokens import estimate_tokens

# Text without any of these is no Markdown: parsing it would cost a hundred times as much.
_MARKED = re.compile(r"[*_`\[\]#>|~$\\!<&]|://|^\s*(?:[-+]\s|\d+[.)]\s|\s{4}|[-=:]+\s*$)", re.M)
_DIFF = re.compile(r"^(?:diff --git |--- |@@ |\*\*\* (?:Begin|Update|Add|Delete) )", re.M)
IMAGE_MARK = re.compile("\x04([^\x04]*)\x04([^\x04]*)\x04")
"""Stands for an image until it is known whether it is shown: its name, and what to call it."""
# What :mod:`inline` made; any other address of data is not shown.
_PICTURE = re.compile(r"data:image/webp;base64,[A-Za-z0-9+/=]+\Z")
_MARKDOWN_CHARACTERS = 60_000
_DIFF_CHARACTERS = 20_000
_BEFORE_AFTER = (("old_string", "new_string"), ("old_str", "new_str"), ("oldString", "newString"))
_SHELLS = ("command", "cmd", "script")


def anchor(number: int, agent: str | None = None, call: int | None = None) -> str:
    """Return the anchor of a message or call: what stands behind the session in its ref."""
    place = f"{number}" if call is None else f"{number}.{call}"
    return f"{_plain(agent)}/{place}" if agent else place


def _plain(name: str) -> str:
    return name if re.fullmatch(r"[\w.:-]+", name) else digest(name)[:12]


def _picture(address: str, line: int) -> str | Finding:
    if _PICTURE.fullmatch(address):
        return address
    return Finding(rule="image", severity="warning", line=line, column=1, message="", fix="")


def attached(item: Attachment, texts: Texts) -> str:
    """Return what a file that came along is called: its name, kind and size."""
    facts = [item.kind or "", texts.size(item.size) if item.size else ""]
    told = texts.listed(clean(fact) for fact in facts if fact and fact != item.name)
    name = clean(item.name)
    return texts.say("site", "noted", name=name, facts=told) if told else name


def time_tag(moment: datetime | None, zone: tzinfo, *, show: str = "time") -> str:
    """Return a time for people, the exact one on hover."""
    if moment is None:
        return ""
    local = moment.astimezone(zone)
    shape = {"time": "%H:%M", "day": "%Y-%m-%d"}.get(show, "%Y-%m-%d %H:%M")
    return (
        f'<time datetime="{local.isoformat(timespec="seconds")}" '
        f'title="{local:%Y-%m-%d %H:%M:%S %z}" data-show="{show}">{local:{shape}}</time>'
    )


class Blocks:
    """Writes the parts of one session.

    Args:
        zone: The zone that times are written in.
        texts: The words of the interface.
        sidechains: Anchors of the sidechains by id, for the calls that started them.
    """

    def __init__(self, zone: tzinfo, texts: Texts, sidechains: frozenset[str]) -> None:
        self._zone = zone
        self._texts = texts
        # Ready for HTML: a translation may hold any character.
        self._words = {name: escape(word) for name, word in texts["session"].items()}
        self._sidechains = sidechains
        self._model: str | None = None

    def message(self, message: Message) -> Iterator[str]:
        """Yield what was said, then each call."""
        place = anchor(message.n, message.agent)
        words = self._words
        marks = [words["off"]] if message.thread == "off" else []
        marks += [words["copied"]] if message.copy_of else []
        who = words["asked" if message.role == "user" else "replied"]
        # Said once, and again when it changes.
        model = message.model if message.model != self._model else None
        self._model = message.model or self._model
        kinds = [message.role, *(["off"] if message.thread == "off" else [])]
        if message.thread == "side":
            who = words["told" if message.role == "user" else "replied"]
        about = [
            f'<span class="who">{who}</span>',
            *(
                [f'<span class="model" translate="no">{escape(clean(message.sender))}</span>']
                if message.sender
                else []
            ),
            *([f'<span class="model" translate="no">{escape(model)}</span>'] if model else []),
            time_tag(message.ts, self._zone),
            *(f'<span class="mark">{mark}</span>' for mark in marks),
            f'<a class="ref" translate="no" href="#{escape(place)}">#{escape(place)}</a>',
        ]
        parts = [f'<div class="message {" ".join(kinds)}" id="{escape(place)}">']
        parts.append(f'<p class="about">{" ".join(filter(None, about))}</p>')
        if message.thinking.strip():
            parts.append(self._folded(clean(message.thinking), place))
        if message.text.strip():
            said = self._markdown(clean(message.text), place)
            parts.append(f'<div class="said" dir="auto" lang="">\n{said}</div>')
        parts.append(self._attachments(message.attachments))
        parts.append("</div>\n")
        yield "".join(parts)
        for number, call in enumerate(message.calls, start=1):
            yield self.call(call, anchor(message.n, message.agent, number))

    def _folded(self, text: str, place: str) -> str:
        size = escape(self._texts.count(estimate_tokens(text), "token"))
        length = f'<span class="quiet">{size}</span>'
        return (
            f'<details class="thinking"><summary>{fill(self._words["thinking"], n=length)}</summary>'
            f'<div class="said" dir="auto" lang="">\n{self._markdown(text, f"{place}t")}</div>'
            "</details>"
        )

    def _markdown(self, text: str, prefix: str) -> str:
        """Render what somebody said. Raw HTML is text, pictures from elsewhere are links.

        Args:
            text: The text.
            prefix: Put before its anchors, so that messages can share a page.
        """
        text, _ = self._shortened(text, _MARKDOWN_CHARACTERS)
        if not _MARKED.search(text):
            parts = [part.strip("\n") for part in re.split(r"\n{2,}", text)]
            return "".join(f"<p>{escape(part, quote=False)}</p>\n" for part in parts if part)
        options = Options(
            image=_picture,
            anchor_prefix=f"m{digest(prefix)[:6]}-",
            labels=self._texts["markdown"],
        )
        # A heading of a message is no heading of the page.
        return re.sub(r"<(/?)h[1-6]\b", r"<\1h4", render_markdown(text, options).html)

    def _shortened(self, text: str, most: int = limits.FILE_EXCERPT_CHARACTERS) -> tuple[str, int]:
        return shortened(text, self._texts, most)

    def _attachments(self, attachments: Sequence[Attachment]) -> str:
        images = [
            f"\x04{escape(item.file)}\x04{attached(item, self._texts)}\x04"
            for item in attachments
            if item.file
        ]
        parts = [f'<div class="pictures">{"".join(images)}</div>'] if images else []
        for item in attachments:
            name = f'<span translate="no">{escape(attached(item, self._texts))}</span>'
            head = fill(self._words["attached"], name=name)
            if item.text:
                shown = _pre(self._shortened(clean(item.text))[0])
                parts.append(f"<details><summary><span>{head}</span></summary>{shown}</details>")
            elif not item.file:
                parts.append(f'<p class="attached">{head}</p>')
        return "".join(parts)

    def call(self, call: ToolCall, place: str) -> str:
        """Return a call, folded: its name, one line of what it was about, how it ended."""
        words = self._words
        failed = call.status in ("error", "denied", "cancelled")
        state = words[call.status] if call.status != "ok" else ""
        spent = between(call.started, call.ended, self._texts)
        about = [
            f'<code class="name">{escape(clean(call.name)[:120])}</code>',
            f'<span class="line" lang="">{escape(one_line(call))}</span>',
            *([f'<span class="state">{state}</span>'] if state else []),
            *([f'<span class="took">{count}</span>'] if (count := self._count(call)) else []),
            *([f'<span class="took">{escape(spent)}</span>'] if spent else []),
        ]
        inner = [self._arguments(call), self._child(call.child)]
        if call.result is not None:
            inner.append(self._result(call.result))
        inner.append(self._attachments(call.attachments))
        inner.append(
            f'<p class="about"><a class="ref" translate="no" href="#{place}">#{place}</a></p>'
        )
        kind = f"call {call.status}" + (" failed" if failed else "")
        return (
            f'<details class="{kind}" id="{place}"><summary>{"".join(about)}</summary>'
            f"{''.join(inner)}</details>\n"
        )

    def _count(self, call: ToolCall) -> str:
        number = sum(bool(item.file) for item in call.attachments)
        return escape(self._texts.count(number, "image")) if number else ""

    def _child(self, child: str | None) -> str:
        if not child:
            return ""
        # Which page a sidechain or another session stands on is known once all are laid out.
        target = f"\x02{child}\x02" if child in self._sidechains else f"\x01{child}\x01"
        name = f'<span translate="no">{escape(clean(child))}</span>'
        label = fill(self._words["subagent_named"], name=name)
        return f'<p class="child"><a{target}>{label}</a></p>'

    def _arguments(self, call: ToolCall) -> str:
        arguments = call.arguments
        if not arguments:
            return ""
        if isinstance(arguments, str):
            text = self._shortened(clean(arguments))[0]
            return diff(text) if _DIFF.search(text) else _pre(text)
        if not isinstance(arguments, Mapping):
            return _pre(self._shortened(clean(arguments_text(arguments)))[0])
        parts: list[str] = []
        rest = dict(arguments)
        for name in _SHELLS:
            if isinstance(rest.get(name), str):
                command = self._shortened(clean(rest.pop(name)))[0]
                parts.append(
                    f'<pre class="code shell" tabindex="0"><code>{escape(command, quote=False)}</code></pre>'
                )
        edits = rest.get("edits") if isinstance(rest.get("edits"), list) else [rest]
        changes = [change for edit in edits or () if (change := self._change(edit))]
        if changes:
            parts += changes
            shown = {name for pair in _BEFORE_AFTER for name in pair} | {"edits"}
            rest = {name: value for name, value in rest.items() if name not in shown}
        short = {
            name: value
            for name, value in rest.items()
            if not (isinstance(value, str) and (len(value) > 200 or "\n" in value))
        }
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
                shown_text = diff(text) if _DIFF.search(text) else _pre(text)
                parts.append(f'<p class="label" lang="">{escape(clean(str(name)))}</p>{shown_text}')
        return "".join(parts)

    def _change(self, edit: Any) -> str:
        """Return an edit as a diff, empty when it is none."""
        if not isinstance(edit, Mapping):
            return ""
        for old, new in _BEFORE_AFTER:
            before, after = edit.get(old), edit.get(new)
            if isinstance(before, str) and isinstance(after, str):
                before, after = clean(before), clean(after)
                if len(before) + len(after) > _DIFF_CHARACTERS:
                    return _pre(self._shortened(f"{before}\n---\n{after}")[0])
                lines = unified_diff(before.splitlines(), after.splitlines(), n=2, lineterm="")
                return diff("\n".join(list(lines)[2:]))
        return ""

    def _result(self, result: str) -> str:
        text = clean(result)
        if not text.strip():
            return f'<p class="label">{self._words["nothing"]}</p>'
        shown, left_out = self._shortened(text)
        label = self._words["result"]
        if left_out:
            length = escape(self._texts.count(len(text), "character"))
            label = fill(self._words["result_of"], characters=length)
        body = diff(shown) if _DIFF.match(shown) else _pre(shown, "output")
        return f'<p class="label">{label}</p>{body}'


def _pre(text: str, kind: str = "") -> str:
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
