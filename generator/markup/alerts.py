"""Alerts as GitHub writes them: a quote that begins with ``[!NOTE]`` is an admonition.

https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#alerts
Works on the tokens of blocks, before inlines are read, and needs nothing of the parser but them.
"""

from __future__ import annotations

import re
from typing import Any

_MARK = re.compile(r"\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|\Z)", re.IGNORECASE)


def mark_alerts(state: Any) -> None:
    """Turn the quotes that are alerts into admonitions, as a core rule of the parser."""
    tokens = state.tokens
    made: list[Any] = []
    skipped = -1
    open_quotes: list[bool] = []
    for at, token in enumerate(tokens):
        if at <= skipped:
            continue
        if token.type == "blockquote_open":
            found = _mark_of(tokens, at)
            open_quotes.append(found is not None)
            made.append(token)
            if found is not None:
                kind = found[1].lower()
                token.tag = "div"
                token.attrSet("class", f"admonition {kind}")
                made += _title(tokens[at + 1 : at + 4], kind.capitalize())
                if not _take_mark(tokens[at + 2], found):
                    skipped = at + 3  # nothing but the mark stood in that paragraph
            continue
        if token.type == "blockquote_close" and open_quotes.pop():
            token.tag = "div"
        made.append(token)
    tokens[:] = made


def _mark_of(tokens: list[Any], at: int) -> re.Match[str] | None:
    if at + 2 >= len(tokens) or tokens[at + 1].type != "paragraph_open":
        return None
    return _MARK.match(tokens[at + 2].content)


def _title(paragraph: list[Any], text: str) -> list[Any]:
    opening, inline, closing = (token.copy() for token in paragraph)
    opening.attrs = {"class": "admonition-title"}
    inline.content, inline.children = text, []
    return [opening, inline, closing]


def _take_mark(inline: Any, found: re.Match[str]) -> bool:
    """Take the mark out of its paragraph and say whether anything is left."""
    inline.content = inline.content[found.end() :]
    if inline.map:
        inline.map = [inline.map[0] + 1, inline.map[1]]
    return bool(inline.content.strip())
