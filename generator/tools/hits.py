"""Hits and what an answer covers, as every searching tool gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from pydantic import Field

from generator import limits
from generator.counting import counted
from generator.history.refs import conversation_places, conversation_ref, parse_ref
from generator.model.session import Message
from generator.recall.days import local
from generator.recall.quoting import one_line, quote
from generator.recall.search import Answer, Shown
from generator.recall.store import Recall
from generator.search import Hit
from generator.timestamps import Span
from generator.tools.base import Result
from generator.tools.views import OUTSIDE, framed, note_lines

_ECHO = 200  # characters of a query that an answer repeats
_MISSING_SHOWN = 12  # words of a query that stand nowhere; a pasted log has many

# The filters of the index under the names that callers know.
_ARGUMENTS = {
    "sources": "sources",
    "sessions": "session",
    "not_sessions": "session",
    "agents": "agent",
    "projects": "project",
    "roles": "role",
    "tools": "tool",
    "threads": "thread",
}


_NEIGHBOUR_CHARACTERS = 200


def _is_empty(value: list[object]) -> bool:
    return not value


class HitView(Result):
    """One thing that was found; its neighbours are given where they were asked for."""

    ref: str = Field(description="its ref; memory_get returns the whole")
    source: str = Field(description="conversation, task, note, error, ...")
    session: str = Field(description="session id; empty when it belongs to none")
    agent: str = Field(description="the agent; empty when it belongs to none")
    project: str = Field(description="the project; empty when unknown")
    ts: str | None = Field(description="when, in the configured zone; null when unknown")
    role: str = Field(description="user, assistant or tool; empty outside conversations")
    thread: str = Field(description="active, off (rewound, edited, regenerated) or side")
    snippet: str = Field(description="a line of its text, found words between ** and **")
    score: float = Field(description="higher is better; comparable in this answer only")
    before: list[NeighbourView] = Field(
        default_factory=list,
        exclude_if=_is_empty,
        description="match=semantic: the messages before it",
    )
    after: list[NeighbourView] = Field(
        default_factory=list,
        exclude_if=_is_empty,
        description="match=semantic: the message after it",
    )


class NeighbourView(Result):
    """A message that stands beside a hit."""

    ref: str = Field(description="its ref; memory_get returns the whole")
    role: str = Field(description="user or assistant")
    text: str = Field(description="how it begins, on one line")


class SearchedView(Result):
    """What an answer covers: a miss says what is recorded here, never what happened."""

    query: str | None = Field(description="what was looked for; null when only filters were given")
    filters: dict[str, list[str]] = Field(description="filters that were given, by argument")
    after: str | None = Field(description="first moment that counted; null for no bound")
    before: str | None = Field(description="first moment that no longer counted")
    entries: int = Field(description="entries in the index")
    files: int = Field(description="files they come from")
    sources: dict[str, int] = Field(description="entries by source")
    oldest: str | None = Field(description="time of the oldest entry")
    newest: str | None = Field(description="time of the newest entry: searched until then")
    passed: int = Field(description="entries that the filters let through")
    emptied_by: str | None = Field(description="the filter that left nothing, when one did")
    known: list[str] = Field(description="values that filter could have taken")
    missing: list[str] = Field(description="words of the query that stand nowhere")
    inside: list[str] = Field(description="words found only inside longer words")
    notes: list[str] = Field(description="what the caller should know about this answer")


class SearchResult(Result):
    """What was found."""

    hits: list[HitView] = Field(description="best first")
    total: int = Field(description="entries that match in all")
    searched: SearchedView = Field(description="what the answer covers")


def search_result(
    answer: Answer,
    recall: Recall,
    *,
    query: str | None,
    filters: Mapping[str, Sequence[str]],
    span: Span,
    notes: Sequence[str] = (),
    around: bool = False,
) -> SearchResult:
    """Give the answer to a search.

    Args:
        answer: The answer.
        recall: The home that was searched.
        query: What was looked for.
        filters: What the caller gave, by argument; empty ones are left out.
        span: The span of time.
        notes: What the caller should know beside.
        around: Give each message with the ones before and after it.
    """
    searched = answer.searched
    workspace = recall.workspace
    stale = [searched.stale] if searched.stale else []
    emptied = "after and before" if searched.emptied_by in ("after", "before") else None
    emptied = emptied or _ARGUMENTS.get(searched.emptied_by or "", searched.emptied_by)
    hits = _within_budget([_hit_view(shown, recall, around) for shown in answer.hits])
    if len(hits) < len(answer.hits):
        notes = [
            *notes,
            f"{len(hits)} hits fill one answer: read on with a higher offset",
        ]
    return SearchResult(
        hits=hits,
        total=answer.total,
        searched=SearchedView(
            query=query if query is None else _echo(query),
            filters={name: list(values) for name, values in filters.items() if values},
            after=local(span.start, workspace),
            before=local(span.end, workspace),
            entries=searched.entries,
            files=searched.files,
            sources=dict(searched.sources),
            oldest=_when(searched.oldest, recall),
            newest=_when(searched.newest, recall),
            passed=searched.passed,
            emptied_by=emptied,
            known=list(searched.known),
            missing=[_echo(word) for word in searched.missing],
            inside=[_echo(word) for word in searched.inside],
            notes=[*notes, *stale, *searched.problems],
        ),
    )


def _echo(query: str) -> str:
    """Give back what was asked, shortened: a pasted log must not fill the answer."""
    return query if len(query) <= _ECHO else f"{query[: _ECHO - 1]}…"


def _hit_view(shown: Shown, recall: Recall, around: bool) -> HitView:
    hit = shown.hit
    beside = _neighbours(hit, recall) if around else {}
    return HitView(
        ref=hit.ref,
        source=hit.source,
        session=hit.session,
        agent=hit.agent,
        project=hit.project,
        ts=_when(hit.ts, recall),
        role=hit.role,
        thread=hit.thread,
        snippet=shown.snippet,
        score=hit.score,
        **beside,
    )


def _neighbours(hit: Hit, recall: Recall) -> dict[str, list[NeighbourView]]:
    """Return the messages of the same thread before and after a message."""
    for place in conversation_places(parse_ref(hit.ref)):
        row = recall.reader.exact(place.session)
        if row is not None and place.message is not None:
            break
    else:
        return {}
    number = place.message
    # Messages off the thread may lie between: a few more are read than are shown.
    reach = range(max(1, number - 8), number + 6)
    found = recall.reader.messages(row, reach, place.agent or "")
    beside = [
        message
        for message in found
        if message.n != number and message.thread == hit.thread and message.text
    ]
    before = [message for message in beside if message.n < number][-limits.SEMANTIC_BEFORE :]
    after = [message for message in beside if message.n > number][: limits.SEMANTIC_AFTER]

    def view(message: Message) -> NeighbourView:
        text, _ = recall.veil.excerpt(message.text, _NEIGHBOUR_CHARACTERS * 4)
        return NeighbourView(
            ref=conversation_ref(row.id, message.n, agent=message.agent),
            role=message.role,
            text=one_line(text, _NEIGHBOUR_CHARACTERS),
        )

    return {"before": [view(item) for item in before], "after": [view(item) for item in after]}


def _within_budget(hits: list[HitView]) -> list[HitView]:
    left = limits.HITS_CHARACTERS
    for at, hit in enumerate(hits):
        left -= len(hit.ref) + len(hit.snippet) + len(hit.project) + 100
        left -= sum(len(item.ref) + len(item.text) for item in (*hit.before, *hit.after))
        if left < 0 and at:
            return hits[:at]
    return hits


def _when(seconds: float | None, recall: Recall) -> str | None:
    if seconds is None:
        return None
    return local(datetime.fromtimestamp(seconds, UTC), recall.workspace)


def search_text(hits: Sequence[HitView], total: int, searched: SearchedView) -> str:
    """Write hits for an agent, or what a miss means."""
    asked = f" for {searched.query!r}" if searched.query else ""
    since = f", from {searched.after}" if searched.after else ""
    until = f", before {searched.before}" if searched.before else ""
    lines = [f"{len(hits)} of {total} hits{asked}{since}{until}."]
    if not total:
        lines += _miss_lines(searched)
    elif searched.missing:
        named = ", ".join(one_line(word, 60) for word in searched.missing[:_MISSING_SHOWN])
        more = len(searched.missing) - _MISSING_SHOWN
        lines.append(f"Nowhere recorded: {named}{f' and {more} more' if more > 0 else ''}.")
    for hit in hits:
        facts = [hit.source, hit.role, hit.agent, hit.project, hit.ts, OUTSIDE.get(hit.thread)]
        lines += [
            "",
            f"{hit.ref}  ({', '.join(one_line(fact, 80) for fact in facts if fact)})",
            *(quote(f"({item.role}) {item.text}", "  ") for item in hit.before),
            quote(hit.snippet),
            *(quote(f"({item.role}) {item.text}", "  ") for item in hit.after),
        ]
    if hits and len(hits) < total:
        lines += ["", "More: a higher limit, offset, or filters that narrow it."]
    return framed([*lines, *note_lines(searched.notes)])


def _miss_lines(searched: SearchedView) -> list[str]:
    if not searched.entries:
        return ["Nothing is indexed yet: 'fieldguide history add PATH' fills the archive."]
    held = ", ".join(f"{name} {count}" for name, count in searched.sources.items())
    lines = [
        f"Searched {counted(searched.entries, 'entry', 'entries')} of {searched.files} files ({held}), "
        f"from {searched.oldest or 'an unknown time'} until {searched.newest or 'an unknown time'}."
    ]
    if searched.emptied_by:
        known = ", ".join(one_line(value, 60) for value in searched.known)
        lines.append(
            f"The filter {searched.emptied_by} left nothing to search"
            + (f"; it could be: {known}." if known else ".")
        )
    elif searched.passed < searched.entries:
        lines.append(f"The filters let {counted(searched.passed, 'entry', 'entries')} through.")
    lines.append(
        "That is what is recorded here, not proof that it never was: try another wording before "
        "saying so."
    )
    return lines
