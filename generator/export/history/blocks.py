"""A message and a tool call as HTML. Everything from a transcript is escaped here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from html import escape

from generator.export.history.payloads import Payloads, pre
from generator.export.history.wording import between, clean, one_line, shortened
from generator.export.outputs import digest
from generator.export.texts import Texts, fill
from generator.markup.markdown import Options, render_markdown
from generator.model.finding import Finding
from generator.model.session import Attachment, Message, ToolCall
from generator.tokens import estimate_tokens

# Text without any of these is no Markdown: parsing it would cost a hundred times as much.
_MARKED = re.compile(r"[*_`\[\]#>|~$\\!<&]|://|^\s*(?:[-+]\s|\d+[.)]\s|\s{4}|[-=:]+\s*$)", re.M)
IMAGE_MARK = re.compile("\x04([^\x04]*)\x04([^\x04]*)\x04")
"""Stands for an image until it is known whether it is shown: its name, and what to call it."""
# What :mod:`inline` made; any other address of data is not shown.
_PICTURE = re.compile(r"data:image/webp;base64,[A-Za-z0-9+/=]+\Z")
_MARKDOWN_CHARACTERS = 60_000


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


def calls_came_first(message: Message) -> bool:
    """Tell whether what was said came after the calls: some agents gather calls, then reply."""
    moments = [call.started for call in message.calls]
    return bool(moments) and all(
        moment is not None and message.ts is not None and moment < message.ts for moment in moments
    )


def time_tag(moment: datetime | None, zone: tzinfo, *, show: str = "time") -> str:
    """Return a time for people, the exact one on hover."""
    if moment is None:
        return ""
    local = moment.astimezone(zone)
    return (
        f'<time datetime="{local.isoformat(timespec="seconds")}" '
        f'title="{local:%Y-%m-%d %H:%M:%S %z}" data-show="{show}">{time_text(moment, zone, show=show)}</time>'
    )


def time_text(moment: datetime | None, zone: tzinfo, *, show: str = "time") -> str:
    """Return a time as a page shows it to readers without a script."""
    shape = {"time": "%H:%M", "day": "%Y-%m-%d"}.get(show, "%Y-%m-%d %H:%M")
    return f"{moment.astimezone(zone):{shape}}" if moment else ""


def time_spent(call: ToolCall, texts: Texts) -> str:
    """Return how long a call took; empty when nobody measured it."""
    # An agent that tells only when a call was made has both times the same.
    return between(call.started, call.ended, texts) if call.ended != call.started else ""


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
        self._payloads = Payloads(texts)
        self._model: str | None = None
        self._speaker = ""

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
        # A reply of calls alone, in a row of them, is its number beside the first call.
        bare = (
            message.role == self._speaker == "assistant"
            and bool(message.calls)
            and not (message.text.strip() or message.thinking.strip() or message.attachments)
            and not (marks or model or message.sender)
        )
        self._speaker = message.role
        kinds += ["bare"] if bare else []
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
            f'<a class="ref" translate="no" data-markdown-ignore href="#{escape(place)}">#{escape(place)}</a>',
        ]
        about = about[-1:] if bare else about
        opening = f'<div class="message {" ".join(kinds)}" id="{escape(place)}">'
        head = f'{opening}<p class="about">{" ".join(filter(None, about))}</p>'
        if message.thinking.strip():
            head += self._folded(clean(message.thinking), place)
        said = self._attachments(message.attachments)
        if message.text.strip():
            html = self._markdown(clean(message.text), place)
            said = f'<div class="said" dir="auto" lang="">\n{html}</div>{said}'
        calls = [
            self.call(call, anchor(message.n, message.agent, number))
            for number, call in enumerate(message.calls, start=1)
        ]
        if said and calls_came_first(message):
            yield f"{head}</div>\n"
            yield from calls
            yield f'<div class="message {" ".join(kinds)} after">{said}</div>\n'
            return
        yield f"{head}{said}</div>\n"
        yield from calls

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
        text, _ = shortened(text, self._texts, _MARKDOWN_CHARACTERS)
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
                shown = pre(shortened(clean(item.text), self._texts)[0])
                parts.append(f"<details><summary><span>{head}</span></summary>{shown}</details>")
            elif not item.file:
                parts.append(f'<p class="attached">{head}</p>')
        return "".join(parts)

    def call(self, call: ToolCall, place: str) -> str:
        """Return a call, folded: its name, one line of what it was about, how it ended."""
        words = self._words
        failed = call.status in ("error", "denied", "cancelled")
        state = words[call.status] if call.status != "ok" else ""
        spent = time_spent(call, self._texts)
        about = [
            f'<code class="name">{escape(clean(call.name)[:120])}</code>',
            f'<span class="line" lang="">{escape(one_line(call))}</span>',
            *([f'<span class="state">{state}</span>'] if state else []),
            *([f'<span class="took">{count}</span>'] if (count := self._count(call)) else []),
            *([f'<span class="took">{escape(spent)}</span>'] if spent else []),
        ]
        inner = [self._payloads.arguments(call), self._child(call.child)]
        inner.append(self._payloads.result(call))
        inner.append(self._attachments(call.attachments))
        inner.append(
            f'<p class="about"><a class="ref" translate="no" data-markdown-ignore href="#{place}">#{place}</a></p>'
        )
        kind = f"call {call.status}" + (" failed" if failed else "")
        return (
            f'<details class="{kind}" id="{place}"><summary>{" ".join(about)}</summary>'
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
