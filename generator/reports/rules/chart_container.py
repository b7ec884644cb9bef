"""``chart-container``: every chart is drawn into an element that is there.

The target of ``T.init(target, option)`` (and of ``echarts.init``) is an id, an element found by
``getElementById`` or ``querySelector``, or one made in a script. Ids are followed through
constants, loops over literals, wrappers whose every call is in the page. The element must stand in
the page, outside ``<template>``, ``<noscript>`` and comments, and be parsed before the call runs.

A target that cannot be resolved is a warning; so is a missing id where a script gives elements
ids that cannot be known, or a mount binds them by ``:id``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.reports.charts import Chart, Target, scripted_ids
from generator.reports.javascript.moments import NEVER
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    if not page.charts:
        return
    made, unclear = scripted_ids(page)
    unclear = unclear or any(":id" in element.attributes for element in page.document.elements)
    for chart in page.charts:
        for target in chart.targets:
            if target.element is None:
                if target.name.removeprefix("#") not in made:
                    yield _missing(page, chart, target, unclear=unclear)
            elif not page.parsed_by(target.element, chart.moment):
                yield Problem(
                    offset=chart.call.offset,
                    message=f"{chart.function} runs before the element {_named(target)} is parsed.",
                    fix="Move the script after the element, or draw in DOMContentLoaded.",
                )
        if not chart.call.node.arguments:
            yield Problem(
                offset=chart.call.offset,
                message=f"{chart.function} is given no element, so no chart is drawn.",
                fix='Write T.init("chart", option) with the id of an element of the page.',
            )
        elif chart.unresolved and chart.function == "T.init":
            yield Problem(
                offset=chart.call.offset,
                message="The element of this chart cannot be known from the page.",
                fix="Give T.init the id of an element as literal text.",
                severity="warning",
            )
        if chart.moment == NEVER:
            yield Problem(
                offset=chart.call.offset,
                message=f"{chart.function} never runs: nothing calls its function, or its branch is "
                "never taken.",
                fix="Call the function.",
                severity="warning",
            )


def _named(target: Target) -> str:
    return target.name if target.name.startswith(("#", ".")) else f"#{target.name}"


def _missing(page: Page, chart: Chart, target: Target, *, unclear: bool) -> Problem:
    name = target.name
    fix = f'Write <div id="{name.lstrip("#.")}" style="height: 320px"></div> before the script.'
    if name.startswith("#") and page.element(name[1:]) is not None and (chart.function == "T.init"):
        message = f"{chart.function} takes the bare id; {name!r} is a selector."
        fix = f"Write {chart.function}({name[1:]!r}, option)."
    elif (where := _hidden(page, name)) is not None:
        message = f"The element {name!r} of this chart stands in {where}, so it is not there."
        fix = "Move the element out of it."
    else:
        message = f"No element of the page has the id {name!r}, so the chart is not drawn."
    return Problem(
        offset=chart.call.offset,
        message=message,
        fix=fix,
        severity="warning" if unclear else None,
    )


def _hidden(page: Page, name: str) -> str | None:
    """Tell where an id stands that no script can see: a template, a noscript, a comment."""
    for element in page.document.elements:
        if element.inert and element.id == name:
            return "a <template>"
    for text in page.document.texts:
        if text.parent.name == "noscript" and _has_id(text.data, name):
            return "a <noscript>"
    return None


def _has_id(markup: str, name: str) -> bool:
    return re.search(rf"\bid\s*=\s*[\"']?{re.escape(name)}[\"'\s>]", markup) is not None


RULE = Rule(
    id="chart-container",
    severity="error",
    reason="A chart without its element throws and leaves a hole in the page.",
    fix='Write <div id="chart" style="height: 320px"></div> before the script.',
    bad='<div id="sales"></div><script>T.init("sale", option)</script>',
    good='<div id="sales" style="height:320px"></div><script>T.init("sales", option)</script>',
    check=_check,
)
