"""Splits YAML front matter from the text below it, keeping line numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import yaml

from generator.exceptions import FrontMatterError

_BLOCK = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)

# The C loaders are ten times faster and read the same language.
_TYPED = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """Front matter and what follows it.

    Attributes:
        values: The keys and values; empty when the text has no front matter.
        lines: Line of each key.
        body: The text after the block, line ends as line feeds.
        body_line: Line of the file at which ``body`` starts.
        present: The text opens with a front matter block.
    """

    values: dict[str, Any]
    lines: dict[str, int]
    body: str
    body_line: int
    present: bool


def normalise(text: str) -> str:
    """Return text with line feeds as line ends and without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def split_front_matter(text: str, *, typed: bool = True) -> FrontMatter:
    """Split a document into front matter and body.

    Args:
        text: The whole document.
        typed: Read numbers, dates and booleans as such; False leaves every value text, so that
            ``since: 1.10`` stays ``1.10``.

    Raises:
        FrontMatterError: The block is not closed, is not YAML, is no mapping, or has a key twice.
    """
    text = normalise(text)
    if not re.match(r"---[ \t]*\n", text):
        return FrontMatter({}, {}, text, 1, present=False)
    block = _BLOCK.match(text)
    if block is None:
        raise FrontMatterError("the front matter is not closed", line=1, column=1)
    source = block[1]
    loader = _TYPED if typed else _PLAIN
    try:
        tree = yaml.compose(source, Loader=loader)
        values = yaml.load(source, Loader=loader)  # noqa: S506 - both loaders are safe ones
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 2, mark.column + 1) if mark else (2, 1)
        reason = error.problem or error.context or "the front matter is not YAML"
        raise FrontMatterError(reason, line=line, column=column) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = str(error).splitlines()[0] if str(error) else "the front matter is not YAML"
        raise FrontMatterError(reason, line=2, column=1) from error
    if values is None or values == "":
        values, tree = {}, None
    if not isinstance(values, dict):
        raise FrontMatterError(
            "the front matter is no list of 'key: value' lines", line=2, column=1
        )
    lines: dict[str, int] = {}
    for key, _ in tree.value if tree is not None else ():
        name = str(key.value)
        if name in lines:
            raise FrontMatterError(
                f"{name!r} stands twice in the front matter",
                line=key.start_mark.line + 2,
                column=key.start_mark.column + 1,
            )
        lines[name] = key.start_mark.line + 2
    body_line = text.count("\n", 0, block.end()) + 1
    return FrontMatter(
        {str(key): value for key, value in values.items()},
        lines,
        text[block.end() :],
        body_line,
        present=True,
    )
