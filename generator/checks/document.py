"""One Markdown file as the rules see it: its source, its compiled text, and the way back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from generator.checks.inline import Link, Span, code_spans, links
from generator.checks.tracing import Traced, trace
from generator.exceptions import FrontMatterError
from generator.guides.compose import partials_folder, section_of_guide, template_names
from generator.markup.front_matter import FrontMatter, normalise, split_front_matter
from generator.markup.markdown import Block, block_tokens, headings_of
from generator.markup.outline import outline
from generator.markup.slugs import slug, unique_anchors
from generator.proofs.samples import Sample, samples_of

if TYPE_CHECKING:
    from markdown_it.token import Token

Kind = Literal["guide", "rules"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A place in a source file: line and column from 1, columns in characters."""

    path: Path
    line: int
    column: int


class Lines:
    """Turns an index into a text into line and column, and back."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def position(self, index: int) -> tuple[int, int]:
        """Return line and column, both from 1."""
        line = bisect_right(self._starts, index)
        return line, index - self._starts[line - 1] + 1

    def index(self, line: int, column: int = 1) -> int:
        """Return the index of a place; a line past the end is the last one."""
        return self._starts[min(line, len(self._starts)) - 1] + column - 1


@dataclass(frozen=True, slots=True)
class Prose:
    """The lines of one block that is no code.

    Attributes:
        start: Index of its first character in the compiled text.
        text: Its lines, with whatever stands before them (list marks, quote marks).
        spans: Its code spans; indexes count from the block.
        links: Its links and images, likewise.
    """

    start: int
    text: str
    spans: tuple[Span, ...]
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the compiled text.

    Attributes:
        level: 1 to 6.
        text: What it says, as Markdown.
        anchor: Its anchor, unique in the file.
        slug: The anchor it would have alone.
        index: Index of its first character in the compiled text.
        line: Its line in the compiled text, from 0.
    """

    level: int
    text: str
    anchor: str
    slug: str
    index: int
    line: int


