"""Light English stemming, from the query's side.

The index keeps words as they stand. A query's word is widened to all forms that share its stem,
and each form is looked up: the same hits as from an index of stems, with exact words still told
apart for phrases and for ranking, and nothing to do while indexing.

The stem takes off plural and verb endings only (``-s -es -ies -ed -ied -ing``), then a doubled
last consonant and a last ``e``; it is a key for comparing, not a word.
"""

from __future__ import annotations

import re
from functools import lru_cache

_PLAIN = re.compile(r"[a-z]{3,24}")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLED = re.compile(r"([bcdfghjklmnpqrstvwxz])\1$")
_SIBILANT = re.compile(r"(?:s|x|z|ch|sh)es$")
_NOT_PLURAL = re.compile(r"(?:ss|us|is)$")
_EXCEPTIONS = frozenset({"news", "series", "species", "does", "goes"})


def stem(word: str) -> str:
    """Return the key that all inflections of a lower-case English word share."""
    root = _strip(word)
    if len(root) >= 4 and _DOUBLED.search(root):
        root = root[:-1]
    if len(root) >= 4 and root.endswith("e") and not root.endswith("ee"):
        root = root[:-1]
    return root


def _strip(word: str) -> str:
    size = len(word)
    if word in _EXCEPTIONS:
        return word
    if size > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if size > 4 and _SIBILANT.search(word):
        return word[:-2]
    if size > 3 and word.endswith("s") and not _NOT_PLURAL.search(word):
        return word[:-1]
    if size > 4 and word.endswith("ed") and not word.endswith("eed"):
        return word[:-2] if _VOWEL.search(word[:-2]) else word
    if size > 5 and word.endswith("ing"):
        return word[:-3] if _VOWEL.search(word[:-3]) else word
    return word


@lru_cache(maxsize=4096)
def forms(word: str) -> tuple[str, ...]:
    """Return the word and all other words with its stem; only the word when it is not English.

    Args:
        word: One word in lower case.
    """
    if not _PLAIN.fullmatch(word):
        return (word,)
    root = stem(word)
    bases = {root, root + root[-1]}
    found = {base + ending for base in bases for ending in ("", "e", "s", "es", "ed", "ing")}
    found |= {base + "e" + ending for base in bases for ending in ("s", "d", "ing", "es", "ed")}
    if root.endswith("y"):
        found |= {root[:-1] + "ies", root[:-1] + "ied"}
    return (word, *sorted(form for form in found if form != word and stem(form) == root))
