"""Which entries of a snapshot hold a term."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from generator.search.blocks import Posting, Rows, decode_posting, known_time
from generator.search.engine import BrokenStoreError, Snapshot
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
        self._lexicon: str | None = None

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
        steps = [Step(self.containing(step.tokens[0]), step.offset) for step in plan.steps]
        if not all(step.tokens for step in steps):
            return found
        check = text if len(steps) > 1 else check
        return self._kept(self._steps(steps), plan, masks, check, inside=True)

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
            weight = 1.0 if number == 0 else _STEM_WEIGHT
            for block, posting in self.postings(token):
                counts: Iterable[float] = posting.counts or [1] * len(posting.entries)
                if weight != 1.0:
                    counts = [count * weight for count in counts]
                known = matches.get(block)
                if known is None:
                    matches[block] = dict(zip(posting.entries, counts, strict=True))
                else:
                    for entry, count in zip(posting.entries, counts, strict=True):
                        known[entry] = known.get(entry, 0.0) + count
        return matches

    def postings(self, token: str) -> list[tuple[int, Posting]]:
        """Return the postings of one token by block."""
        try:
            return [(block, decode_posting(value)) for block, value in self._snapshot.values(token)]
        except ValueError as error:
            raise BrokenStoreError(str(error)) from error

    def _in_row(self, steps: Sequence[Step]) -> Matches:
        """Find entries where every step stands at its distance from the first."""
        columns: list[dict[int, list[Posting]]] = []
        for step in steps:
            blocks: dict[int, list[Posting]] = {}
            for token in step.tokens:
                for block, posting in self.postings(token):
                    blocks.setdefault(block, []).append(posting)
            columns.append(blocks)
        shared = set(columns[0]).intersection(*columns[1:])
        matches: Matches = {}
        for block in sorted(shared):
            lists = [column[block] for column in columns]
            held = [set().union(*(posting.entries for posting in group)) for group in lists]
            entries = set.intersection(*held)
            if not entries:
                continue
            starts: dict[int, set[int]] | None = None
            order = sorted(range(len(steps)), key=lambda n: len(held[n]))
            for n in order:
                places = _starts(lists[n], entries, steps[n].offset)
                if starts is None:
                    starts = places
                else:
                    starts = {
                        entry: both
                        for entry, own in starts.items()
                        if (both := own & places.get(entry, set()))
                    }
                entries = set(starts)
                if not entries:
                    break
            if starts:
                matches[block] = {entry: float(len(own)) for entry, own in sorted(starts.items())}
        return matches

    def containing(self, part: str) -> tuple[str, ...]:
        """Return all tokens that contain a text."""
        if self._lexicon is None:
            self._lexicon = "\n".join(dict.fromkeys(self._snapshot.tokens()))
        pattern = re.compile(f"^.*{re.escape(part)}.*$", re.MULTILINE)
        return tuple(pattern.findall(self._lexicon))


def _starts(postings: Iterable[Posting], entries: set[int], offset: int) -> dict[int, set[int]]:
    """Return by entry where a row would start for this step's places."""
    starts: dict[int, set[int]] = {}
    for posting in postings:
        counts = posting.counts or array("H", [1]) * len(posting.entries)
        ends = accumulate(counts)
        for entry, end, count in zip(posting.entries, ends, counts, strict=True):
            if entry in entries:
                places = {place - offset for place in posting.places[end - count : end]}
                known = starts.get(entry)
                starts[entry] = places if known is None else known | places
    return starts


def _passing(matches: Matches, masks: Sequence[Mask]) -> Matches:
    passing: Matches = {}
    for block, held in matches.items():
        mask = masks[block]
        kept = held if mask is None else {e: count for e, count in held.items() if mask[e]}
        if kept:
            passing[block] = kept
    return passing
