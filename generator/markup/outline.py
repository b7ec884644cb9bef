"""Where the headings and the code of a text stand, found a hundred times faster than by parsing.

Most guides hold headings and fences at the start of a line and nothing that could hide one. Those
are read line by line; a text with anything else (headings in lists or quotes, underlined ones,
indented code, display formulas) goes to the parser. A property test holds the two together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from generator.markup.markdown import Block, heading_blocks, verbatim_lines


@dataclass(frozen=True, slots=True)
class Outline:
    """Where things stand in a text.

    Attributes:
        headings: Its headings in order.
        verbatim: Lines, from 0, that are code or formulas.
    """

    headings: tuple[Block, ...]
    verbatim: frozenset[int]


_HEADING = re.compile(r"(#{1,6})(?:[ \t]+(.*))?\Z")
_CLOSING_MARKS = re.compile(r"(?:\A|[ \t]+)#+[ \t]*\Z")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)\Z")
# A line that only a parser can place: marks behind a container's prefix, an underline, deep
# indentation, a formula, a definition (whose term may be any line at all).
_CONTAINER = r"[\s>*+\-0-9.):!]"
_HARD = re.compile(
    rf"[ ]{{4}}|[ ]{{0,3}}\t|[ ]{{0,3}}[:~][ \t]|{_CONTAINER}+(?:#{{1,6}}(?:\s|\Z)|`{{3}}|~{{3}})"
    rf"|{_CONTAINER}*(?:\$\$|=+\s*\Z|-+\s*\Z)"
)


def outline(markdown: str) -> Outline:
    """Return where the headings and the code of a text stand."""
    return _scan(markdown) or Outline(
        tuple(heading_blocks(markdown)), frozenset(verbatim_lines(markdown))
    )


def _scan(markdown: str) -> Outline | None:
    """Read a text line by line; None when it takes a parser."""
    if "\r" in markdown or "\0" in markdown:
        return None
    lines = markdown.split("\n")
    if not lines[-1]:
        lines.pop()
    headings: list[Block] = []
    verbatim: list[int] = []
    closing: re.Pattern[str] | None = None
    for number, line in enumerate(lines):
        if closing is not None:
            verbatim.append(number)
            if closing.match(line):
                closing = None
        elif not line:
            continue
        elif line[0] == "#":
            heading = _HEADING.match(line)
            if heading:
                text = _CLOSING_MARKS.sub("", (heading[2] or "").rstrip(" \t")).strip()
                mark = heading[1]
                headings.append(Block(len(mark), number, number + 1, mark, text))
        elif line.startswith(("```", "~~~")):
            fence = _FENCE.match(line)
            if fence is None or (line[0] == "`" and "`" in fence[2]):
                return None
            closing = re.compile(rf" {{0,3}}{line[0]}{{{len(fence[1])},}}[ \t]*\Z")
            verbatim.append(number)
        elif _HARD.match(line):
            return None
    return Outline(tuple(headings), frozenset(verbatim))
