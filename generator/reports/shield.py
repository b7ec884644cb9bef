"""Keeps braces of a text from being read as a template, without changing what people see.

QuickUI fills ``{{ path }}`` wherever both braces stand in one piece of text, even when they are
written as entities. A comment between them makes two pieces: the page shows the same, a copy of
it holds the same, and nothing is filled in.
"""

from __future__ import annotations

import re

from markupsafe import Markup, escape

_TAG_OR_TEXT = re.compile(r"<!--.*?-->|<[^>]*>|[^<]+|<", re.DOTALL)
_OPENING = re.compile(r"\{(?=[{%])")
_BETWEEN_TEXT = "{<!-- -->"
# An attribute takes no comment; a word joiner has no width and breaks no line.
_BETWEEN_ATTRIBUTE = "{\u2060"


def shield_html(html: str) -> str:
    """Return HTML in which no two opening braces stand together.

    Args:
        html: Well-formed HTML whose attribute values hold no bare ``>``, as serialisers write it.
    """
    if "{{" not in html and "{%" not in html:
        return html
    return "".join(_shielded(part) for part in _TAG_OR_TEXT.findall(html))


def _shielded(part: str) -> str:
    return _OPENING.sub(_BETWEEN_ATTRIBUTE if part.startswith("<") else _BETWEEN_TEXT, part)


def shield_text(text: str) -> Markup:
    """Return plain text as shielded HTML."""
    return Markup(shield_html(str(escape(text))))  # noqa: S704 - escaped on the same line


def shield_attribute(text: str) -> str:
    """Return plain text for an attribute or a title, where no comment can stand."""
    return _OPENING.sub(_BETWEEN_ATTRIBUTE, text)
