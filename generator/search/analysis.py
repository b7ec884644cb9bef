"""Cuts the text of agents into the tokens that the index holds.

A *chunk* is a run of units without a space: words of Latin letters and digits, words of another
alphabet, and runs of Chinese, Japanese or Korean characters, with at most three joining marks
between them (``snake_case``, ``os.path``, ``std::sort``, ``/usr/lib``, ``使用Redis缓存``). Its
tokens, each with the place of the word it starts at:

- each word, whole; of a camelCase word also each row of its parts, so that ``XmlFile`` is found
  in ``parseXmlFile``;
- of a CJK run each character and each pair of neighbours;
- for two units side by side one *joint*: the end of the left, the marks between, the start of
  the right (``snake_case``, ``path/to``). A part of an identifier is a row of joints, so that no
  text needs to be read to tell ``a_b`` from ``a b``.

Words are kept as they stand. Stems are a matter of the query (``inflections.py``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from operator import add

from generator.search.folding import fold_case, fold_script

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

_OTHER = f"[^\\W_{_LATIN}{_CJK}]"
_OTHER_WORD = f"{_OTHER}(?:{_OTHER}|[{_MARKS}])*"
_UNIT = f"(?:[{_LATIN}]+|[{_CJK}]+|{_OTHER_WORD})"
_CHUNK = re.compile(f"{_UNIT}(?:[{JOINING_MARKS}]{{0,3}}{_UNIT})*|[{_SYMBOL}]")
_RUN = re.compile(f"[{_CJK}]+")
_WORD = re.compile(f"[{_LATIN}]+|{_OTHER_WORD}")
_PIECE = re.compile(f"([{JOINING_MARKS}]*)(?:([{_CJK}]+)|([{_LATIN}]+|{_OTHER_WORD}|[{_SYMBOL}]))")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+")
_HAS_CAMEL = re.compile(r"[a-z0-9][A-Z]|[A-Z][A-Z][a-z]")

LONGEST_WORD = 128
"""Characters of a word that are kept: longer ones are encoded data, not language."""

_MOST_PARTS = 8
"""Parts of a camelCase word; one with more is a random string and has no parts."""

_MEMO_CHUNKS = 100_000
_MEMO_LENGTH = 40

Placed = tuple[tuple[str, int], ...]

LAST_PLACE = 65_535
"""Words after this place of a text all count as standing there; which of them stand in a row is
then seen in the text itself."""

_memo: dict[str, str | tuple[Placed, int]] = {}


def chunks(folded: str) -> list[str]:
    """Return the chunks of a width-folded text in order."""
    return _CHUNK.findall(folded)


def camel_parts(word: str) -> list[str]:
    """Return the parts of a camelCase word, in lower case; empty when it has fewer than two."""
    if not _HAS_CAMEL.search(word):
        return []
    parts = _CAMEL.findall(word)
    return [part.lower() for part in parts] if 2 <= len(parts) <= _MOST_PARTS else []


def expand(chunk: str) -> tuple[Placed, int]:
    """Return the tokens of one chunk with their places, and how many places it takes."""
    tokens: list[tuple[str, int]] = []
    place = 0
    left: tuple[str, ...] = ()
    for joint, run, word in _PIECE.findall(chunk):
        if run:
            first: tuple[str, ...] = (run[0],)
            last: tuple[str, ...] = (run[-1],)
            taken = len(run)
            own = [(run[i], place + i) for i in range(taken)]
            own += [(run[i : i + 2], place + i) for i in range(taken - 1)]
        else:
            whole = fold_case(word[:LONGEST_WORD])
            parts = camel_parts(word) if len(word) <= LONGEST_WORD else []
            rows = {whole: None}
            for start in range(len(parts)):
                for end in range(start + 1, len(parts) + 1):
                    rows["".join(parts[start:end])] = None
            own = [(row, place) for row in rows]
            first, last = ((whole, parts[0]), (whole, parts[-1])) if parts else ((whole,),) * 2
            taken = 1
        tokens += [(a + joint + b, place - 1) for a in left for b in first]
        tokens += own
        place += taken
        left = last
    return tuple(tokens), place


def required(chunk: str) -> Placed:
    """Return the tokens of one chunk that together prove that it stands somewhere."""
    pieces = _PIECE.findall(chunk)
    tokens: list[tuple[str, int]] = []
    place = 0
    left = ""
    for joint, run, word in pieces:
        key = run or fold_case(word[:LONGEST_WORD])
        if left:
            tokens.append((left + joint + (run[0] if run else key), place - 1))
        if len(run) > 1:
            tokens += [(run[i : i + 2], place + i) for i in range(len(run) - 1)]
        elif len(pieces) == 1:
            tokens.append((key, place))
        place += len(run) or 1
        left = run[-1] if run else key
    return tuple(tokens)


def words_of(chunk: str) -> list[str]:
    """Return the words of a chunk, its CJK runs left out."""
    return [word for _, _, word in _PIECE.findall(chunk) if word]


def pieces_of(folded: str) -> list[tuple[str, str]]:
    """Return the CJK runs and the words of a text in order; one of each pair is empty."""
    return [(run, word) for chunk in chunks(folded) for _, run, word in _PIECE.findall(chunk)]


def width(chunk: str) -> int:
    """Return how many places a chunk takes."""
    return sum(len(run) or 1 for _, run, _ in _PIECE.findall(chunk))


def collect(text: str, postings: defaultdict[str, list[int]], base: int) -> int:
    """Add where each token of a text stands to the lists of its token.

    Args:
        text: Any text; width, script and case are folded here.
        postings: For each token a list that ``base + place`` is added to, for each time it
            stands in the text.
        base: Where the places of this text begin.

    Returns:
        How many places the text takes.
    """
    at = base
    memo = _memo
    last = base + LAST_PLACE
    for chunk in _CHUNK.findall(fold_script(text)):
        known = memo.get(chunk)
        if known is None:
            if _RUN.fullmatch(chunk):
                after = at + len(chunk)
                places: Sequence[int] = range(at, after)
                if after > last:
                    places = [min(place, last) for place in places]
                for character, place in zip(chunk, places, strict=True):
                    postings[character].append(place)
                for pair, place in zip(map(add, chunk, chunk[1:]), places, strict=False):
                    postings[pair].append(place)
                at = min(after, last)
                continue
            known = _remember(chunk)
        if isinstance(known, str):
            postings[known].append(at)
            if at < last:
                at += 1
        else:
            tokens, taken = known
            if at + taken < last:
                for token, offset in tokens:
                    postings[token].append(at + offset)
                at += taken
            else:
                for token, offset in tokens:
                    postings[token].append(min(at + offset, last))
                at = last
    return at - base


def _remember(chunk: str) -> str | tuple[Placed, int]:
    """Return the tokens of a chunk, or the one token of a plain word, and keep them in mind."""
    tokens, taken = expand(chunk)
    known = tokens[0][0] if len(tokens) == 1 else (tokens, taken)
    if len(chunk) <= _MEMO_LENGTH:
        if len(_memo) >= _MEMO_CHUNKS:
            _memo.clear()
        _memo[chunk] = known
    return known


def is_word(token: str) -> bool:
    """Tell whether a token is a whole word or part of one, not a joint and not of a CJK run."""
    return token.isalnum() if token.isascii() else bool(_WORD.fullmatch(token))
