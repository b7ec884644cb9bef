"""Where the attributes of a start tag stand in the source.

The parser gives the place of each element and the decoded values of its attributes; a finding
inside an attribute needs the place of the value itself. This reads one start tag by the
attribute states of the HTML standard (https://html.spec.whatwg.org/#before-attribute-name-state).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_BLANK = " \t\n\f\r"
_TAG_NAME = re.compile(r"<[^\s/>]*")
_SKIP = re.compile(r"[\s/]*")
_NAME = re.compile(r"=?[^\s/>=]*")
_UNQUOTED = re.compile(r"[^\s>]*")


@dataclass(frozen=True, slots=True)
class AttributePlace:
    """Offsets of one attribute in the source.

    Attributes:
        name: Where its name starts.
        value: Where its value starts (after the quote); the name's end when it has none.
        end: Where its value ends.
    """

    name: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class StartTag:
    """One start tag as it stands in the source.

    Attributes:
        attributes: Place of each attribute by lower-case name; the first of a name counts.
        end: Offset just after the closing ``>``.
    """

    attributes: dict[str, AttributePlace]
    end: int


def read_start_tag(source: str, start: int) -> StartTag:
    """Read the start tag at ``start``, where its ``<`` stands.

    Args:
        source: The page.
        start: Offset of the ``<``.

    Returns:
        The places of the attributes and the end of the tag; a tag that never ends runs to the
        end of the page.
    """
    attributes: dict[str, AttributePlace] = {}
    matched = _TAG_NAME.match(source, start)
    at = matched.end() if matched else start + 1
    size = len(source)
    while at < size:
        at = _end(_SKIP, source, at)
        if at >= size or source[at] == ">":
            break
        name_start, at = at, _end(_NAME, source, at)
        name = source[name_start:at].lower()
        place, at = _value(source, name_start, at)
        attributes.setdefault(name, place)
    return StartTag(attributes=attributes, end=min(at + 1, size))


def _value(source: str, name_start: int, at: int) -> tuple[AttributePlace, int]:
    """Read what follows an attribute's name; returns the place and where reading goes on."""
    name_end = at
    while at < len(source) and source[at] in _BLANK:
        at += 1
    if at >= len(source) or source[at] != "=":
        return AttributePlace(name_start, name_end, name_end), at
    at += 1
    while at < len(source) and source[at] in _BLANK:
        at += 1
    if at < len(source) and source[at] in "\"'":
        close = source.find(source[at], at + 1)
        close = len(source) if close < 0 else close
        return AttributePlace(name_start, at + 1, close), close + 1
    end = _end(_UNQUOTED, source, at)
    return AttributePlace(name_start, at, end), end


def _end(pattern: re.Pattern[str], source: str, at: int) -> int:
    matched = pattern.match(source, at)
    return matched.end() if matched else at
