"""``image-alt``: images say what they show.

An empty ``alt`` is right for decoration; a bound ``:alt``, ``aria-label``, ``aria-labelledby``,
``aria-hidden`` and ``role=presentation`` count as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule

_ENOUGH = ("alt", ":alt", "aria-label", "aria-labelledby")


def _check(page: Page) -> Iterator[Problem]:
    for element in page.document.named("img", "input"):
        attributes = element.attributes
        if element.name == "input" and attributes.get("type", "").lower() != "image":
            continue
        if element.svg or any(name in attributes for name in _ENOUGH):
            continue
        if attributes.get("aria-hidden") == "true":
            continue
        if attributes.get("role", "").lower() in {"presentation", "none"}:
            continue
        yield Problem(offset=element.place, message="This image has no alt.")


RULE = Rule(
    id="image-alt",
    severity="warning",
    reason="Who cannot see the image, or whose network drops it, gets nothing.",
    fix='Write alt="what it shows", or alt="" for decoration.',
    bad="<img src=trend.png>",
    good='<img src=trend.png alt="Sales rise from 3 to 9 million">',
    check=_check,
)
