"""Finds the records that fit a failure: the index proposes, signatures decide the order.

A pasted stack trace holds hundreds of words, most of them noise of that one run. The index is
asked with the words that tell (error codes, names of exceptions, what the message says), and
its proposals are put in order by how much of that they share; an equal signature comes first.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from generator.errors.signature import (
    EXCEPTION,
    both_ends,
    codes,
    signature,
    telling_lines,
)
from generator.model.failure import Failure

CANDIDATES = 100
"""How many records the index is asked for before they are put in order."""

_QUERY_TERMS = 48
_SHORT_QUERY = 8

Propose = Callable[[str, int], tuple[Sequence[str], int]]
"""Asks the index: a query and how many; returns hashes of records, the best first, and how many
records match in all."""

_WORD = re.compile(
    r"[A-Za-z_$][\w$]*(?:[.:/\\-]+[A-Za-z_$][\w$]*)*|[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+|\d+"
)
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_CJK = re.compile(r"[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7af]+")
# Words that say nothing about which failure it is.
_COMMON_TEXT = """
a an and are as at be but by can could did do does for from had has have how i if in into is
it its my no not of on or our so than that the their then there this to up was we were what
when where which while why will with you your after before again got get getting says said
error errors failed failure fail line file most recent call last value n hex tmp id time
"""
_COMMON = frozenset(_COMMON_TEXT.split())


@dataclass(frozen=True, slots=True)
class _Portrait:
    """What of a text is compared."""

    lines: frozenset[str]
    codes: frozenset[str]
    words: Counter[str] = field(default_factory=Counter)


def build_query(text: str) -> str:
    """Return what to ask the index for a text that a person or an agent gave.

    Args:
        text: A few keywords, a sentence or a whole stack trace.
    """
    if "\n" not in text.strip() and len(text.split()) <= _SHORT_QUERY and len(text) <= 200:
        return " ".join([text.strip(), *_pairs(text)])
    wanted: dict[str, None] = dict.fromkeys(
        code.removeprefix("status ") for code in sorted(codes(both_ends(text)))
    )
    for line in telling_lines(text, most=12):
        for word in _WORD.findall(line[:2000]):
            if word.casefold() not in _COMMON and len(word) <= 80:
                wanted.setdefault(word)
    terms = list(wanted)[:_QUERY_TERMS]
    return " ".join([*terms, *_pairs(" ".join(terms))]) or text.strip()[:200]


def _pairs(text: str) -> list[str]:
    """Return the pairs of characters in Chinese runs: nobody words a failure the same way twice."""
    pairs = [
        run[at : at + 2] for run in _CJK.findall(text) if len(run) > 2 for at in range(len(run) - 1)
    ]
    return list(dict.fromkeys(pairs))[:_QUERY_TERMS]


def rank_records(text: str, proposed: Sequence[Failure]) -> list[Failure]:
    """Put records in order by how well they fit a failure.

    Args:
        text: What was asked: keywords, a sentence, a stack trace.
        proposed: Records that the index found, its best first.

    Returns:
        The same records, the best first; equals keep the index's order.
    """
    asked = _portrait(text)
    shown = [_portrait_of(failure) for failure in proposed]
    documents = len(shown) + 1
    spread = Counter(word for portrait, _ in shown for word in portrait.words)
    rarity = {word: math.log(1 + documents / (1 + spread[word])) for word in asked.words}
    whole = sum(rarity.values()) or 1.0
    scored = []
    for place, (failure, (portrait, fix)) in enumerate(zip(proposed, shown, strict=True)):
        score = 1.0 / (8 + place)  # the index's own order counts when little else does
        shared = asked.lines & portrait.lines
        score += min(3.0, sum(0.25 * len(line.split()) ** 0.5 for line in shared))
        score += 0.8 * len(asked.codes & portrait.codes) / (len(asked.codes) or 1)
        score += 2.0 * sum(rarity[word] for word in asked.words if word in portrait.words) / whole
        score += 0.5 * sum(rarity[word] for word in asked.words if word in fix) / whole
        if failure.tool_name.casefold() in text.casefold():
            score += 0.4
        scored.append((-score, place, failure))
    return [failure for *_, failure in sorted(scored, key=lambda item: item[:2])]


def search_records(
    records: Sequence[Failure],
    propose: Propose,
    *,
    keyword: str | None,
    tool_name: str | None,
) -> tuple[list[Failure], int]:
    """Find records.

    Args:
        records: Every record, newest first.
        propose: Asks the index.
        keyword: What to look for; None lists by time.
        tool_name: Only records of this tool, whatever the case of its letters.

    Returns:
        The records that fit best, the best first, and how many fit in all.
    """
    wanted = [
        failure
        for failure in records
        if tool_name is None or failure.tool_name.casefold() == tool_name.strip().casefold()
    ]
    if keyword is None or not wanted:
        return wanted, len(wanted)
    by_hash = {failure.hash: failure for failure in wanted}
    names, total = propose(build_query(keyword), CANDIDATES)
    found = [by_hash[name] for name in dict.fromkeys(names) if name in by_hash]
    return rank_records(keyword, found), max(total, len(found))


def index_text(failure: Failure) -> str:
    """Return what the index holds of a record: the exact text of its fields."""
    parts = [
        failure.tool_name,
        " ".join(failure.keywords),
        failure.symptom,
        failure.cause or "",
        failure.action,
    ]
    return "\n".join(part for part in parts if part)


def _portrait_of(failure: Failure) -> tuple[_Portrait, frozenset[str]]:
    seen = "\n".join(
        [failure.symptom, " ".join(failure.keywords), failure.tool_name, failure.cause or ""]
    )
    return _portrait(seen, failure.symptom), frozenset(_words(both_ends(failure.action)))


def _portrait(text: str, symptom: str | None = None) -> _Portrait:
    told = text if symptom is None else symptom
    return _Portrait(
        lines=frozenset(signature(told).split("\n")) - {""},
        codes=frozenset(codes(both_ends(text))),
        words=Counter(_words(both_ends(text))),
    )


def _words(text: str) -> list[str]:
    """Return the words of a text that say something, identifiers whole and in parts."""
    found: list[str] = []
    for word in _WORD.findall(text):
        if _CJK.fullmatch(word):
            found += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
            continue
        lowered = word.casefold()
        parts = [part.casefold() for part in _PART.findall(word)]
        found += [lowered, *(part for part in parts if part != lowered)]
    return [word for word in map(_stem, found) if word not in _COMMON]


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def message_of(failure: Failure) -> str:
    """Return the telling line of a record's symptom, for lists."""
    lines = telling_lines(failure.symptom, most=4)
    # A traceback ends on the exception; anything else begins with what it is.
    named = [line for line in lines if EXCEPTION.search(line)]
    return (named or lines[:1] or [failure.symptom])[-1]
