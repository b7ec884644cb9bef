"""The digest of some days as ``memory`` gives it: structured, and as an agent reads it."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from generator import limits
from generator.counting import counted
from generator.history.digest import Line
from generator.recall.digest import DayDigest, Digest, SessionDigest, Told
from generator.recall.quoting import one_line, quote
from generator.tools.base import Result


class LineView(Result):
    """One line, and where it stands."""

    text: str = Field(description="what it says, cut to one line")
    ref: str = Field(description="its ref; memory_get returns the whole")


class ToldView(Result):
    """A request with what came of it."""

    asked: LineView | None = Field(description="the request; null when told before or missing")
    outcome: LineView | None = Field(
        description="the telling sentence of the reply; null when told before or missing"
    )


class ToolLineView(Result):
    """How often a tool was called."""

    name: str = Field(description="the tool")
    calls: int = Field(description="calls that day")
    failed: int = Field(description="calls that failed or were denied")
    ref: str = Field(description="ref of the newest failed call, else of the newest call")


class SessionDigestView(Result):
    """What one session did on one day."""

    ref: str = Field(description="the session's ref")
    title: str = Field(description="its title or project; empty when it has none")
    agent: str = Field(description="the agent")
    runs: int = Field(description="requests that day")
    tokens: int | None = Field(description="tokens they cost; null when unknown")
    told: list[ToldView] = Field(description="requests and outcomes, in order")
    more: list[LineView] = Field(description="further telling sentences, in order")
    tools: list[ToolLineView] = Field(description="tools, the most used first")
    failures: list[LineView] = Field(description="what failed calls brought back")
    files: list[LineView] = Field(description="files that calls named, with the first call")
    links: list[LineView] = Field(description="addresses, with where they first stood")
    left_out: dict[str, int] = Field(description="lines of each kind that found no room")


class DayDigestView(Result):
    """What was done on one day."""

    day: str | None = Field(description="the day; null for what has no time")
    tokens: int | None = Field(description="tokens of all sessions that day; null when unknown")
    cost: float | None = Field(description="US dollars as far as known; null when unknown")
    facts: list[LineView] = Field(description="facts and decisions saved that day")
    sessions: list[SessionDigestView] = Field(description="what each session did")


class DigestView(Result):
    """A digest of some days."""

    days: list[DayDigestView] = Field(description="days on which something was done, in order")
    period: str = Field(description="the days that were looked at")
    focus: str = Field(description="what it is about; empty for everything")
    sessions: int = Field(description="sessions with something to tell")
    runs: int = Field(description="their requests")
    tokens: int | None = Field(description="tokens of the whole period; null when unknown")
    cost: float | None = Field(description="US dollars as far as known; null when unknown")
    unpriced: int = Field(description="requests to models without a price: not in the cost")
    untold: list[str] = Field(description="refs of sessions that found no room")
    unread: int = Field(description="sessions of the period that were too many to be read")
    off_focus: int = Field(description="requests that do not speak of the focus")
    characters: int = Field(description="characters of all lines and refs")
    limit: int = Field(description="characters they keep to")


def digest_view(digest: Digest, period: str, focus: str) -> DigestView:
    """Give a digest.

    Args:
        digest: The digest.
        period: Its days, in words.
        focus: What it is about.
    """
    return DigestView(
        days=[_day(day) for day in digest.days],
        period=period,
        focus=focus,
        sessions=digest.sessions,
        runs=digest.runs,
        tokens=digest.tokens,
        cost=digest.cost,
        unpriced=digest.unpriced,
        untold=list(digest.untold),
        unread=digest.unread,
        off_focus=digest.off_focus,
        characters=digest.characters,
        limit=limits.DIGEST_CHARACTERS,
    )


def _day(day: DayDigest) -> DayDigestView:
    return DayDigestView(
        day=day.day.isoformat() if day.day else None,
        tokens=day.tokens,
        cost=day.cost,
        facts=_lines(day.facts),
        sessions=[_session(session) for session in day.sessions],
    )


def _session(digest: SessionDigest) -> SessionDigestView:
    return SessionDigestView(
        ref=digest.ref,
        title=digest.title,
        agent=digest.agent,
        runs=digest.runs,
        tokens=digest.tokens,
        told=[_told(told) for told in digest.told],
        more=_lines(digest.more),
        tools=[
            ToolLineView(name=tool.name, calls=tool.calls, failed=tool.failed, ref=tool.ref)
            for tool in digest.tools
        ],
        failures=_lines(digest.failures),
        files=_lines(digest.files),
        links=_lines(digest.links),
        left_out={kind: count for kind, count in digest.left_out.items() if count},
    )


def _told(told: Told) -> ToldView:
    return ToldView(
        asked=_lines([told.asked])[0] if told.asked else None,
        outcome=_lines([told.outcome])[0] if told.outcome else None,
    )


def _lines(lines: Sequence[Line]) -> list[LineView]:
    return [LineView(text=line.text, ref=line.ref) for line in lines]


def digest_lines(view: DigestView) -> list[str]:
    """Write a digest for an agent: a heading a day, a block a session, a ref on every line."""
    about = f" about {one_line(view.focus, 100)!r}" if view.focus else ""
    lines = [
        f"{view.period}{about}: {counted(view.runs, 'request')} in {counted(view.sessions, 'session')}"
        f"{_spent(view.tokens, view.cost)}."
    ]
    if view.off_focus:
        lines.append(f"Not about it: {counted(view.off_focus, 'request')}.")
    if not view.days:
        lines.append("Nothing is recorded of these days; that is no proof that nothing was done.")
    for day in view.days:
        lines += ["", f"{day.day or 'No time known'}{_spent(day.tokens, day.cost)}"]
        lines += [quote(f"saved: {line.text}  {line.ref}") for line in day.facts]
        for session in day.sessions:
            lines += _session_lines(session)
    lines += ["", f"{view.characters} characters of lines; a digest keeps to {view.limit}."]
    if view.untold:
        lines.append(f"No room for: {', '.join(view.untold[:20])}. Ask for fewer days or a focus.")
    if view.unread:
        lines.append(
            f"{view.unread} older sessions of these days were not read: ask for fewer days."
        )
    if view.unpriced:
        lines.append(
            f"The cost leaves out {counted(view.unpriced, 'request')} to models without a price."
        )
    return lines


def _session_lines(view: SessionDigestView) -> list[str]:
    facts = [view.agent, counted(view.runs, "request")]
    if view.tokens is not None:
        facts.append(counted(view.tokens, "token"))
    lines = [f"{view.ref}  ({', '.join(facts)})"]
    if view.title:
        lines.append(quote(view.title))
    for told in view.told:
        if told.asked:
            lines.append(quote(f"asked: {told.asked.text}  {told.asked.ref}"))
        if told.outcome:
            lines.append(quote(f"=> {told.outcome.text}  {told.outcome.ref}"))
    lines += [quote(f"also: {line.text}  {line.ref}") for line in view.more]
    for tool in view.tools:
        failed = f", {tool.failed} failed" if tool.failed else ""
        lines.append(
            f"  {one_line(tool.name, 80)}: {counted(tool.calls, 'call')}{failed}  {tool.ref}"
        )
    for name, found in (
        ("failed", view.failures),
        ("file", view.files),
        ("link", view.links),
    ):
        lines += [quote(f"{name}: {one_line(line.text, 200)}  {line.ref}", "  ") for line in found]
    if view.left_out:
        left = ", ".join(f"{count} {kind}" for kind, count in view.left_out.items())
        lines.append(f"  (no room for {left})")
    return lines


def _spent(tokens: int | None, cost: float | None) -> str:
    told = [counted(tokens, "token")] if tokens is not None else []
    told += [f"${cost:,.4f}"] if cost is not None else []
    return f", {', '.join(told)}" if told else ""
