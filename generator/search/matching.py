"""Which entries of a snapshot hold a term."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from generator.search.blocks import Posting, decode_posting
from generator.search.engine import BrokenStoreError, Snapshot
from generator.search.plan import Plan, Step

Matches = dict[int, dict[int, float]]
"""By block, by entry: how often (stems and parts of a phrase count as once)."""

Verify = Callable[[int, int, bool], bool]
"""Tells for (block, entry, inside) whether the text holds the term."""

_STEM_WEIGHT = 0.7


class Matcher:
    """Finds terms in one snapshot."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lexicon: str | None = None

    def find(self, plan: Plan, verify: Verify) -> tuple[Matches, bool]:
        """Find the entries that hold a term.

        Returns:
            The matches, and whether they stand inside longer words.
        """
        if not plan.steps:
            return self._scan(verify), False
        found = self._steps(plan.steps)
        if not plan.proven:
            found = _verified(found, verify, inside=False)
        if found or plan.term.quoted:
            return found, False
        return self._inside(plan, verify), True

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

    def _inside(self, plan: Plan, verify: Verify) -> Matches:
        """Find a term inside longer words: each step by all tokens that contain its token."""
        steps = []
        for step in plan.steps:
            wider = self.containing(step.tokens[0])
            if not wider:
                return {}
            steps.append(Step(wider, step.offset))
        found = self._steps(steps)
        if len(steps) > 1 or not plan.proven:
            found = _verified(found, verify, inside=True)
        return found

    def containing(self, part: str) -> tuple[str, ...]:
        """Return all tokens that contain a text."""
        if self._lexicon is None:
            self._lexicon = "\n".join(dict.fromkeys(self._snapshot.tokens()))
        pattern = re.compile(f"^.*{re.escape(part)}.*$", re.MULTILINE)
        return tuple(pattern.findall(self._lexicon))

    def _scan(self, verify: Verify) -> Matches:
        """Find a term of bare punctuation, which no token stands for, in the texts."""
        found: Matches = {}
        for block, rows in enumerate(self._snapshot.blocks):
            held = {entry: 1.0 for entry in range(rows.count) if verify(block, entry, True)}
            if held:
                found[block] = held
        return found


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


def _verified(matches: Matches, verify: Verify, *, inside: bool) -> Matches:
    checked = {
        block: {entry: count for entry, count in held.items() if verify(block, entry, inside)}
        for block, held in matches.items()
    }
    return {block: held for block, held in checked.items() if held}
