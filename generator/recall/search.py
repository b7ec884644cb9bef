"""Finding: one query over every room, hits without secrets, and what the answer covers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from generator.exceptions import NotFoundError, UnknownNameError
from generator.recall.store import Recall
from generator.recall.veil import Veil
from generator.search import Filters, Hit, Order, Results, Searched
from generator.timestamps import Span

SOURCES = (
    *("conversation", "task", "episode", "knowledge", "consolidated", "reflection", "feedback"),
    *("usage", "corpus", "log", "artifact", "doc", "note", "error", "report"),
)
"""Where an entry can come from: those of Wolffish, and our notes, errors and reports."""

_OPENING, _CLOSING = "**", "**"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A hit as it may be shown.

    Attributes:
        hit: The hit.
        snippet: Its snippet with the found words marked and secrets masked.
    """

    hit: Hit
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a search found.

    Attributes:
        hits: The page that was asked for, best first.
        total: How many entries match in all.
        searched: What the answer covers.
    """

    hits: tuple[Shown, ...]
    total: int
    searched: Searched


def named_sources(given: Iterable[str]) -> tuple[str, ...]:
    """Judge the names of sources; a plural counts as its singular.

    Raises:
        UnknownNameError: One is no source.
    """
    chosen: dict[str, None] = {}
    for name in given:
        plain = name.strip().lower()
        if plain in ("", "all"):
            continue
        if plain not in SOURCES and plain.removesuffix("s") in SOURCES:
            plain = plain.removesuffix("s")
        if plain not in SOURCES:
            raise UnknownNameError("source", name.strip(), SOURCES)
        chosen[plain] = None
    return tuple(chosen)


def session_ids(recall: Recall, name: str | None) -> tuple[str, ...]:
    """Return the session a filter names, by a unique suffix as well.

    A name that no session has is kept as it is: the answer then says that it let nothing through.

    Raises:
        UsageError: Several sessions fit.
    """
    if not name:
        return ()
    try:
        return (recall.reader.find(name).id,)
    except NotFoundError:
        return (name,)


def within(filters: Filters, span: Span) -> Filters:
    """Hold a filter to a span of time."""
    return replace(
        filters,
        after=span.start.timestamp() if span.start else None,
        before=span.end.timestamp() if span.end else None,
    )


def find(
    recall: Recall,
    query: str | None,
    filters: Filters,
    *,
    limit: int,
    offset: int = 0,
    order: Order = "relevance",
) -> Answer:
    """Find entries.

    Args:
        recall: The home; its index takes in what changed first.
        query: What to look for; None lists what the filters let through, the newest first.
        filters: Which entries may be hits.
        limit: How many hits to give.
        offset: How many to leave out before.
        order: What comes first among hits with all words.

    Raises:
        UsageError: The query holds no word.
        IndexUnavailableError: There is no index and none can be made.
    """
    results = ask(recall, query, filters, (limit, offset), order)
    return Answer(
        hits=tuple(shown(hit, recall) for hit in results.hits),
        total=results.total,
        searched=results.searched,
    )


def find_current_first(
    recall: Recall, query: str | None, filters: Filters, *, current: str, limit: int, offset: int
) -> Answer:
    """Find entries of one session, then those of all others.

    Args:
        recall: As for :func:`find`.
        query: As for :func:`find`.
        filters: Which entries may be hits, whatever their session.
        current: Id of the session that comes first.
        limit: How many hits to give in all.
        offset: How many to leave out before.
    """
    own = replace(filters, sessions=(current,))
    others = replace(filters, not_sessions=(current,))
    first = find(recall, query, own, limit=limit, offset=offset)
    rest = find(
        recall,
        query,
        others,
        limit=max(0, limit - len(first.hits)),
        offset=max(0, offset - first.total),
    )
    passed = first.searched.passed + rest.searched.passed
    searched = replace(
        rest.searched,
        passed=passed,
        emptied_by=None if passed else rest.searched.emptied_by,
        known=() if passed else rest.searched.known,
        missing=tuple(word for word in rest.searched.missing if word in first.searched.missing),
        inside=tuple(word for word in rest.searched.inside if word in first.searched.inside),
    )
    return Answer(hits=first.hits + rest.hits, total=first.total + rest.total, searched=searched)


def best_sessions(
    recall: Recall, query: str, sessions: tuple[str, ...], *, limit: int, offset: int
) -> tuple[list[str], frozenset[str]]:
    """Return sessions that a query finds something in, the best hit first.

    Args:
        recall: The home; its index takes in what changed first.
        query: What to look for.
        sessions: The only sessions that count; empty for all.
        limit: How many to return.
        offset: How many to leave out before.

    Returns:
        The page's session ids, and the ids of all sessions that have a hit.
    """
    recall.refresh()
    filters = Filters(sources=("conversation", "task"), sessions=sessions)
    return recall.index.best_sessions(
        query, filters=filters, limit=limit, offset=offset, refresh=False
    )


def ask(
    recall: Recall, query: str | None, filters: Filters, page: tuple[int, int], order: Order
) -> Results:
    """Ask the index; what changed is taken in first.

    Args:
        recall: The home.
        query: What to look for; None lists what the filters let through, by time.
        filters: Which entries may be hits.
        page: Limit and offset.
        order: What comes first.
    """
    refreshed = recall.refresh()
    limit, offset = page
    if query is None:
        by_time: Order = "oldest" if order == "oldest" else "newest"
        results = recall.index.browse(
            filters=filters, order=by_time, limit=limit, offset=offset, refresh=False
        )
    else:
        results = recall.index.search(
            query, filters=filters, order=order, limit=limit, offset=offset, refresh=False
        )
    return replace(results, searched=replace(results.searched, stale=refreshed.stale))


def shown(hit: Hit, recall: Recall) -> Shown:
    """Give a hit as it may be shown."""
    whole = recall.index.text(hit.pointer)
    return Shown(hit=hit, snippet=_marked(hit, recall.veil, whole))


def _marked(hit: Hit, veil: Veil, whole: str) -> str:
    """Write a snippet with its marks, masking what is part of a secret of the whole text."""
    text = hit.snippet.text
    hidden = veil.parts_of_secrets(text, whole)
    cuts = [(start, end, f"[masked:{kind}]") for start, end, kind in hidden]
    for start, end in hit.snippet.marks:
        if all(end <= first or start >= last for first, last, _ in hidden):
            cuts.append((start, end, f"{_OPENING}{text[start:end]}{_CLOSING}"))
    pieces, at = [], 0
    for start, end, written in sorted(cuts):
        pieces += [text[at:start], written]
        at = end
    return "".join([*pieces, text[at:]])
