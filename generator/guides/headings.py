"""Moves the headings of a guide one level down, and points its links at the exported files.

Both edits touch only what a Markdown parser says is a heading or prose: a ``#`` in a code block
is a comment and stays.
"""

from __future__ import annotations

import re

from generator.markup.markdown import Block
from generator.markup.outline import outline

_LINK = re.compile(r"(?<=\]\()(?:\./)?([a-z][a-z0-9_]*)\.md(?=[#)\s])")
_REFERENCE = re.compile(r"(?m)^( {0,3}\[[^\]\n]+\]:\s+)(?:\./)?([a-z][a-z0-9_]*)\.md(?=[#\s]|$)")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")


def demote(markdown: str) -> str:
    """Move every heading one level down, and never above the third.

    Args:
        markdown: A compiled body whose headings start at ``##``.

    Returns:
        The same text with its headings a level deeper, written with ``#`` marks. A level-1
        heading becomes a third one, so that no guide can forge the ``## topic`` join.
    """
    lines = markdown.split("\n")
    for block in reversed(outline(markdown).headings):
        level = min(max(block.level + 1, 3), 6)
        if block.markup.startswith("#"):
            lines[block.start] = _remark(lines[block.start], block, level)
        else:
            _rewrite_underlined(lines, block, level)
    return "\n".join(lines)


def _remark(line: str, block: Block, level: int) -> str:
    at = line.find(block.markup)
    return f"{line[:at]}{'#' * level}{line[at + len(block.markup) :]}"


def _rewrite_underlined(lines: list[str], block: Block, level: int) -> None:
    """Turn a heading with an underline into one with marks, as only two levels have one."""
    first = block.text.split("\n", 1)[0]
    at = max(lines[block.start].find(first), 0)
    title = " ".join(part.strip() for part in block.text.split("\n"))
    lines[block.start : block.end] = [f"{lines[block.start][:at]}{'#' * level} {title}"]


def relink(markdown: str, topics: frozenset[str] | None = None, *, prefix: str) -> str:
    """Point links between guides, written ``name.md``, at the exported files.

    Args:
        markdown: A compiled body.
        topics: Topics that exist; links to others stay as they are. None: every name.
        prefix: Put before the file name, such as ``../guides/``.
    """
    if ".md" not in markdown:
        return markdown
    verbatim = outline(markdown).verbatim
    lines = markdown.split("\n")

    def point(match: re.Match[str]) -> str:
        known = topics is None or match[1] in topics
        return f"{prefix}{match[1]}.md" if known else match[0]

    def point_reference(match: re.Match[str]) -> str:
        known = topics is None or match[2] in topics
        return f"{match[1]}{prefix}{match[2]}.md" if known else match[0]

    for number, line in enumerate(lines):
        if ".md" not in line or number in verbatim:
            continue
        spans = [found.span() for found in _CODE_SPAN.finditer(line)]
        pieces, last = [], 0
        for start, end in [*spans, (len(line), len(line))]:
            prose = _REFERENCE.sub(point_reference, _LINK.sub(point, line[last:start]))
            pieces += [prose, line[start:end]]
            last = end
        lines[number] = "".join(pieces)
    return "\n".join(lines)
