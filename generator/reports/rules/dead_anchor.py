"""``dead-anchor``: links into the page lead somewhere.

``#``, ``#top``, text fragments and router addresses (``#/``, ``#!``) are fine. Where a script
gives elements ids that cannot be known, or a mount binds them, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from generator.reports.charts import scripted_ids
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    dead = list(_dead(page))
    if not dead:
        return
    made, unclear = scripted_ids(page)
    if unclear or any(
        ":id" in element.attributes or (":for" in element.attributes and "{{" in element.id)
        for element in page.document.elements
    ):
        return
    for offset, name in dead:
        if name not in made:
            yield Problem(
                offset=offset, message=f"The link leads to #{name[:60]}, which is not here."
            )


def _dead(page: Page) -> Iterator[tuple[int, str]]:
    names = {
        element.attributes["name"]
        for element in page.document.named("a")
        if "name" in element.attributes
    }
    known = names | page.document.by_id.keys()
    for element in page.document.named("a", "area"):
        href = element.attributes.get("href", "").strip()
        if not href.startswith("#"):
            continue
        name = href[1:]
        plain = unquote(name)
        if not name or name.lower() == "top" or name.startswith(("/", "!", ":~:")) or "{{" in name:
            continue
        if not known.intersection((name, plain)):
            yield page.document.attribute_offset(element, "href"), plain


RULE = Rule(
    id="dead-anchor",
    severity="warning",
    reason="A link that leads nowhere does nothing when it is clicked.",
    fix="Give the target this id, or correct the link.",
    bad='<a href="#totals">Totals</a><h2 id="total">Totals</h2>',
    good='<a href="#totals">Totals</a><h2 id="totals">Totals</h2>',
    check=_check,
)
