r"""A page parsed once, as a browser parses it; every rule reads this tree.

Line ends are brought to ``\n`` first, as the HTML standard
does before it reads a page, so every offset here is an offset into :attr:`Document.source`, and
lines are the lines that an editor shows.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from generator.reports.encoded import Encoded
from generator.reports.parsing import STAND_IN, collector_paused, needs_calming, parse
from generator.reports.starttag import StartTag, read_start_tag

_MARK = "data-fieldguide-end-of-page"
_SENTINEL = f"<script {_MARK}></script>"
_CODE = frozenset({"pre", "code", "samp", "kbd", "xmp", "listing", "plaintext"})
_OPEN_TAG = re.compile(r"</?[A-Za-z][^>]*\Z")
_ENTITY = re.compile(r"&(?:#[xX]?[0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?")
_ENTITY_OR_TAG = re.compile(_ENTITY.pattern + r"|<!--.*?-->|</?[A-Za-z][^>]*>", re.DOTALL)


@dataclass(slots=True, eq=False)
class Element:
    """One element of the page.

    Attributes:
        name: Tag name, lower-case for HTML.
        attributes: Decoded values by name; a missing value is "".
        start: Offset of its ``<``; None when the parser supplied the element.
        parent: The element around it.
        order: Position among all elements, in document order.
        inert: It stands in a ``<template>``: no script sees it, nothing in it runs.
        svg: It is no HTML element but part of inline SVG or MathML.
        in_code: It is, or stands in, an element that shows code.
        texts: Its own text, in order.
        last: ``order`` of its last descendant (its own when it has none).
    """

    name: str
    attributes: dict[str, str]
    start: int | None
    parent: Element | None
    order: int
    inert: bool
    svg: bool
    in_code: bool
    texts: list[Text] = field(default_factory=list)
    last: int = 0

    @property
    def id(self) -> str:
        """The id, "" when it has none."""
        return self.attributes.get("id", "")

    @property
    def place(self) -> int:
        """Offset where it starts, that of the nearest ancestor with a tag when it has none."""
        element: Element | None = self
        while element is not None:
            if element.start is not None:
                return element.start
            element = element.parent
        return 0

    def ancestors(self) -> Iterator[Element]:
        """Yield the elements around it, nearest first."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def contains(self, other: Element) -> bool:
        """Tell whether ``other`` is this element or stands inside it."""
        return self.order <= other.order <= self.last


@dataclass(slots=True, eq=False)
class Text:
    """One run of text.

    Attributes:
        data: The text, entities decoded.
        start: Offset where it starts in the source.
        parent: The element it stands in.
        exact: The source holds the same characters, so places in it are exact.
    """

    data: str
    start: int
    parent: Element
    exact: bool


