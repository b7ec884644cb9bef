"""A session as pages: each under a megabyte, every message anchored by its ref."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from html import escape
from typing import Any

from generator.export.history.blocks import Blocks, anchor, time_tag, time_text
from generator.export.history.inline import InlineImages
from generator.export.history.twins import Twins, literal
from generator.export.history.wording import between, clean, shortened, title_line
from generator.export.masker import Masker
from generator.export.texts import Texts, fill
from generator.history.canonical import Record, encode
from generator.history.images import names_in
from generator.history.runs import Run, session_runs
from generator.history.wording import arguments_text
from generator.model.session import Attachment, Message, Session, ToolCall

PAGE_BYTES = 600_000
"""Bytes of a page's content: with its frame and a last block it stays under a megabyte."""
_FOUND_CHARACTERS = 2_000  # of a result that search covers


@dataclass(slots=True)
class Page:
    """One page of a session: its content, its Markdown twin, where it starts."""

    html: list[str] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    size: int = 0
    first: str = ""


@dataclass(slots=True)
class Rendered:
    """A session ready for its frame.

    Attributes:
        facts: What lists and usage say of it, as JSON types.
        pages: HTML and Markdown of each page.
        records: Its canonical records without secrets, as JSON Lines.
        found: Anchor, page number, title and text of each run, for the search.
    """

    facts: dict[str, Any]
    pages: list[tuple[str, str]]
    records: str
    found: list[tuple[str, int, str, str]]


def masked(session: Session, masker: Masker) -> Session:
    """Return a session without secrets and without the paths it was imported from."""
    return replace(
        session,
        title=masker.text(session.title) if session.title else None,
        cwd=masker.text(session.cwd) if session.cwd else None,
        project=masker.text(session.project) if session.project else None,
        sources=(),
        subagents=tuple(
            replace(item, description=masker.text(item.description or "") or None)
            for item in session.subagents
        ),
        messages=tuple(_masked_message(message, masker) for message in session.messages),
        actions=tuple(
            replace(
                action,
                objective=masker.text(action.objective),
                reply=masker.text(action.reply),
                calls=tuple(_masked_call(call, masker) for call in action.calls),
                details=masker.value(action.details),
            )
            for action in session.actions
        ),
        events=tuple(replace(event, text=masker.text(event.text)) for event in session.events),
    )


def _masked_message(message: Message, masker: Masker) -> Message:
    return replace(
        message,
        text=masker.text(message.text),
        thinking=masker.text(message.thinking),
        calls=tuple(_masked_call(call, masker) for call in message.calls),
        attachments=_masked_files(message.attachments, masker),
    )


def _masked_call(call: ToolCall, masker: Masker) -> ToolCall:
    return replace(
        call,
        arguments=masker.value(call.arguments),
        result=masker.text(call.result) if call.result else call.result,
        attachments=_masked_files(call.attachments, masker),
    )


def _masked_files(held: tuple[Attachment, ...], masker: Masker) -> tuple[Attachment, ...]:
    return tuple(
        replace(item, name=masker.text(item.name), text=masker.text(item.text)) for item in held
    )


def render_session(
    session: Session,
    masker: Masker,
    zone: tzinfo,
    texts: Texts,
    *,
    images: bool = True,
) -> Rendered:
    """Render a session.

    Args:
        session: The session as archived.
        masker: Takes out its secrets and counts them.
        zone: The zone that times are written in.
        texts: The words of the interface.
        images: Whether images are shown.
    """
    inline = InlineImages(keep=images)
    masker.rewrite = inline
    session = masked(session, masker)
    rendered = _Layout(session, masker, zone, texts).render()
    rendered.facts["inline"] = inline.shown
    return rendered


