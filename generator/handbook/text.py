"""Markdown that every kind of page writes: tables, fences, docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Sequence

_TICKS = re.compile(r"`{3,}")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table; bars and line ends inside cells are made harmless."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "\\|").split())


def fence(language: str, text: str) -> str:
    """Write a code block whose marks are longer than any inside it."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{language}\n{text.rstrip()}\n{marks}"


def plain(docstring: str | None) -> str:
    """Turn a docstring into Markdown: dedented, double backquotes single."""
    return re.sub(r"``([^`]+)``", r"`\1`", inspect.cleandoc(docstring or ""))


def first_line(docstring: str | None) -> str:
    """Return the first sentence-like line of a docstring as Markdown."""
    return plain(docstring).split("\n\n", 1)[0].replace("\n", " ")


def body(*parts: str) -> str:
    """Join the parts of a page, leaving empty ones out."""
    return "\n\n".join(part for part in parts if part) + "\n"
