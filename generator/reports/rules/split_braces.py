"""Braces that stand in several text nodes: ``{{ <b>total</b> }}``, ``{{ a <!-- x --> }}``.

QuickUI fills one text node at a time and leaves these as they are; a reader sees raw braces.
Only a comment between the two opening braces is how a page shows braces on purpose.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from generator.reports.document import Element, Text

# Elements that do not end a line of text.
_INLINE = frozenset({
    *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "data", "del", "dfn", "em", "font", "i"),
    *("ins", "label", "mark", "nobr", "q", "s", "small", "span", "strike", "strong", "sub"),
    *("sup", "time", "tt", "u", "var", "wbr"),
})  # fmt: skip
# A longer stretch, or words side by side, is prose about braces.
_LONGEST = 200
_PROSE = re.compile(r"\w\s+\w")
_OPENING = re.compile(r"\{\{")


def split_braces(texts: Sequence[Text]) -> Iterator[tuple[Text, int, str]]:
    """Find ``{{ }}`` whose text is in one line of a page and not in one text node.

    Args:
        texts: Text nodes in document order.

    Yields:
        The text node that the braces begin in, where in it, and how they read.
    """
    for _, group in groupby(texts, key=_block):
        line = list(group)
        if len(line) == 1 or not any("{" in text.data for text in line):
            continue
        starts = [0]
        for text in line:
            starts.append(starts[-1] + len(text.data))
        whole = "".join(text.data for text in line)
        at = 0
        while (opened := _OPENING.search(whole, at)) is not None:
            at = opened.end()
            end = whole.find("}}", at, at + _LONGEST)
            inner = whole[at:end]
            if end < 0 or "{{" in inner:
                continue
            number = bisect_right(starts, opened.start()) - 1
            if _on_purpose(line, number, opened.start() + 1 == starts[number + 1]):
                at = end + 2
                continue
            if end + 2 > starts[number + 1] and inner.strip() and not _PROSE.search(inner):
                yield line[number], opened.start() - starts[number], whole[at - 2 : end + 2]
            at = end + 2


def _on_purpose(line: Sequence[Text], number: int, between: bool) -> bool:
    """Tell whether nothing but a comment stands between two opening braces.

    Args:
        line: The text nodes of a line.
        number: The one with the first brace.
        between: The second brace begins the next one.
    """
    return between and line[number].parent is line[number + 1].parent


def _block(text: Text) -> int:
    """Return the order of the nearest element around a text that is a block of its own."""
    element: Element | None = text.parent
    while element is not None and element.name in _INLINE:
        element = element.parent
    return -1 if element is None else element.order
