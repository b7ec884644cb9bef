"""``viewport``: phones lay the page out at their own width."""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    for element in page.document.named("meta"):
        if element.attributes.get("name", "").strip().lower() == "viewport":
            return
    yield Problem(offset=page.document.head_place, message="The page has no viewport.")


RULE = Rule(
    id="viewport",
    severity="warning",
    reason="Without it phones lay the page out 980 px wide and shrink it.",
    fix='Write <meta name="viewport" content="width=device-width, initial-scale=1"> in the head.',
    bad="<head><title>Sales</title></head>",
    good='<head><meta name="viewport" content="width=device-width, initial-scale=1"></head>',
    check=_check,
)
