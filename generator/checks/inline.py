"""Finds code spans, links and images in a text with their exact places, in linear time.

The Markdown parser says where blocks stand, not where things stand inside a line. This reads the
lines of one block as CommonMark does: code spans first, then links and images outside them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

_RUN = re.compile(r"\\?`+")
_CONTINUED = re.compile(r"\n[ >\t]*")
# What follows "](": a target, perhaps in angle brackets, perhaps with a title.
_TARGET = re.compile(
    r"[ \t\n]*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))"
    r"(?:[ \t\n]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ \t\n]*\)"
)
_BRACKET = re.compile(r"\\.|!\[|\[|\]")
_DEFINITION = re.compile(r"(?m)^[ >\t]{0,12}\[(?!\^)([^\[\]\n]+)\]:[ \t]*(?:<([^<>\n]*)>|(\S+))")


@dataclass(frozen=True, slots=True)
class Span:
    """A code span: where its content begins and ends, and what it says."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link or an image.

    Attributes:
        start: Index of its opening bracket (of the ``!`` of an image).
        target_start: Index of its target.
        target: Where it leads, as written.
        text: What it shows: of an image its alternative text.
        image: It is an image.
    """

    start: int
    target_start: int
    target: str
    text: str
    image: bool


def code_spans(text: str) -> list[Span]:
    """Return the code spans of the lines of one block."""
    runs = [
        (found.end() - len(found[0].lstrip("\\")), found.end(), found[0].startswith("\\"))
        for found in _RUN.finditer(text)
    ]
    by_length: dict[int, list[int]] = {}
    for number, (start, end, _) in enumerate(runs):
        by_length.setdefault(end - start, []).append(number)
    spans: list[Span] = []
    number = 0
    while number < len(runs):
        start, end, escaped = runs[number]
        if escaped:  # the first backtick is a plain one
            start += 1
        same = by_length.get(end - start, []) if end > start else []
        at = bisect_left(same, number + 1)
        if at == len(same):
            number += 1
            continue
        closing = runs[same[at]]
        content = _CONTINUED.sub(" ", text[end : closing[0]])
        if content.startswith(" ") and content.endswith(" ") and content.strip():
            content = content[1:-1]
        spans.append(Span(end, closing[0], content))
        number = same[at] + 1
    return spans


def links(text: str, spans: Sequence[Span]) -> list[Link]:
    """Return the links, images and reference definitions of the lines of one block.

    Args:
        text: The lines.
        spans: Their code spans, in which nothing is a link.
    """
    plain = blank(text, spans)
    found: list[Link] = []
    opened: list[int] = []
    at = 0
    while (bracket := _BRACKET.search(plain, at)) is not None:
        at = bracket.end()
        if bracket[0] in ("[", "!["):
            opened.append(bracket.start())
        elif bracket[0] == "]" and opened:
            start = opened.pop()
            if not plain.startswith("(", at):
                continue
            target = _TARGET.match(plain, at + 1)
            if target is None:
                continue
            image = plain[start] == "!"
            group = 1 if target[1] is not None else 2
            label = text[start + (2 if image else 1) : bracket.start()]
            found.append(Link(start, target.start(group), target[group] or "", label, image))
            at = target.end()
    for definition in _DEFINITION.finditer(plain):
        group = 2 if definition[2] is not None else 3
        start = definition.start(1) - 1
        found.append(Link(start, definition.start(group), definition[group], definition[1], False))
    return sorted(found, key=lambda link: link.start)


def blank(text: str, spans: Sequence[Span]) -> str:
    """Return the text with what stands in code spans written as spaces."""
    pieces, last = [], 0
    for span in spans:
        pieces += [text[last : span.start], re.sub(r"[^\n]", " ", text[span.start : span.end])]
        last = span.end
    return "".join([*pieces, text[last:]])
