"""Finds the samples of a guide: its fenced blocks, with the words of their info lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.markup.markdown import fence_tokens

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """One fenced block.

    Attributes:
        language: First word of the info line, in lower case; "" when there is none.
        code: What it holds.
        line: Line of the opening fence in the text it came from, from 1.
        wrong: It shows a mistake and must fail.
        file: Name of the file it is, "" when it is only a part.
        figure: Name of the committed drawing, "" when it has none.
        rules: Report rules that must find a wrong one.
        closed: Its closing fence is there.
    """

    language: str
    code: str
    line: int
    wrong: bool = False
    file: str = ""
    figure: str = ""
    rules: tuple[str, ...] = ()
    closed: bool = True


def find_samples(markdown: str) -> list[Sample]:
    """Return every fenced block of a text, in order, those in lists and quotes included.

    Args:
        markdown: A compiled guide, without front matter.
    """
    return samples_of(fence_tokens(markdown), markdown.split("\n"))


def samples_of(tokens: Iterable[Token], lines: list[str]) -> list[Sample]:
    """Return the fenced blocks among the tokens of a text.

    Args:
        tokens: Tokens of its blocks.
        lines: The text, line by line.
    """
    return [
        _read(
            token.info, token.content, token.map[0] + 1, _is_closed(lines, token.map, token.markup)
        )
        for token in tokens
        if token.type == "fence" and token.map
    ]


def _read(info: str, code: str, line: int, closed: bool) -> Sample:
    language, *words = info.split() or [""]
    named = dict(word.split("=", 1) for word in words if "=" in word)
    return Sample(
        language=language.lower(),
        code=code,
        line=line,
        wrong="wrong" in words,
        file=named.get("file", ""),
        figure=named.get("figure", ""),
        rules=tuple(filter(None, named.get("rule", "").split(","))),
        closed=closed,
    )


def _is_closed(lines: list[str], span: list[int], markup: str) -> bool:
    """Tell whether a fence ends with a fence and not with the text it stands in."""
    last = lines[min(span[1], len(lines)) - 1].strip(" >\t")
    return span[1] - span[0] > 1 and len(last) >= len(markup) and not last.strip(markup[0])
