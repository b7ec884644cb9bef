"""One pass over a text for many words: a pattern that branches by letter, like a dictionary.

Asking for a hundred words one after the other reads the text a hundred times; an alternation of
whole words tries each of them at each place. Branching by letter does neither.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def compile_anchors(words: Iterable[str]) -> re.Pattern[str]:
    """Make a pattern that finds any of the words, the longest that fits at a place.

    Args:
        words: Literal texts, none of them empty.
    """
    root: dict[str, dict] = {}  # type: ignore[type-arg]  # a node holds nodes
    for word in words:
        node = root
        for letter in word:
            node = node.setdefault(letter, {})
        node[""] = {}
    return re.compile(_branch(root))


def shortest(words: Iterable[str]) -> list[str]:
    """Return the words that no other one begins: where one of these is not, none of the rest is."""
    kept: list[str] = []
    for word in sorted(set(words), key=len):
        if not word.startswith(tuple(kept)):
            kept.append(word)
    return kept


def _branch(node: dict[str, dict]) -> str:  # type: ignore[type-arg]
    ways = [re.escape(letter) + _branch(below) for letter, below in node.items() if letter]
    if not ways:
        return ""
    inner = ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"
    return f"(?:{inner})?" if "" in node else inner
