"""Answers a query from one opened commit."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.search.folder import Opened
from generator.search.masks import Mask
from generator.search.matching import Found
from generator.search.plan import Plan
from generator.search.ranking import Ranked, rank
from generator.search.results import Filters, Hit, Order, Pointer, Results, Searched, Snippet
from generator.search.snippet import make_snippet

ReadText = Callable[[Pointer], str]
"""Returns the text behind a pointer, empty when it cannot be read any more."""


MOST_INSIDE = 8
"""Terms up to which a missing one is looked for inside longer words: in a pasted stack trace of a
hundred words that would be slow, and what it finds there by chance is no help."""


@dataclass(frozen=True, slots=True)
class Page:
    """Which hits are asked for."""

    filters: Filters
    order: Order
    limit: int
    offset: int


def answer(
    opened: Opened, plans: Sequence[Plan], page: Page, read_text: ReadText, now: float
) -> Results:
    """Find, rank and show.

    Args:
        opened: What is searched.
        plans: The terms of the query; none lists everything that the filters pass.
        page: Which hits are wanted.
        read_text: Reads an entry's text from its file.
        now: The current time, in seconds since 1970.

    Raises:
        BrokenStoreError: The store turned out to be unusable.
    """
    masks = opened.masks.of(page.filters)
    used = [plan for plan in plans if plan.steps] or list(plans)
    inside = len(used) <= MOST_INSIDE
    found = [_find(opened, plan, masks, read_text, inside=inside) for plan in used]
    found = found or [_everything(opened, masks)]
    ranked, total, complete = rank(
        found,
        opened.snapshot.blocks,
        average=opened.average,
        order=page.order,
        now=now,
        wanted=page.offset + page.limit,
    )
    told = list(zip(used, found, strict=False))
    return Results(
        hits=tuple(_hit(opened, item, used, read_text) for item in ranked[page.offset :]),
        total=total,
        complete=complete,
        searched=describe(
            opened,
            page.filters,
            missing=tuple(plan.term.text for plan, item in told if not item.matches),
            inside=tuple(plan.term.text for plan, item in told if item.matches and item.inside),
            ignored=tuple(
                plan.term.text for plan in plans if not plan.steps and len(used) < len(plans)
            ),
            unchecked=sum(item.unchecked for item in found),
        ),
    )


def best_sessions(
    opened: Opened, plans: Sequence[Plan], page: Page, read_text: ReadText, now: float
) -> tuple[list[str], frozenset[str]]:
    """Return sessions by their best hit; no snippet is made.

    Args:
        opened: What is searched.
        plans: The terms of the query.
        page: Its limit and offset count sessions.
        read_text: Reads an entry's text, for literal checks.
        now: The current time, in seconds since 1970.

    Returns:
        The page's session ids, and the ids of all sessions that have a hit.
    """
    masks = opened.masks.of(page.filters)
    used = [plan for plan in plans if plan.steps] or list(plans)
    inside = len(used) <= MOST_INSIDE
    found = [_find(opened, plan, masks, read_text, inside=inside) for plan in used]
    blocks = opened.snapshot.blocks

    def session(block: int, entry: int) -> str:
        rows = blocks[block]
        return rows.places[rows.place_of[entry]].session

    held = frozenset(
        session(block, entry)
        for item in found
        for block, entries in item.matches.items()
        for entry in entries
    ) - {""}
    end = page.offset + page.limit
    wanted = 4 * end
    while True:
        ranked, total, _ = rank(
            found, blocks, average=opened.average, order=page.order, now=now, wanted=wanted
        )
        ordered = dict.fromkeys(session(item.block, item.entry) for item in ranked)
        ordered.pop("", None)
        if len(ordered) >= min(end, len(held)) or wanted >= total:
            return list(ordered)[page.offset : end], held
        wanted *= 4


def describe(
    opened: Opened,
    filters: Filters,
    *,
    missing: tuple[str, ...] = (),
    inside: tuple[str, ...] = (),
    ignored: tuple[str, ...] = (),
    unchecked: int = 0,
) -> Searched:
    """Say what an answer covers."""
    totals = opened.manifest.totals
    passed = opened.masks.passed(opened.masks.of(filters))
    emptied_by = None if passed else opened.masks.emptied_by(filters)
    return Searched(
        entries=totals.entries,
        files=len(opened.manifest.files),
        sources=totals.sources,
        oldest=totals.oldest,
        newest=totals.newest,
        passed=passed,
        emptied_by=emptied_by,
        known=opened.masks.known(emptied_by) if emptied_by else (),
        missing=missing,
        inside=inside,
        ignored=ignored,
        unchecked=unchecked,
        problems=totals.problems,
    )


def _find(
    opened: Opened, plan: Plan, masks: Sequence[Mask], read_text: ReadText, *, inside: bool
) -> Found:
    def text(block: int, entry: int) -> str:
        return read_text(_pointer(opened, block, entry))

    return opened.matcher.find(plan, masks, text, inside=inside)


def _everything(opened: Opened, masks: Sequence[Mask]) -> Found:
    matches = {}
    for number, (rows, mask) in enumerate(zip(opened.snapshot.blocks, masks, strict=True)):
        entries = range(rows.count)
        kept = entries if mask is None else [entry for entry in entries if mask[entry]]
        if kept:
            matches[number] = dict.fromkeys(kept, 1.0)
    return Found(matches, sum(map(len, matches.values())))


def _pointer(opened: Opened, block: int, entry: int) -> Pointer:
    rows = opened.snapshot.blocks[block]
    place = rows.places[rows.place_of[entry]]
    return Pointer(
        collection=place.collection,
        path=Path(place.path),
        start=rows.starts[entry],
        length=rows.sizes[entry],
        part=rows.name(entry)[1],
    )


def _hit(opened: Opened, item: Ranked, plans: Sequence[Plan], read_text: ReadText) -> Hit:
    hit = bare_hit(opened, item.block, item.entry)
    return replace(
        hit,
        score=round(item.score, 4),
        complete=item.complete,
        snippet=make_snippet(read_text(hit.pointer), plans),
    )


def bare_hit(opened: Opened, block: int, entry: int) -> Hit:
    """Return an entry as a hit that nothing was looked for in: no score, no snippet."""
    rows = opened.snapshot.blocks[block]
    place = rows.places[rows.place_of[entry]]
    kind = rows.kinds[rows.kind_of[entry]]
    time = rows.times[entry]
    return Hit(
        ref=place.ref + rows.name(entry)[0],
        source=kind.source,
        session=place.session,
        agent=place.agent,
        project=place.project,
        role=kind.role,
        tool=kind.tool,
        thread=kind.thread,
        ts=None if math.isnan(time) else time,
        score=0.0,
        complete=False,
        snippet=Snippet(text=""),
        pointer=_pointer(opened, block, entry),
    )
