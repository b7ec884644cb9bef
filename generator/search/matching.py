"""Which entries of a snapshot hold a term."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from generator.search.blocks import BYTE_ORDER, Rows, known_time
from generator.search.engine import Snapshot
from generator.search.literal import holds
from generator.search.masks import Mask
from generator.search.plan import Plan

Matches = dict[int, dict[int, float]]
"""By block, by entry: how often, other forms of a word counting for less."""

Text = Callable[[int, int], str]
"""Returns the text of (block, entry)."""

TEXTS_READ = 2_000
"""Texts that are read to check what tokens cannot tell, for one term of one query."""

_OTHER_WEIGHT = 0.7
_TELLING_WORDS = 500
_FAR_MORE = 16


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
        self._codes = snapshot.codes
        self._words: str | None = None

    def find(self, plan: Plan, masks: Sequence[Mask], text: Text, *, inside: bool = True) -> Found:
        """Find the entries that hold a term.

        Args:
            plan: How the term is found.
            masks: Which entries count, by block.
            text: Reads the text of an entry, where tokens cannot tell.
            inside: Whether to look inside longer words when nothing else is found.
        """
        check = None if plan.proven else text
        if not plan.steps:
            return self._kept(self._every(), plan, masks, check, inside=True)
        found = self._kept(self._steps(plan, text), plan, masks, check, inside=False)
        if found.matches or found.unchecked or plan.term.quoted or not inside:
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

    def _steps(self, plan: Plan, text: Text) -> Matches:
        if len(plan.steps) == 1:
            first, *others = plan.steps[0].tokens
            return self._any_of(first, others)
        return self._in_row(plan, text)

    def _any_of(self, first: str, others: Sequence[str] = ()) -> Matches:
        """Find entries with a token or one of others that count for less."""
        matches = {block: _counts(codes, 1) for block, codes in self._codes([first]).items()}
        if others:
            for block, codes in self._codes(others).items():
                counts = _counts(codes, _OTHER_WEIGHT)
                known = matches.setdefault(block, counts)
                if known is not counts:
                    for entry, count in counts.items():
                        known[entry] = known.get(entry, 0) + count
        return matches

    def _in_row(self, plan: Plan, text: Text) -> Matches:
        """Find entries where every step stands at its distance from the first."""
        steps = plan.steps
        columns = [self._codes(step.tokens) for step in steps]
        matches: Matches = {}
        for block in sorted(set(columns[0]).intersection(*columns[1:])):
            starts: set[int] | None = None
            for n in sorted(range(len(steps)), key=lambda n: len(columns[n][block])):
                offset, codes = steps[n].offset, columns[n][block]
                if starts is None:
                    starts = {code - offset for code in codes} if offset else set(codes)
                elif len(codes) > _FAR_MORE * len(starts):
                    starts = {start for start in starts if _contains(codes, start + offset)}
                else:
                    held = set(codes)
                    starts = {start for start in starts if start + offset in held}
                if not starts:
                    break
            if starts:
                matches[block] = _counted(code >> 16 for code in sorted(starts))
            for entry in self.blocks[block].giants:
                held_by_all = all(entry in halves(column[block])[0] for column in columns)
                if held_by_all and holds(text(block, entry), plan.folded, inside=False):
                    matches.setdefault(block, {}).setdefault(entry, 1)
        return matches

    def _inside(self, plan: Plan) -> Matches:
        """Find entries with words that contain the term's words, or begin or end with them.

        For a term that must be checked in the texts anyway, words that half the store contains
        are no help: then every entry is a candidate.
        """
        wider = [self.containing(word) for word in plan.words]
        if plan.word:
            return self._any_of("", wider[0])
        telling = [words for words in wider if len(words) <= _TELLING_WORDS]
        if not telling:
            return self._every() if wider else {}
        kept, *others = (self._any_of("", words) for words in telling)
        for matches in others:
            kept = {
                block: {e: count for e, count in held.items() if e in matches[block]}
                for block, held in kept.items()
                if block in matches
            }
        return kept

    def _every(self) -> Matches:
        return {n: dict.fromkeys(range(rows.count), 1) for n, rows in enumerate(self.blocks)}

    def containing(self, part: str) -> tuple[str, ...]:
        """Return all words that contain a text."""
        if self._words is None:
            self._words = self._snapshot.words() + "\n"
        found: dict[str, None] = {}
        words = self._words
        at = words.find(part)
        while at >= 0:
            end = words.find("\n", at)
            found[words[words.rfind("\n", 0, at) + 1 : end]] = None
            at = words.find(part, end)
        return tuple(found)


def halves(codes: array[int]) -> tuple[array[int], array[int]]:
    """Return the entries and the places of a posting's numbers."""
    shorts = array("H")
    shorts.frombytes(codes.tobytes())
    little = BYTE_ORDER == "little"
    return (shorts[1::2], shorts[::2]) if little else (shorts[::2], shorts[1::2])


def _contains(codes: array[int], code: int) -> bool:
    """Tell whether an ascending posting holds a number."""
    at = bisect_left(codes, code)
    return at < len(codes) and codes[at] == code


def _counted(entries: Iterable[int]) -> dict[int, float]:
    counts: dict[int, float] = Counter(entries)  # type: ignore[assignment]
    return counts


def _counts(codes: array[int], weight: float) -> dict[int, float]:
    """Return by entry how often a posting holds it."""
    counts = _counted(halves(codes)[0])
    return counts if weight == 1 else {entry: count * weight for entry, count in counts.items()}


def _passing(matches: Matches, masks: Sequence[Mask]) -> Matches:
    passing: Matches = {}
    for block, held in matches.items():
        mask = masks[block]
        kept = held if mask is None else {e: count for e, count in held.items() if mask[e]}
        if kept:
            passing[block] = kept
    return passing
