"""``duplicate-id``: an id names one element.

Only the first of several is mounted, drawn into, or jumped to. An error where a mount, a chart or
an in-page link uses the id, else a warning. Elements in a ``<template>`` do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    document = page.document
    repeated = {name: found for name, found in document.by_id.items() if len(found) > 1}
    if not repeated:
        return
    used: dict[str, str] = {}
    for element in document.named("a", "area"):
        href = element.attributes.get("href", "").strip()
        if href.startswith("#") and len(href) > 1:
            used[href[1:]] = used[unquote(href[1:])] = "a link"
    for chart in page.charts:
        for target in chart.targets:
            used[target.element.id if target.element is not None else target.name] = "a chart"
    for mount in page.mounts:
        for name in mount.ids:
            used[name.strip()] = "a mount"
    for name, found in repeated.items():
        user = used.get(name)
        line, _ = document.line_column(found[0].place)
        for element in found[1:]:
            tail = f", and {user} uses it: only the first counts" if user else ""
            yield Problem(
                offset=document.attribute_offset(element, "id"),
                message=f"The id {name[:60]!r} is already taken on line {line}{tail}.",
                severity="error" if user else "warning",
            )


RULE = Rule(
    id="duplicate-id",
    severity="error",
    reason="Only the first element of an id is mounted, drawn into or jumped to.",
    fix="Give each element an id of its own.",
    bad="<div id=app></div><div id=app></div><script>new QUI({id: 'app'})</script>",
    good="<div id=app></div><div id=more></div><script>new QUI({id: 'app'})</script>",
    check=_check,
)
