"""Puts matches in order: hits with all words first, then BM25, recency or time.

BM25 with k1 = 1.2 and b = 0.75, the usual constants (Robertson and Zaragoza, 2009).
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from generator.search.blocks import LENGTHS, Rows, known_time
from generator.search.matching import Found
from generator.search.results import Order

_K1 = 1.2
_B = 0.75

_COMMON = 0.05
"""Part of all entries that hold a word, from which it is common."""

HALF_LIFE = 30 * 24 * 3600.0
"""Seconds after which an entry counts half as much as a new one in the order ``recent``."""

_FADED = 0.25
"""What is left of the score of a very old entry in that order."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One entry in its place.

    Attributes:
        block: Number of its block.
        entry: Its number in the block.
        score: Higher is better.
        complete: Whether it holds all terms.
    """

    block: int
    entry: int
    score: float
    complete: bool


def average_length(blocks: Sequence[Rows]) -> float:
    """Return the mean length of all entries in tokens, at least 1."""
    entries = sum(rows.count for rows in blocks)
    return max(1.0, sum(rows.tokens for rows in blocks) / entries) if entries else 1.0


def rank(
    found: Sequence[Found],
    blocks: Sequence[Rows],
    *,
    average: float,
    order: Order,
    now: float,
    wanted: int,
) -> tuple[list[Ranked], int, int]:
    """Rank what the terms of a query found.

    Args:
        found: What each term found.
        blocks: All blocks.
        average: Mean length of all entries in tokens.
        order: What comes first among hits with all terms, and among the others.
        now: The current time, in seconds since 1970.
        wanted: How many to return.

    Returns:
        The best entries, the number of all matches, and of those with all terms.
    """
    filtered = [item.matches for item in found]
    entries = max(1, sum(rows.count for rows in blocks))
    weights = [_inverse_frequency(item.held, entries) for item in found]
    saturation = [_K1 * (1 - _B + _B * length / average) for length in LENGTHS]
    telling = [number for number, item in enumerate(found) if item.held <= _COMMON * entries]
    groups: list[tuple[int, bool, set[int]]] = []
    told: dict[int, set[int]] = {}
    total = complete = 0
    for block in sorted(set().union(*filtered)):
        held = [set(matches.get(block, ())) for matches in filtered]
        whole = set.intersection(*held)
        every = set.union(*held)
        total += len(every)
        complete += len(whole)
        groups += [(block, True, whole), (block, False, every - whole)]
        told[block] = set().union(*(held[number] for number in telling))
    # What holds only common words cannot come before what holds a telling one, unless time alone
    # decides: it need not be weighed when there are enough others.
    enough = order in {"relevance", "recent"} and sum(map(len, told.values())) >= wanted
    best: list[tuple[bool, float, float, int, int, float]] = []
    for block, whole_group, chosen in groups:
        if chosen and (whole_group or complete < wanted):
            if enough and not whole_group:
                chosen &= told[block]  # noqa: PLW2901
            rows = blocks[block]
            parts = [matches.get(block, {}) for matches in filtered]
            scores = _scores(chosen, parts, weights, saturation, rows.lengths)
            keys = _keys(scores, rows.times, order, now)
            best += [
                (
                    whole_group,
                    keys[entry],
                    known_time(rows.times[entry]),
                    -block,
                    -entry,
                    scores[entry],
                )
                for entry in _leading(keys, wanted)
            ]
    top = heapq.nlargest(wanted, best)
    ranked = [Ranked(-block, -entry, score, whole) for whole, _, _, block, entry, score in top]
    return ranked, total, complete


def _inverse_frequency(held: int, entries: int) -> float:
    return math.log(1 + (max(0, entries - held) + 0.5) / (held + 0.5))


def _scores(
    chosen: set[int],
    parts: Iterable[dict[int, float]],
    weights: Sequence[float],
    saturation: Sequence[float],
    lengths: bytes,
) -> dict[int, float]:
    scores: dict[int, float] = {}
    for held, weight in zip(parts, weights, strict=True):
        factor = weight * (_K1 + 1)
        if len(held) > 2 * len(chosen):
            held = {entry: held[entry] for entry in chosen if entry in held}  # noqa: PLW2901
        elif held.keys() != chosen:
            held = {e: count for e, count in held.items() if e in chosen}  # noqa: PLW2901
        if scores:
            known = scores.get
            for entry, count in held.items():
                scores[entry] = known(entry, 0.0) + factor * count / (
                    count + saturation[lengths[entry]]
                )
        else:
            scores = {
                entry: factor * count / (count + saturation[lengths[entry]])
                for entry, count in held.items()
            }
    return scores


def _keys(
    scores: dict[int, float], times: Sequence[float], order: Order, now: float
) -> dict[int, float]:
    """Return what decides the order, by entry; higher comes first."""
    if order == "relevance":
        return scores
    if order == "newest":
        return {entry: known_time(times[entry]) for entry in scores}
    if order == "oldest":
        return {entry: -time if (time := times[entry]) == time else -math.inf for entry in scores}
    return {
        entry: score
        * (_FADED + (1 - _FADED) * 0.5 ** (max(0.0, now - known_time(times[entry])) / HALF_LIFE))
        for entry, score in scores.items()
    }


def _leading(keys: dict[int, float], wanted: int) -> Iterable[int]:
    """Return the entries that may be among the first; all with the last key that may be."""
    if len(keys) <= wanted:
        return keys
    cutoff = heapq.nlargest(wanted, keys.values())[-1]
    return [entry for entry, key in keys.items() if key >= cutoff]
