"""The scripts that the index tells apart, and the patterns that cut a text where they change.

Text that is ASCII throughout, most of what agents write, has patterns of its own. They find the
same there, and a process that meets nothing else never compiles the large ones, whose ranges of
characters cost more than the rest of a cold start of a search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

# Marks that combine with the letter before them: accents, vowel signs of Hebrew, Arabic, the
# Indian scripts and Thai. Python's \w leaves them out.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963\u0981-\u0983"
    "\u09bc\u09be-\u09cd\u0a01-\u0a03\u0a3c-\u0a51\u0abc-\u0acd\u0b3c-\u0b57\u0bbe-\u0bcd"
    "\u0c3e-\u0c56\u0cbc-\u0cd6\u0d3e-\u0d4d\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e"
    "\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd\u102b-\u103e\u17b4-\u17d3"
)
_CJK = (
    "\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\u1100-\u11ff\uac00-\ud7fb\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_LATIN = "0-9A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
# Pictures and arrows are things people search for; each stands alone.
_SYMBOL = "\u2190-\u23ff\u25a0-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
JOINING_MARKS = "_./:@#'=&%+~$>\\\\-"


_ASCII = "0-9A-Za-z"
_OTHER = f"[^\\W_{_LATIN}{_CJK}]"
_OTHER_WORD = f"{_OTHER}(?:{_OTHER}|[{_MARKS}])*"


@dataclass(frozen=True, slots=True)
class Patterns:
    """How a text is cut.

    Attributes:
        chunk: A run of units without a space, or a symbol.
        piece: The marks before a unit, the unit when it is a CJK run, else the unit.
        word: A word that is not of a CJK run.
    """

    chunk: re.Pattern[str]
    piece: re.Pattern[str]
    word: re.Pattern[str]


@cache
def _of_ascii() -> Patterns:
    word = f"[{_ASCII}]+"
    return Patterns(
        chunk=re.compile(f"{word}(?:[{JOINING_MARKS}]{{0,3}}{word})*"),
        piece=re.compile(f"([{JOINING_MARKS}]*)()({word})"),
        word=re.compile(word),
    )


@cache
def _of_all() -> Patterns:
    unit = f"(?:[{_LATIN}]+|[{_CJK}]+|{_OTHER_WORD})"
    word = f"[{_LATIN}]+|{_OTHER_WORD}"
    return Patterns(
        chunk=re.compile(f"{unit}(?:[{JOINING_MARKS}]{{0,3}}{unit})*|[{_SYMBOL}]"),
        piece=re.compile(f"([{JOINING_MARKS}]*)(?:([{_CJK}]+)|({word}|[{_SYMBOL}]))"),
        word=re.compile(word),
    )


@cache
def _run() -> re.Pattern[str]:
    return re.compile(f"[{_CJK}]+")


def patterns_for(text: str) -> Patterns:
    """Return the patterns that cut a text: the small ones where they find the same."""
    return _of_ascii() if text.isascii() else _of_all()


def is_run(chunk: str) -> bool:
    """Tell whether a chunk is a run of Chinese, Japanese or Korean characters and nothing else."""
    return not chunk.isascii() and _run().fullmatch(chunk) is not None
