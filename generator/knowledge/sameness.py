"""When two facts are the same, and when they are near enough to be shown side by side.

The same: equal after case, spacing, full-width forms and the punctuation of sentences are taken
away. Marks inside a word stay, since ``C`` and ``C++``, or 1.5 and 15, are different things.
Near: most words shared, so that one may be an update of the other; nothing is refused for it.
"""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from functools import cache

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
# Marks that end or join clauses; beside Chinese they need no space to do so.
_SENTENCE_MARKS = ".,;:!?\"'()[]…。、，；：！？「」『』《》〈〉“”‘’—–"
_FILLER_TEXT = """
a an the is are was were be been of for to in on at by with and or that this it its we our
i my you your they their he she his her as from has have had will do does
"""
_FILLER = frozenset(_FILLER_TEXT.split())

NEAR_SHARED = 0.5
"""Share of all words of two facts that both must have to be near."""

NEAR_RATIO = 0.8
"""Likeness of the letters (difflib's ratio) from which two facts are near as well."""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what finds space and marks beside Chinese, and words; made when first needed."""
    marks = "[,;:!?()。、「」『』《》〈〉—…]+"
    return (
        re.compile(rf"(?<=[{_CJK}])\s+|\s+(?=[{_CJK}])"),
        re.compile(rf"(?<=[{_CJK}]){marks}|{marks}(?=[{_CJK}])"),
        re.compile(rf"[{_CJK}]+|[^\s{_CJK}]+"),
    )


def normalise_fact(text: str) -> str:
    """Return what of a fact decides whether another one is the same.

    Args:
        text: The fact.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        words = [word.strip(_SENTENCE_MARKS) for word in folded.split()]
        return " ".join(word for word in words if word)
    beside, mark_beside, _ = _patterns()
    folded = mark_beside.sub(" ", folded)
    words = [word.strip(_SENTENCE_MARKS) for word in folded.split()]
    return beside.sub("", " ".join(word for word in words if word))


def is_near(left: str, right: str) -> bool:
    """Tell whether two normalised facts that are not the same speak of the same thing.

    Args:
        left: A fact after :func:`normalise_fact`.
        right: The other one.
    """
    ours, theirs = _words(left), _words(right)
    if not ours or not theirs:
        return False
    shared = len(ours & theirs) / len(ours | theirs)
    contained = len(ours & theirs) / min(len(ours), len(theirs))
    if shared >= NEAR_SHARED or (contained >= 0.8 and min(len(ours), len(theirs)) >= 3):
        return True
    if shared < NEAR_SHARED / 2:
        return False
    return SequenceMatcher(None, left, right, autojunk=False).ratio() >= NEAR_RATIO


def _words(text: str) -> set[str]:
    found: set[str] = set()
    _, _, words = _patterns()
    for word in words.findall(text):
        if re.match(f"[{_CJK}]", word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif word not in _FILLER:
            found.add(word)
    return found
