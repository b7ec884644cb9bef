"""What a page's style sheets say about sizes and scrolling, as far as selectors name things.

No cascade is worked out: a name counts when any rule that ends in it sets the property. That is
enough for warnings, which must not cry wolf.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from generator.reports.document import Document, Element

_RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_NAME = re.compile(r"([#.]?)((?:[\w-]|[^\x00-\x7f])+)")
_HEIGHT = re.compile(
    r"(?:^|[;\s])(?:min-)?(?:height|block-size)\s*:|aspect-ratio\s*:|(?:^|[;\s])inset\s*:"
    r"|(?:^|[;\s])flex(?:-grow)?\s*:\s*[1-9]",
    re.IGNORECASE,
)
_SCROLL = re.compile(r"overflow(?:-x)?\s*:\s*(?:auto|scroll)", re.IGNORECASE)
_HEIGHT_CLASS = re.compile(r"(?:^|\s)(?:\w+:)?(?:h|min-h|aspect|size)-")
_SCROLL_CLASS = re.compile(r"(?:^|\s)(?:overflow-(?:x-)?(?:auto|scroll)|table-responsive)(?:\s|$)")


@dataclass(frozen=True, slots=True)
class Styles:
    """Names that some rule gives a height, and names that some rule lets scroll."""

    heights: frozenset[str]
    scrollers: frozenset[str]

    def has_height(self, element: Element) -> bool:
        """Tell whether anything gives an element a height."""
        attributes = element.attributes
        return (
            "height" in attributes
            or _HEIGHT.search(attributes.get("style", "")) is not None
            or _HEIGHT_CLASS.search(attributes.get("class", "")) is not None
            or not self.heights.isdisjoint(_names(element))
        )

    def scrolls(self, element: Element) -> bool:
        """Tell whether anything lets an element scroll sideways."""
        attributes = element.attributes
        return (
            _SCROLL.search(attributes.get("style", "")) is not None
            or _SCROLL_CLASS.search(attributes.get("class", "")) is not None
            or not self.scrollers.isdisjoint(_names(element))
        )


def read_styles(document: Document) -> Styles:
    """Read every ``<style>`` of a page."""
    heights: set[str] = set()
    scrollers: set[str] = set()
    for element in document.named("style"):
        sheet = _COMMENT.sub(" ", "".join(text.data for text in element.texts))
        for matched in _RULE.finditer(sheet):
            body = matched.group(2)
            if _HEIGHT.search(body):
                heights |= set(_subjects(matched.group(1)))
            if _SCROLL.search(body):
                scrollers |= set(_subjects(matched.group(1)))
    return Styles(frozenset(heights), frozenset(scrollers))


def _names(element: Element) -> Iterable[str]:
    yield element.name
    if element.id:
        yield f"#{element.id}"
    for word in element.attributes.get("class", "").split():
        yield f".{word}"


def _subjects(selectors: str) -> Iterable[str]:
    """Yield the names in the last part of each selector: what the rule is about."""
    for selector in selectors.split(","):
        parts = re.split(r"[\s>+~]+", selector.strip())
        for mark, name in _NAME.findall(parts[-1].partition(":")[0]):
            yield mark + (name if mark else name.lower())
