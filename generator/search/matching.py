"""Which entries of a snapshot hold a term."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from generator.search.blocks import BYTE_ORDER, Rows, known_time
from generator.search.engine import Snapshot
from generator.search.literal import holds
from generator.search.masks import Mask
from generator.search.plan import Plan, Step

Matches = dict[int, dict[int, float]]
"""By block, by entry: how often (stems and parts of a phrase count as once)."""

Text = Callable[[int, int], str]
"""Returns the text of (block, entry)."""

TEXTS_READ = 5_000
"""Texts that are read to check what tokens cannot tell, for one term of one query."""

_STEM_WEIGHT = 0.7


@dataclass(frozen=True, slots=True)
class Found:
    """What a term found.

    Attributes:
        matches: The entries under the filters.
        held: How many entries hold the term without the filters, about.
        inside: Whether they hold it inside longer words.
        unchecked: Candidates whose text was not read.
    """

    matches: Matches
    held: int
    inside: bool = False
    unchecked: int = 0


class Matcher:
    """Finds terms in one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._words: str | None = None

    def find(self, plan: Plan, masks: Sequence[Mask], text: Text) -> Found:
        """Find the entries that hold a term.

        Args:
            plan: How the term is found.
            masks: Which entries count, by block.
            text: Reads the text of an entry, where tokens cannot tell.
        """
        check = None if plan.proven else text
        if not plan.steps:
            every = {n: dict.fromkeys(range(b.count), 1.0) for n, b in enumerate(self.blocks)}
            return self._kept(every, plan, masks, check, inside=True)
        found = self._kept(self._steps(plan.steps), plan, masks, check, inside=False)
        if found.matches or found.unchecked or plan.term.quoted:
            return found
        return self._kept(self._inside(plan), plan, masks, None if plan.word else text, inside=True)

    @property
    def blocks(self) -> Sequence[Rows]:
        """The blocks of the snapshot."""
        return self._snapshot.blocks

    def _kept(
        self,
        matches: Matches,
        plan: Plan,
        masks: Sequence[Mask],
        text: Text | None,
        *,
        inside: bool,
    ) -> Found:
        """Keep what the filters pass and, where needed, what the text proves."""
        held = sum(map(len, matches.values()))
        passing = _passing(matches, masks)
        if text is None:
            return Found(passing, held, inside and bool(plan.steps))
        newest = sorted(
            ((block, entry) for block, entries in passing.items() for entry in entries),
            key=lambda item: known_time(self.blocks[item[0]].times[item[1]]),
            reverse=True,
        )
        proven: Matches = {}
        for block, entry in newest[:TEXTS_READ]:
            if holds(text(block, entry), plan.folded, inside=inside):
                proven.setdefault(block, {})[entry] = passing[block][entry]
        return Found(
            proven,
            sum(map(len, proven.values())),
            inside and bool(plan.steps),
            max(0, len(newest) - TEXTS_READ),
        )

    def _steps(self, steps: Sequence[Step]) -> Matches:
        if len(steps) == 1:
            return self._any_of(steps[0].tokens)
        return self._in_row(steps)

    def _any_of(self, tokens: Sequence[str]) -> Matches:
        matches: Matches = {}
        for number, token in enumerate(tokens):
            for block, codes in self._snapshot.codes(token):
                counts: dict[int, float] = Counter(halves(codes)[0])  # type: ignore[assignment]
                if number:
                    counts = {entry: count * _STEM_WEIGHT for entry, count in counts.items()}
                known = matches.setdefault(block, counts)
                if known is not counts:
                    for entry, count in counts.items():
                        known[entry] = known.get(entry, 0.0) + count
        return matches

    def _in_row(self, steps: Sequence[Step]) -> Matches:
        """Find entries where every step stands at its distance from the first."""
        columns: list[dict[int, array[int]]] = []
        for step in steps:
            blocks: dict[int, array[int]] = {}
            for token in step.tokens:
                for block, codes in self._snapshot.codes(token):
                    blocks[block] = blocks[block] + codes if block in blocks else codes
            columns.append(blocks)
        shared = set(columns[0]).intersection(*columns[1:])
        matches: Matches = {}
        for block in sorted(shared):
            order = sorted(range(len(steps)), key=lambda n: len(columns[n][block]))
            first = order[0]
            starts = {code - steps[first].offset for code in columns[first][block]}
            for n in order[1:]:
                offset = steps[n].offset
                starts &= {code - offset for code in columns[n][block]}
            if starts:
                matches[block] = Counter(code >> 16 for code in sorted(starts))  # type: ignore[assignment]
        return matches

    def _inside(self, plan: Plan) -> Matches:
        """Find entries with words that contain the term's words, or begin or end with them."""
        if plan.word:
            return self._any_of(("", *self.containing(plan.word)))
        kept: Matches | None = None
        for word in plan.words:
            matches = self._any_of(("", *self.containing(word)))
            if kept is None:
                kept = matches
            else:
                kept = {
                    block: {e: count for e, count in held.items() if e in matches[block]}
                    for block, held in kept.items()
                    if block in matches
                }
        return kept or {}

    def containing(self, part: str) -> tuple[str, ...]:
        """Return all words that contain a text."""
        if self._words is None:
            self._words = self._snapshot.words()
        pattern = re.compile(f"^.*{re.escape(part)}.*$", re.MULTILINE)
        return tuple(dict.fromkeys(pattern.findall(self._words)))


def halves(codes: array[int]) -> tuple[array[int], array[int]]:
    """Return the entries and the places of a posting's numbers."""
    shorts = array("H")
    shorts.frombytes(codes.tobytes())
    little = BYTE_ORDER == "little"
    return (shorts[1::2], shorts[::2]) if little else (shorts[::2], shorts[1::2])


def _passing(matches: Matches, masks: Sequence[Mask]) -> Matches:
    passing: Matches = {}
    for block, held in matches.items():
        mask = masks[block]
        kept = held if mask is None else {e: count for e, count in held.items() if mask[e]}
        if kept:
            passing[block] = kept
    return passing
