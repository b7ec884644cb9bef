"""Moves the headings of a guide one level down, and writes its links to others as names.

Both edits touch only what a Markdown parser says is a heading or prose: a ``#`` in a code block
is a comment and stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from generator.markup.markdown import Block
from generator.markup.outline import outline

_TEXT = r"((?:[^\[\]\n]|\n(?!\s*\n)|\[[^\[\]\n]*\]){1,500})"
_LINK = re.compile(
    rf"(?<!!)\[{_TEXT}\]\((?:\./)?([a-z][a-z0-9_]*)\.md(?:#[^)\s]*)?(?:\s+\"[^\"\n]*\")?\)"
)
_DEFINITION = re.compile(
    r"(?m)^ {0,3}\[([^\]\n]+)\]:[ \t]+(?:\./)?([a-z][a-z0-9_]*)\.md(?:#\S*)?(?:[ \t].*)?(?:\n|\Z)"
)
_REFERENCE = re.compile(rf"(?<!!)\[{_TEXT}\](?:\[([^\[\]\n]*)\])?(?![(\[:])")
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


def name_guides(
    markdown: str, *, kind: str = "guide", name: Callable[[str], str] = lambda topic: topic
) -> str:
    """Write links between guides, ``[text](topic.md)``, as the name of the guide.

    A composed text is read far from its file: over MCP, in a bundle, pasted into a prompt. A path
    leads nowhere there; the name is what the reader asks for next.

    Args:
        markdown: A compiled body.
        kind: What the reader calls it.
        name: Gives the name behind a topic.
    """
    if ".md" not in markdown:
        return markdown
    seen = _without_code(markdown)
    topics = {match[1].casefold(): match[2] for match in _DEFINITION.finditer(seen)}
    edits = [(*match.span(), "") for match in _DEFINITION.finditer(seen)]
    for match in _LINK.finditer(seen):
        text = markdown[slice(*match.span(1))]
        edits.append((*match.span(), _named(text, match[2], kind, name)))
    for match in _REFERENCE.finditer(seen) if topics else ():
        label = (match[2] or match[1]).casefold()
        if label in topics and not any(start <= match.start() < end for start, end, _ in edits):
            text = markdown[slice(*match.span(1))]
            edits.append((*match.span(), _named(text, topics[label], kind, name)))
    for start, end, text in sorted(edits, reverse=True):
        markdown = markdown[:start] + text + markdown[end:]
    return markdown


def _named(text: str, topic: str, kind: str, name: Callable[[str], str]) -> str:
    if text.strip("`").strip() in (topic, name(topic)):
        return f"`{name(topic)}`"
    return f"{text} ({kind} `{name(topic)}`)"


def _without_code(markdown: str) -> str:
    """Blank out code, keeping every offset, so that what looks like a link in it is none."""
    verbatim = outline(markdown).verbatim
    lines = markdown.split("\n")
    for number, line in enumerate(lines):
        if number in verbatim:
            lines[number] = "\0" * len(line)
        elif "`" in line:
            lines[number] = _CODE_SPAN.sub(lambda match: "\0" * len(match[0]), line)
    return "\n".join(lines)