@dataclass(eq=False)
class Document:
    """One file.

    Attributes:
        path: Where it is.
        name: The path as it is shown.
        kind: ``guide``: one of our topics; ``rules``: any other Markdown for agents.
        source: Its text, with line feeds and without a byte order mark.
        damaged: Line of the first byte that is no UTF-8; 0 when all is well.
        crlf: The file has Windows line ends.
        origin: ``shipped``, ``user`` or ``path`` (named by the caller).
    """

    path: Path
    name: str
    kind: Kind
    source: str
    damaged: int = 0
    crlf: bool = False
    origin: str = "path"
    lines: Lines = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.lines = Lines(self.source)

    @property
    def topic(self) -> str:
        """The topic a guide is about: the file's name."""
        return self.path.stem

    @cached_property
    def front(self) -> FrontMatter | FrontMatterError:
        """The front matter, or why it cannot be read."""
        try:
            return split_front_matter(self.source, typed=False)
        except FrontMatterError as error:
            return error

    @cached_property
    def body_line(self) -> int:
        """Line of the file at which the body starts."""
        if isinstance(self.front, FrontMatter):
            return self.front.body_line
        return self._after_broken_front() + 1

    @cached_property
    def body_start(self) -> int:
        """Index in the source at which the body starts."""
        line = self.body_line
        return len(self.source) if line > self.source.count("\n") + 1 else self.lines.index(line)

    def _after_broken_front(self) -> int:
        """Return how many lines broken front matter takes: to its closing line, else none."""
        for number, line in enumerate(self.source.split("\n")[1:200], 2):
            if line.rstrip() == "---":
                return number
        return 0

    @property
    def body(self) -> str:
        """The source below the front matter."""
        return self.source[self.body_start :]

    @cached_property
    def traced(self) -> Traced:
        """The compiled body with its origins; of other files than guides the body itself."""
        if self.kind != "guide":
            return trace("", context={}, partials=Path(), path=self.path, first_line=1)
        context = template_names(self.topic)
        return trace(
            self.body,
            context=context,
            partials=partials_folder(),
            path=self.path,
            first_line=self.body_line,
        )

    @cached_property
    def text(self) -> str:
        """The compiled body: what the rules read."""
        return self.traced.text if self.kind == "guide" else self.body

    @cached_property
    def markdown(self) -> str:
        """The compiled body in the form the composer gives it."""
        return self.text.strip("\n") + "\n"

    @cached_property
    def joined(self) -> str:
        """The section of this guide in a bundle: what ``reasoning_guide`` returns for it."""
        return section_of_guide(self.topic, self.markdown)

    @cached_property
    def text_lines(self) -> list[str]:
        """The compiled body, line by line."""
        return self.text.split("\n")

    @cached_property
    def text_places(self) -> Lines:
        """Lines and indexes of the compiled body."""
        return Lines(self.text)

    @cached_property
    def tokens(self) -> list[Token]:
        """Tokens of the blocks of the compiled body."""
        return block_tokens(self.text)

    @cached_property
    def samples(self) -> list[Sample]:
        """Its fenced blocks; their lines count in the compiled body."""
        return samples_of(self.tokens, self.text_lines)

    @cached_property
    def headings(self) -> list[Heading]:
        """Its headings in order."""
        blocks = headings_of(self.tokens)
        slugs = [slug(_without_marks(block.text)) for block in blocks]
        return [
            Heading(
                block.level,
                block.text,
                anchor,
                plain,
                self.text_places.index(block.start + 1) + self._mark_at(block),
                block.start,
            )
            for block, plain, anchor in zip(blocks, slugs, unique_anchors(slugs), strict=True)
        ]

    def _mark_at(self, block: Block) -> int:
        line = self.text_lines[block.start]
        first = block.markup if block.markup.startswith("#") else block.text.split("\n")[0]
        return max(line.find(first), 0)

    @cached_property
    def anchors(self) -> frozenset[str]:
        """Anchors that links into this file may name."""
        return frozenset(heading.anchor for heading in self.headings)

    @cached_property
    def prose(self) -> list[Prose]:
        """Everything that is no code, block by block."""
        return list(self._prose())

    def _prose(self) -> Iterator[Prose]:
        verbatim: set[int] = set()
        ranges: dict[int, int] = {}
        for token in self.tokens:
            if token.map and token.type in ("fence", "code_block", "math_block"):
                verbatim.update(range(*token.map))
            elif token.map and token.type == "inline":
                start, end = token.map
                ranges[start] = max(end, ranges.get(start, 0))
        covered = 0
        for start in sorted([*ranges, len(self.text_lines)]):
            # Lines of no block hold definitions of links and footnotes.
            yield from self._between(covered, start, verbatim)
            if start >= covered and start in ranges:
                yield self._block(start, ranges[start])
                covered = ranges[start]

    def _between(self, start: int, end: int, verbatim: set[int]) -> Iterator[Prose]:
        for number in range(start, end):
            line = self.text_lines[number]
            if number not in verbatim and "[" in line:
                yield self._block(number, number + 1)

    def _block(self, start: int, end: int) -> Prose:
        text = "\n".join(self.text_lines[start:end])
        spans = code_spans(text) if "`" in text else []
        found = links(text, spans) if "]" in text else []
        return Prose(self.text_places.index(start + 1), text, tuple(spans), tuple(found))

    @cached_property
    def code_lines(self) -> frozenset[int]:
        """Lines of the source, from 1, that are samples."""
        first = self.body_line
        return frozenset(first + line for line in outline(self.body).verbatim)

    def is_code(self, index: int) -> bool:
        """Tell whether a character of the source stands in a sample or a code span."""
        line, column = self.lines.position(index)
        if line in self.code_lines:
            return True
        spans = self._line_spans.get(line)
        if spans is None:
            spans = [(span.start, span.end) for span in code_spans(self.source_lines[line - 1])]
            self._line_spans[line] = spans
        at = bisect_right(spans, (column - 1, len(self.source)))
        return at > 0 and column - 1 < spans[at - 1][1]

    @cached_property
    def _line_spans(self) -> dict[int, list[tuple[int, int]]]:
        """The code spans of the lines that were asked for."""
        return {}

    @cached_property
    def source_lines(self) -> list[str]:
        """The source, line by line."""
        return self.source.split("\n")

    def place(self, index: int) -> Place:
        """Return the source of a character of the compiled text.

        Args:
            index: Index into ``text``.
        """
        if self.kind != "guide":
            return self.source_place(self.body_start + index)
        origin = self.traced.origin(index)
        if origin.template:
            path = partials_folder() / origin.template
            return Place(path, *Lines(_partial(path)).position(origin.offset))
        return self.source_place(self.body_start + origin.offset)

    def line_place(self, line: int, column: int = 1) -> Place:
        """Return the source of a line and column (from 1) of the compiled text."""
        return self.place(self.text_places.index(line, column))

    def source_place(self, index: int) -> Place:
        """Return the place of a character of the source."""
        return Place(self.path, *self.lines.position(min(max(index, 0), len(self.source))))

    def source_index(self, index: int, length: int) -> int | None:
        """Return where a stretch of the compiled text stands in the source.

        Returns:
            The index, or None when it does not stand there as it is.
        """
        if self.kind != "guide":
            return self.body_start + index
        origin = self.traced.origin(index)
        at = self.body_start + origin.offset
        stretch = self.text[index : index + length]
        same = origin.literal and not origin.template
        return at if same and self.source.startswith(stretch, at) else None


def _without_marks(text: str) -> str:
    """Return the text of a heading as a reader sees it, for its anchor."""
    for link in reversed(links(text, code_spans(text))):
        end = text.find(")", link.target_start + len(link.target)) + 1
        if end:
            text = text[: link.start] + link.text + text[end:]
    return text.replace("*", "").replace("`", "")


def _partial(path: Path) -> str:
    try:
        return normalise(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return ""
