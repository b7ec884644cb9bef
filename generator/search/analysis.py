"""Cuts the text of agents into the tokens that the index holds.

A *chunk* is a run of units without a space: words of Latin letters and digits, words of another
alphabet, and runs of Chinese, Japanese or Korean characters, with at most three joining marks
between them (``snake_case``, ``os.path``, ``std::sort``, ``/usr/lib``, ``使用Redis缓存``). Its
tokens, each with the place of the word it starts at:

- each word, whole, and without its accents where it has any; of a camelCase word also each row of
  its parts, so that ``XmlFile`` is found in ``parseXmlFile``;
- of a CJK run each character and each pair of neighbours;
- for two units side by side one *joint*: the end of the left, the marks between, the start of
  the right (``snake_case``, ``path/to``). A part of an identifier is a row of joints, so that no
  text needs to be read to tell ``a_b`` from ``a b``. Joints have no accents.

Words are kept as they stand. Stems are a matter of the query (``inflections.py``).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from operator import add

from generator.search.folding import fold_accents, fold_case, fold_script
from generator.search.scripts import is_run, patterns_for

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
    return patterns_for(folded).chunk.findall(folded)


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
    for joint, run, word in patterns_for(chunk).piece.findall(chunk):
        if run:
            first: tuple[str, ...] = (run[0],)
            last: tuple[str, ...] = (run[-1],)
            taken = len(run)
            own = [(run[i], place + i) for i in range(taken)]
            own += [(run[i : i + 2], place + i) for i in range(taken - 1)]
        else:
            exact = fold_case(word[:LONGEST_WORD])
            whole = fold_case(fold_accents(word[:LONGEST_WORD]))
            parts = camel_parts(fold_accents(word)) if len(word) <= LONGEST_WORD else []
            rows = dict.fromkeys((exact, whole))
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
    pieces = patterns_for(chunk).piece.findall(chunk)
    tokens: list[tuple[str, int]] = []
    place = 0
    left = ""
    for joint, run, word in pieces:
        key = run or fold_case(fold_accents(word[:LONGEST_WORD]))
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
    return [word for _, _, word in patterns_for(chunk).piece.findall(chunk) if word]


def pieces_of(folded: str) -> list[tuple[str, str]]:
    """Return the CJK runs and the words of a text in order; one of each pair is empty."""
    found = (
        piece for chunk in chunks(folded) for piece in patterns_for(chunk).piece.findall(chunk)
    )
    return [(run, word) for _, run, word in found]


def width(chunk: str) -> int:
    """Return how many places a chunk takes."""
    return sum(len(run) or 1 for _, run, _ in patterns_for(chunk).piece.findall(chunk))


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
    for chunk in chunks(fold_script(text)):
        known = memo.get(chunk)
        if known is None:
            if is_run(chunk):
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
    return token.isalnum() if token.isascii() else bool(patterns_for(token).word.fullmatch(token))
