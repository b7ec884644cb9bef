"""``title``: a report has a title.

The title names the tab, the bookmark and the entry in the gallery. An empty one counts as none,
and so does a ``<title>`` inside inline SVG, which is a tooltip.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    for element in page.document.named("title"):
        if not element.svg and any(text.data.strip() for text in element.texts):
            return
    yield Problem(offset=page.document.head_place, message="The page has no title.")


RULE = Rule(
    id="title",
    severity="warning",
    reason="A page without a title has no name in tabs, bookmarks and the gallery.",
    fix="Write <title>What the report is about</title> in the head.",
    bad="<head><meta charset=utf-8></head>",
    good="<head><meta charset=utf-8><title>Sales in May</title></head>",
    check=_check,
)