class Document:
    """A page and what stands in it.

    Args:
        text: The page as it was handed in.
    """

    def __init__(self, text: str) -> None:
        plain = text.removeprefix("\ufeff")
        if "\r" in plain:
            plain = plain.replace("\r\n", "\n").replace("\r", "\n")
        self.source = plain
        #: The page starts with a byte order mark.
        self.has_mark = len(plain) < len(text) and text.startswith("\ufeff")
        self.elements: list[Element] = []
        self.texts: list[Text] = []
        self.by_id: dict[str, list[Element]] = {}
        self.has_doctype = False
        #: The tokenizer's word for what the page ends inside of, None when it ends well.
        self.cut: str | None = None
        self._encoded: dict[tuple[int, str], Encoded] = {}
        self._tags: dict[int, StartTag] = {}
        with collector_paused():
            self._read(parse(plain + _SENTINEL).root)
            if not (self.elements and _MARK in self.elements[-1].attributes):
                self._reread()
            else:
                self._drop_sentinel()

    def _reread(self) -> None:
        """Parse without the end mark: it was swallowed, so the page may end inside something."""
        self.elements, self.texts, self.by_id = [], [], {}
        parsed = parse(self.source, collect_errors=True, max_errors=10_000_000)
        codes = [error.code for error in parsed.errors if str(error.code).startswith("eof-in-")]
        self.cut = codes[-1] if codes else None
        self._read(parsed.root)
        if self.cut is None:
            self.cut = self._unclosed_raw() or (
                "eof-in-tag" if _OPEN_TAG.search(self.source, self.source.rfind("<")) else None
            )

    def _unclosed_raw(self) -> str | None:
        """Name a raw text element that never ends; the tokenizer calls that plain end of file."""
        for element in reversed(self.elements):
            if element.name in _RAW and not element.svg and element.start is not None:
                body = self.tag(element).end
                closing = re.compile(rf"</{element.name}[\s/>]", re.IGNORECASE)
                return None if closing.search(self.source, body) else f"eof-in-{element.name}"
        return None

    def _drop_sentinel(self) -> None:
        sentinel = self.elements.pop()
        for element in sentinel.ancestors():
            element.last = min(element.last, len(self.elements) - 1)

    def _read(self, root: Any) -> None:
        """Turn the parser's tree into flat lists, in document order, without recursion."""
        stack: list[tuple[Any, Element | None, bool]] = [(root, None, False)]
        elements, texts = self.elements, self.texts
        source = self.source
        calmed = needs_calming(source)
        while stack:
            node, parent, inert = stack.pop()
            name = node.name
            if name == "#text":
                if calmed and node.data:
                    node.data = node.data.replace(STAND_IN, "<")
                if parent is not None and node.data:
                    start = node.origin_offset
                    start = parent.place if start is None else start
                    exact = source.startswith(node.data, start)
                    text = Text(node.data, start, parent, exact)
                    texts.append(text)
                    parent.texts.append(text)
                continue
            if name == "!doctype":
                self.has_doctype = True
                continue
            if name[0] == "#":
                if node.children:
                    stack.extend((child, parent, inert) for child in reversed(node.children))
                continue
            attributes = {key: value or "" for key, value in node.attrs.items()}
            if calmed:
                attributes = {
                    key.replace(STAND_IN, "<"): value.replace(STAND_IN, "<")
                    for key, value in attributes.items()
                }
            element = Element(
                name,
                attributes,
                node.origin_offset,
                parent,
                len(elements),
                inert,
                node.namespace not in {None, "html"},
                name in _CODE or (parent is not None and parent.in_code),
            )
            element.last = element.order
            elements.append(element)
            identity = element.attributes.get("id")
            if identity and not inert:
                self.by_id.setdefault(identity, []).append(element)
            content = getattr(node, "template_content", None)
            if content is not None and content.children:
                stack.extend((child, element, True) for child in reversed(content.children))
            if node.children:
                stack.extend((child, element, inert) for child in reversed(node.children))
        for element in reversed(elements):
            parent = element.parent
            if parent is not None and parent.last < element.last:
                parent.last = element.last

    def tag(self, element: Element) -> StartTag:
        """Return the start tag of an element as it stands in the source."""
        start = element.place
        if start not in self._tags:
            self._tags[start] = read_start_tag(self.source, start)
        return self._tags[start]

    def attribute_offset(self, element: Element, name: str) -> int:
        """Return where the value of an attribute starts."""
        place = self.tag(element).attributes.get(name.lower())
        return place.value if place else element.place

    def in_attribute(self, element: Element, name: str, index: int) -> int:
        """Return the offset of character ``index`` of a decoded attribute value."""
        place = self.tag(element).attributes.get(name.lower())
        if place is None:
            return element.place
        key = (element.order, name)
        if key not in self._encoded:
            self._encoded[key] = Encoded(self.source[place.value : place.end], _ENTITY)
        return place.value + self._encoded[key].index(index)

    def in_text(self, text: Text, index: int) -> int:
        """Return the offset of character ``index`` of a decoded run of text."""
        if text.exact:
            return text.start + index
        key = (text.start, "")
        if key not in self._encoded:
            # Text may run on past end tags that close nothing, such as </body>.
            raw = self.source[text.start : text.start + 12 * len(text.data) + 256]
            self._encoded[key] = Encoded(raw, _ENTITY_OR_TAG)
        return text.start + self._encoded[key].index(index)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        at = self.source.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.source.find("\n", at + 1)
        return starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset, both counted from 1."""
        offset = max(0, min(offset, len(self.source)))
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def named(self, *names: str) -> Iterator[Element]:
        """Yield the living elements of these names, in document order."""
        for element in self.elements:
            if element.name in names and not element.inert:
                yield element

    @cached_property
    def head_place(self) -> int:
        """Offset at which a missing part of the head is reported."""
        for element in self.elements:
            if element.name in {"head", "html"} and element.start is not None:
                return element.start
        return 0


_RAW = frozenset(
    {"script", "style", "title", "textarea", "xmp", "iframe", "noembed", "noframes", "noscript"}
)