class _Layout:
    def __init__(self, session: Session, masker: Masker, zone: tzinfo, texts: Texts) -> None:
        self._session = session
        self._masker = masker
        self._zone = zone
        self._texts = texts
        self._words = texts["session"]
        self._twins = Twins(session.id, zone, texts)
        side = [message.agent for message in session.messages if message.thread == "side"]
        self._sidechains = list(dict.fromkeys(filter(None, side)))
        self._blocks = Blocks(zone, texts, frozenset(self._sidechains))
        self._pages = [Page()]
        self._runs: list[dict[str, Any]] = []
        self._side: dict[str, tuple[str, int]] = {}
        self._found: list[tuple[str, int, str, str]] = []
        self._compactions: dict[int, list[str]] = {}
        for event in session.events:
            if event.kind == "compaction":
                self._compactions.setdefault(event.after, []).append(clean(event.text))

    def render(self) -> Rendered:
        runs = session_runs(self._session)
        for number, run in enumerate(runs, start=1):
            self._run(number, run)
        for name in self._sidechains:
            self._sidechain(name)
        pages = [
            (self._linked("".join(page.html), at), "\n\n".join(page.text) + "\n")
            for at, page in enumerate(self._pages, start=1)
        ]
        records: tuple[Record, ...] = (
            self._session,
            *map(_without_files, self._session.messages),
            *self._session.actions,
            *self._session.usage,
            *self._session.events,
        )
        return Rendered(
            facts=self._facts(runs),
            pages=pages,
            records=b"".join(map(encode, records)).decode(),
            found=self._found,
        )

    def _linked(self, html: str, page: int) -> str:
        for name, (place, number) in self._side.items():
            file = "" if number == page else f"\x03{number}\x03"
            html = html.replace(f"\x02{name}\x02", f' href="{file}#{escape(place)}"')
        return html

    def _put(self, html: str, heading: str) -> None:
        """Add a block; a page that would grow too long ends before it."""
        size = len(html.encode("utf-8", "replace"))
        page = self._pages[-1]
        if page.size and page.size + size > PAGE_BYTES:
            page.html.append("</section>\n")
            page = Page()
            self._pages.append(page)
            if heading:
                name = f'<span lang="">{escape(heading)}</span>'
                label = fill(escape(self._words["continued"]), title=name)
                page.html.append(f'<section class="run"><h2 class="again">{label}</h2>\n')
        page.html.append(html)
        page.size += size

    def _say(self, message: Message, title: str) -> None:
        """Add a message with its calls; a page knows the place of what stands first on it."""
        for number, block in enumerate(self._blocks.message(message)):
            self._put(block, title)
            page = self._pages[-1]
            page.first = page.first or anchor(message.n, message.agent, number or None)

    def _run(self, number: int, run: Run) -> None:
        first = run.messages[0] if run.messages else None
        place = anchor(first.n) if first else f"run-{number}"
        asked = title_line(clean(run.objective))
        title = asked or self._words["no_objective"]
        spoken = ' lang=""' if asked else ""
        failed = sum(item.call.status == "error" for item in run.calls)
        moment, count = run.started or run.ended, self._texts.count
        told = [
            between(run.started, run.ended, self._texts),
            count(len(run.calls), "call") if run.calls else "",
            count(failed, "failed") if failed else "",
            count(run.tokens.total, "token") if run.tokens.total else "",
        ]
        facts = [time_tag(moment, self._zone, show="moment"), *map(escape, told)]
        facts[3] = f'<span class="bad">{facts[3]}</span>' if failed else ""
        off = run.thread == "off"
        mark = f' <span class="mark">{escape(self._words["off"])}</span>' if off else ""
        head = (
            f'<section class="run{" off" if off else ""}" id="run-{number}">'
            f'<h2><span class="number">{number}</span> <span dir="auto"{spoken}>{escape(title)}</span>{mark}</h2>'
            f'<p class="facts-line">{" · ".join(filter(None, facts))}</p>\n'
        )
        self._put(head, "")
        page = len(self._pages)
        self._pages[-1].first = self._pages[-1].first or place
        self._runs.append(
            {
                "number": number,
                "title": title,
                "asked": bool(asked),
                "page": page,
                "failed": failed,
                "off": off,
            }
        )
        found = [run.objective, run.reply]
        heading = [f"## {number}", literal(title), *([self._words["off"]] if off else [])]
        shown = [time_text(moment, self._zone, show="moment"), *told]
        self._pages[-1].text += [" ".join(heading), " · ".join(filter(None, shown))]
        for message in run.messages:
            self._say(message, title)
            self._pages[-1].text.append(self._twins.message(message))
            found += _said(message, self._texts)
            if message.thread == "active":
                self._compacted(message.n, title)
        if run.recorded:
            self._recorded(run, number, title)
            found += [_call_said(item.call, self._texts) for item in run.calls]
        self._pages[-1].html.append("</section>\n")
        text = "\n".join(dict.fromkeys(filter(None, map(clean, found))))
        self._found.append((f"run-{number}", page, title, text))

    def _recorded(self, run: Run, number: int, title: str) -> None:
        """Show what the agent's own record holds besides the messages."""
        for item in run.calls:
            self._put(self._blocks.call(item.call, f"run-{number}.{item.number}"), title)
            self._pages[-1].text.append(self._twins.call(item.call))
        reply = clean(run.reply)
        if reply and all(reply != clean(message.text) for message in run.messages):
            message = Message(n=number, id="", role="assistant", text=run.reply, ts=run.ended)
            block = next(iter(self._blocks.message(message)))
            self._put(block.replace(f'id="{number}"', f'id="run-{number}.reply"', 1), title)
            self._pages[-1].text.append(reply)

    def _compacted(self, after: int, title: str) -> None:
        for text in self._compactions.pop(after, ()):
            label = escape(self._words["compacted"])
            html = (
                f'<details class="compaction"><summary>{label}</summary>'
                f'<pre class="code wrap" tabindex="0"><code>{escape(shortened(text, self._texts)[0])}</code></pre></details>\n'
            )
            self._put(html, title)
            self._pages[-1].text.append(self._twins.compacted(text))

    def _sidechain(self, name: str) -> None:
        info = next((item for item in self._session.subagents if item.id == name), None)
        label = self._texts.say("session", "subagent_named", name=clean(name))
        told = self._texts.listed(filter(None, (info.kind, info.description))) if info else ""
        title = clean(told) or label
        messages = [message for message in self._session.messages if message.agent == name]
        place = anchor(messages[0].n, name)
        self._put(
            f'<section class="run side"><h2><span class="mark">{escape(self._words["subagent"])}</span> '
            f'<span lang="">{escape(title)}</span></h2>\n',
            "",
        )
        page = len(self._pages)
        self._side[name] = (place, page)
        self._pages[-1].text.append(
            f"## {self._words['subagent']} {literal(title)} ({clean(name)})"
        )
        found: list[str] = []
        for message in messages:
            self._say(message, title)
            self._pages[-1].text.append(self._twins.message(message))
            found += _said(message, self._texts)
        self._pages[-1].html.append("</section>\n")
        self._found.append((place, page, title, "\n".join(map(clean, filter(None, found)))))

    def _facts(self, runs: Sequence[Run]) -> dict[str, Any]:
        session = self._session
        tools: dict[str, list[int]] = {}
        calls = [
            call for message in session.messages if not message.copy_of for call in message.calls
        ]
        calls += [call for action in session.actions for call in action.calls]
        for call in calls:
            row = tools.setdefault(clean(call.name)[:120], [0, 0])
            row[0] += 1
            row[1] += call.status == "error"
        hours: Counter[str] = Counter()
        for message in session.messages:
            if message.ts and not message.copy_of:
                local = message.ts.astimezone(self._zone)
                hours[f"{local.weekday()} {local.hour}"] += 1
        thread = [item for item in session.thread() if not item.partial and not item.copy_of]
        title = session.title or next((run.objective for run in runs if run.objective), "")
        children = {call.child for call in calls if call.child} - set(self._sidechains)
        return {
            "id": session.id,
            "title": title_line(clean(title), 120) or session.id,
            "agent": session.agent,
            "project": clean(session.project or ""),
            "channel": session.channel or "",
            "parent": session.parent or "",
            "cwd": clean(session.cwd or ""),
            "created": session.created.isoformat() if session.created else None,
            "updated": session.updated.isoformat() if session.updated else None,
            "messages": len(thread),
            "off": sum(message.thread == "off" for message in session.messages),
            "side": sum(message.thread == "side" for message in session.messages),
            "calls": sum(row[0] for row in tools.values()),
            "failed": sum(row[1] for row in tools.values()),
            "models": list(dict.fromkeys(m.model for m in session.messages if m.model)),
            "pages": [page.first for page in self._pages],
            "runs": self._runs,
            "sides": [
                {"id": name, "place": place, "page": page}
                for name, (place, page) in self._side.items()
            ],
            "children": sorted(children),
            "tools": tools,
            "hours": dict(hours),
            "images": sorted({name for item in session.messages for name in names_in(item)}),
            "masked": dict(self._masker.counts),
        }


def _without_files(message: Message) -> Message:
    """Return a message for the records of the export, where no image stands under its name."""
    if not any(names_in(message)):
        return message

    def bare(held: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
        return tuple(replace(item, file=None) for item in held)

    calls = tuple(replace(call, attachments=bare(call.attachments)) for call in message.calls)
    return replace(message, attachments=bare(message.attachments), calls=calls)


def _said(message: Message, texts: Texts) -> Iterator[str]:
    yield message.text
    yield from (item.text or item.name for item in message.attachments)
    for call in message.calls:
        yield _call_said(call, texts)


def _call_said(call: ToolCall, texts: Texts) -> str:
    arguments = shortened(arguments_text(call.arguments), texts, _FOUND_CHARACTERS)[0]
    return f"{call.name} {arguments}\n{(call.result or '')[:_FOUND_CHARACTERS]}"
