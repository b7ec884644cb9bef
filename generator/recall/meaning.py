"""Search by meaning, and by words and meaning together."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from generator import limits
from generator.paths import Home
from generator.recall.search import Answer, ask, find, shown
from generator.recall.store import Recall
from generator.search import Filters, Hit

if TYPE_CHECKING:
    from generator.search.meaning import Covered, Meaning

_KEPT = 2
# So many hits of each kind are joined: what stands further down never comes into an answer.
_WORDS_DEPTH = 100
_NEAR_DEPTH = 200
# Measured on benchmarks/data/recall-choice.jsonl, which has no pair of those that are reported:
# from a half to two thirds nothing is lost against words alone; with less, paraphrases are.
_MEANING_WEIGHT = 2 / 3
_opened: dict[tuple[Home, int], Meaning] = {}
_lock = threading.Lock()

NOT_INSTALLED = (
    "search by meaning is not installed here (pip install 'fieldguide[semantic]'), so these are "
    "keyword hits: ask with several wordings"
)
"""What an answer says when the extra is missing."""


def open_meaning(recall: Recall) -> Meaning | None:
    """Return the search by meaning of a home; None when its extra is not installed."""
    from generator.search.embedding import find_model

    model = find_model()
    if model is None:
        return None
    from generator.search.meaning import Meaning

    workspace = recall.workspace
    index, messages = recall.index, workspace.settings.semantic_messages
    with _lock:
        found = _opened.pop((workspace.home, messages), None)
        if found is None or found.index is not index:
            path = workspace.home.index / "meaning.vectors"
            found = Meaning(index, path, model, messages)
        _opened[workspace.home, messages] = found
        while len(_opened) > _KEPT:
            del _opened[next(iter(_opened))]
    return found


def bring_up_to_date(recall: Recall, seconds: float | None = None) -> Covered | None:
    """Make the vectors that are missing, telling the door how far it is.

    Args:
        recall: The home; its index was brought up to date before.
        seconds: Stop after so long; None does all.

    Returns:
        What is covered; None when the extra is not installed.
    """
    meaning = open_meaning(recall)
    if meaning is None:
        return None
    report = recall.workspace.progress
    return meaning.refresh(seconds, lambda done, of: report("Reading meanings", done, of))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search by meaning, or by both, found.

    Attributes:
        answer: The hits and what was searched.
        notes: What the meanings cover, and why they do not where they do not.
        by_meaning: Whether meanings had a part in it.
    """

    answer: Answer
    notes: tuple[str, ...]
    by_meaning: bool


def find_by_meaning(
    recall: Recall, query: str, filters: Filters, *, limit: int, offset: int = 0
) -> Found:
    """Find messages by what they mean; by their words where the extra is not installed.

    Args:
        recall: The home; its index takes in what changed first.
        query: What is meant, in words.
        filters: Which messages may be hits.
        limit: How many hits to give.
        offset: How many to leave out before.

    Raises:
        UsageError: The query holds no word.
        IndexUnavailableError: There is no index and none can be made.
    """
    words = find(recall, query, filters, limit=limit, offset=offset)
    meaning, notes = _ready(recall)
    if meaning is None:
        return Found(answer=words, notes=notes, by_meaning=False)
    hits, total = meaning.nearest(query, filters, limit + offset)
    searched = replace(words.searched, missing=(), inside=(), ignored=(), unchecked=0)
    answer = Answer(
        hits=tuple(shown(meaning.with_snippet(hit), recall) for hit in hits[offset:]),
        total=total,
        searched=searched,
    )
    return Found(answer=answer, notes=notes, by_meaning=True)


def find_by_both(
    recall: Recall, query: str, filters: Filters, *, limit: int, offset: int = 0
) -> Found:
    """Find entries by their words and messages by what they mean, in one order.

    Hits that hold all words come first, as in every search. What a hit is worth is the sum of
    two parts: its score for words, as a share of the best one, and at two thirds of that weight
    how near it is in meaning, from the farthest to the nearest of those that were looked at.

    Args:
        recall: The home; its index takes in what changed first.
        query: Words, and what is meant by them.
        filters: Which entries may be hits.
        limit: How many hits to give.
        offset: How many to leave out before.

    Raises:
        UsageError: The query holds no word.
        IndexUnavailableError: There is no index and none can be made.
    """
    by_words = ask(recall, query, filters, (max(_WORDS_DEPTH, limit + offset), 0), "relevance")
    meaning, notes = _ready(recall)
    near = meaning.nearest(query, filters, max(_NEAR_DEPTH, limit + offset))[0] if meaning else []
    known = {hit.ref for hit in by_words.hits}
    page = _joined(by_words.hits, near)[offset : offset + limit]
    if meaning is not None:
        page = [hit if hit.ref in known else meaning.with_snippet(hit) for hit in page]
    answer = Answer(
        hits=tuple(shown(hit, recall) for hit in page),
        total=by_words.total + sum(hit.ref not in known for hit in near),
        searched=by_words.searched,
    )
    return Found(answer=answer, notes=notes, by_meaning=meaning is not None)


def _joined(by_words: Sequence[Hit], near: Sequence[Hit]) -> list[Hit]:
    best = max((hit.score for hit in by_words), default=0.0) or 1.0
    nearest, farthest = (near[0].score, near[-1].score) if near else (0.0, 0.0)
    breadth = (nearest - farthest) or 1.0
    hits = {hit.ref: hit for hit in (*near, *by_words)}
    scores: dict[str, float] = dict.fromkeys(hits, 0.0)
    for hit in by_words:
        scores[hit.ref] += hit.score / best
    for hit in near:
        scores[hit.ref] += _MEANING_WEIGHT * (hit.score - farthest) / breadth
    ranked = sorted(hits, key=lambda ref: (not hits[ref].complete, -scores[ref]))
    return [replace(hits[ref], score=round(scores[ref], 4)) for ref in ranked]


def _ready(recall: Recall) -> tuple[Meaning | None, tuple[str, ...]]:
    """Return the search by meaning with the newest messages taken in, and what it covers."""
    covered = bring_up_to_date(recall, limits.SEMANTIC_SECONDS)
    if covered is None:
        return None, (NOT_INSTALLED,)
    notes = []
    since = ""
    if covered.oldest is not None:
        since = (
            f", back to {datetime.fromtimestamp(covered.oldest, recall.workspace.zone):%Y-%m-%d}"
        )
    if covered.messages < covered.total:
        notes.append(
            f"meanings cover the newest {covered.messages} of {covered.total} messages{since}"
        )
    if covered.messages < covered.wanted:
        notes.append(
            f"{covered.wanted - covered.messages} more follow with the next searches, or at once "
            "with 'fieldguide history index'"
        )
    if covered.problem:
        notes.append(f"the newest messages are not searched by meaning yet: {covered.problem}")
    return open_meaning(recall), tuple(notes)
