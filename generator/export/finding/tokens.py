"""Cuts a page into the tokens that search looks up; ``search.js`` cuts queries the same way.

Words in lower case, with their accents and without, identifiers in their parts, CJK runs in pairs of neighbours (and the last
character of each run, so that one character is found as the beginning of a pair or alone).
Whether the parts of an identifier, a path or a CJK run stand side by side is seen in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from generator.search.analysis import camel_parts
from generator.search.folding import fold_accents

_CJK = "\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3105-\u312f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_PIECE = re.compile(f"[{_CJK}]+|[^\\W_{_CJK}]+")
_RUN = re.compile(f"[{_CJK}]")
LONGEST = 40
"""Characters of a word that are kept; what is longer is encoded data, found by its beginning."""


def fold(text: str) -> str:
    """Return the form that texts and queries are compared in, but for case."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def count_tokens(text: str) -> Counter[str]:
    """Return the tokens of a text with how often each stands in it."""
    counts: Counter[str] = Counter()
    # A text says the same words again and again: each is taken apart once.
    for piece, times in Counter(_PIECE.findall(fold(text))).items():
        if _RUN.match(piece):
            for at in range(len(piece) - 1):
                counts[piece[at : at + 2]] += times
            counts[piece[-1]] += times
        else:
            kept = piece[:LONGEST]
            lowered = kept.lower()
            for form in {lowered, fold_accents(lowered)}:
                counts[form] += times
            for part in camel_parts(fold_accents(kept)):
                counts[part] += times
    return counts
