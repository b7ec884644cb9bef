"""The title of a report, read from its first lines.

A report may be 50 MB, so this looks for the title alone instead of parsing the whole text.
"""

from __future__ import annotations

import re

_SEARCHED_CHARACTERS = 64 * 1024
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ATX = re.compile(r" {0,3}#{1,6}(?:[ \t]+(?P<text>.*?))?(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_MARKS = re.compile(r"(\*\*|__|`|(?<!\w)[*_]|[*_](?!\w))")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def markdown_title(text: str) -> str | None:
    """Return the title of a Markdown report.

    Args:
        text: The whole file.

    Returns:
        ``title`` of the front matter, else the first heading as plain text, else None. Only the
        first 64 K characters are looked at.
    """
    lines = text[:_SEARCHED_CHARACTERS].removeprefix("\ufeff").splitlines()
    front, body = _split_front_matter(lines)
    return _front_title(front) or _first_heading(body)


def _split_front_matter(lines: list[str]) -> tuple[str, list[str]]:
    if lines and lines[0].rstrip() == "---":
        for number, line in enumerate(lines[1:], start=1):
            if line.rstrip() in ("---", "..."):
                return "\n".join(lines[1:number]), lines[number + 1 :]
    return "", lines


def _front_title(front: str) -> str | None:
    if "title" not in front:
        return None
    import yaml

    try:
        loaded = yaml.safe_load(front)
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    title = loaded.get("title") if isinstance(loaded, dict) else None
    return str(title).strip() or None if title is not None else None


def _first_heading(lines: list[str]) -> str | None:
    fence = ""
    before = ""
    for line in lines:
        opened = _FENCE.match(line)
        if fence:
            if opened and opened[1].startswith(fence) and not line.strip(" \t`~"):
                fence = ""
            continue
        if opened:
            fence, before = opened[1], ""
            continue
        atx = _ATX.match(line)
        if atx and (heading := _plain(atx["text"] or "")):
            return heading
        if before and _SETEXT.match(line):
            return _plain(before) or None
        before = line if line.strip() and not line.startswith((" " * 4, "\t", ">", "|")) else ""
    return None


def _plain(text: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()
