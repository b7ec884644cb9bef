"""Compiles a guide and remembers where every piece of its text came from.

The template is parsed as always; then each piece of plain text and each expression gets a mark
(between two noncharacters, which no text holds) that names template and offset. Marks pass through
macros, includes and loops like any text, and are taken out of the result again. A template that
would notice them (it measures or trims a captured text) gives another result than without:
then its lines are matched with the source instead.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Undefined, nodes

from generator.exceptions import TemplateRenderError
from generator.templating import (
    GUIDE_NAME,
    GuideEnvironment,
    has_marks,
    located,
    render_guide,
    run_template,
)

_MARK = re.compile("\ufdd0(\\d+)\\.(\\d+)\\.([01])\ufdd1")


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a character of a compiled text came from.

    Attributes:
        template: Name of the shared passage; "" for the guide itself.
        offset: Index in that file's text (for the guide: in its body).
        literal: It stands there as it is; else an expression made it.
    """

    template: str
    offset: int
    literal: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Traced:
    """A compiled text that knows its source.

    Attributes:
        text: The text.
        starts: Index of the first character of each piece.
        origins: Where each piece begins.
        failure: Why the template could not be compiled strictly; None when it could.
    """

    text: str
    starts: tuple[int, ...]
    origins: tuple[Origin, ...]
    failure: TemplateRenderError | None = None

    def origin(self, index: int) -> Origin:
        """Return where a character came from."""
        at = bisect_right(self.starts, index) - 1
        if at < 0:
            return Origin("", 0, literal=False)
        found = self.origins[at]
        if not found.literal:
            return found
        return Origin(found.template, found.offset + index - self.starts[at], literal=True)


class _Blank(Undefined):
    """An undefined name that is nothing at all, so that the rest of a guide can still be read."""

    __slots__ = ()

    def __call__(self, *_: Any, **__: Any) -> _Blank:  # type: ignore[override]
        return self


class _Tracing(GuideEnvironment):
    """The environment of guides, whose output carries marks."""

    def __init__(self, partials: Path, *, strict: bool) -> None:
        super().__init__(partials)
        if not strict:
            self.undefined = _Blank
        self.names: list[str] = []

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        number = self._number("" if name == GUIDE_NAME else name or "")
        data, expressions = _offsets(self, source)
        mark_data, mark_made = iter(data), iter(expressions)
        for output in tree.find_all(nodes.Output):
            marked: list[nodes.Expr] = []
            for node in output.nodes:
                literal = isinstance(node, nodes.TemplateData)
                offset = next(mark_data if literal else mark_made, 0)
                mark = f"\ufdd0{number}.{offset}.{int(literal)}\ufdd1"
                marked += [nodes.TemplateData(mark, lineno=node.lineno), node]
            output.nodes = marked
        return tree

    def _number(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Take parts of what is undefined for undefined as well."""
        return obj if isinstance(obj, _Blank) else super().getitem(obj, argument)


def template_tokens(environment: GuideEnvironment, source: str) -> Iterator[tuple[int, str, str]]:
    """Yield every token of a template: its offset, its kind, its text.

    Raises:
        TemplateSyntaxError: It is no template.
    """
    at = 0
    for _, kind, value in environment.lexer.tokeniter(source, None):
        # Only white space is ever left out between two tokens.
        while not source.startswith(value, at) and at < len(source) and source[at].isspace():
            at += 1
        yield at, kind, value
        at += len(value)


def _offsets(environment: GuideEnvironment, source: str) -> tuple[list[int], list[int]]:
    """Return where the plain texts of a template begin, and where its expressions do."""
    data, expressions = [], []
    for at, kind, value in template_tokens(environment, source):
        if kind == "data" and value:
            data.append(at)
        elif kind == "variable_begin":
            expressions.append(at)
    return data, expressions


@cache
def tracing_environment(partials: Path, *, strict: bool) -> _Tracing:
    """Return the tracing environment of one folder of shared passages, made once."""
    return _Tracing(partials, strict=strict)


def trace(
    source: str, *, context: Mapping[str, Any], partials: Path, path: Path, first_line: int
) -> Traced:
    """Compile the body of a guide; the arguments are those of ``render_guide``.

    Returns:
        The text with its origins. When the template fails, ``failure`` says why, and the text is
        what remains of it: undefined names are empty, and a template that is none stands as it is.
    """
    if not has_marks(source):
        return Traced(text=source, starts=(0,), origins=(Origin("", 0, literal=True),))
    failure = None
    plain: str | None = None
    try:
        plain = render_guide(
            source, context=context, partials=partials, path=path, first_line=first_line
        )
    except TemplateRenderError as error:
        failure = error
    environment = tracing_environment(partials, strict=failure is None)
    try:
        marked = run_template(environment, source, context)
    except Exception as error:
        if failure is None:
            failure = located(error, path=path, partials=partials, first_line=first_line)
        return _by_lines(plain if plain is not None else source, source, failure)
    traced = _read_marks(marked, environment.names, failure)
    if plain is not None and traced.text != plain:
        return _by_lines(plain, source, failure)
    return traced


def _read_marks(marked: str, names: list[str], failure: TemplateRenderError | None) -> Traced:
    pieces: list[str] = []
    starts: list[int] = []
    origins: list[Origin] = []
    length, last = 0, 0
    for mark in _MARK.finditer(marked):
        pieces.append(marked[last : mark.start()])
        length += mark.start() - last
        last = mark.end()
        origin = Origin(names[int(mark[1])], int(mark[2]), literal=mark[3] == "1")
        if starts and starts[-1] == length:
            origins[-1] = origin  # nothing was written under the mark before
        else:
            starts.append(length)
            origins.append(origin)
    pieces.append(marked[last:])
    return Traced(
        text="".join(pieces), starts=tuple(starts), origins=tuple(origins), failure=failure
    )


def _by_lines(text: str, source: str, failure: TemplateRenderError | None) -> Traced:
    """Match the lines of a text with those of its source, in order."""
    places: dict[str, list[int]] = {}
    offset = 0
    for line in source.split("\n"):
        places.setdefault(line, []).append(offset)
        offset += len(line) + 1
    starts, origins = [], []
    at, last = 0, 0
    for line in text.split("\n"):
        later = places.get(line, [])
        found = bisect_right(later, last - 1)
        starts.append(at)
        if found < len(later):
            last = later[found]
            origins.append(Origin("", last, literal=True))
        else:
            origins.append(Origin("", last, literal=False))
        at += len(line) + 1
    return Traced(text=text, starts=tuple(starts), origins=tuple(origins), failure=failure)
