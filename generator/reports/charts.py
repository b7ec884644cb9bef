"""Every place where a page draws a chart: into which element, and when."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from generator.reports.document import Element
from generator.reports.javascript.moments import Moment
from generator.reports.javascript.uses import Call
from generator.reports.javascript.values import (
    ElementOf,
    Known,
    Native,
    Record,
    Values,
    known_texts,
    sure,
)

if TYPE_CHECKING:
    from generator.reports.page import Page

_SIMPLE_SELECTOR = re.compile(
    r"\s*(?P<tag>[a-zA-Z][\w-]*)?(?:#(?P<id>(?:[\w-]|[^\x00-\x7f])+))?"
    r"(?P<classes>(?:\.(?:[\w-]|[^\x00-\x7f])+)*)\s*\Z"
)
_DRAWS = frozenset({("T", "init"), ("echarts", "init")})


@dataclass(slots=True, eq=False)
class Target:
    """One element that a chart may be drawn into.

    Attributes:
        name: The id or selector, as the page writes it.
        element: The element; None when the page has none.
    """

    name: str
    element: Element | None


@dataclass(slots=True, eq=False)
class Chart:
    """One call that draws a chart.

    Attributes:
        call: The call.
        function: ``T.init`` or ``echarts.init``.
        moment: When it runs first.
        targets: What it may draw into.
        made_in_script: A target is an element that a script makes.
        unresolved: A target cannot be known.
    """

    call: Call
    function: str
    moment: Moment
    targets: list[Target] = field(default_factory=list)
    made_in_script: bool = False
    unresolved: bool = False


def find_charts(page: Page) -> list[Chart]:
    """Return every call of ``T.init`` and ``echarts.init``, in page order of the scripts."""
    charts = []
    for call in page.calls:
        if call.new or not ("init" in call.names or call.natives & _DRAWS):
            continue
        name = _runtime(page, call)
        if name is not None:
            charts.append(_chart(page, call, name))
    return charts


def _runtime(page: Page, call: Call) -> str | None:
    if ("T", "init") in call.natives:
        return "T.init"
    if ("echarts", "init") in call.natives:
        return "echarts.init"
    base = call.base
    if base is not None and base.type == "Identifier" and base.name == "T":
        # A page that brings its own T, inlined or not: the rule holds for it as well, unless T
        # is plainly something else.
        values = page.evaluator.values(base)
        if any(isinstance(value, Native) for value in values) or not _is_other(values):
            return "T.init"
    return None


def _is_other(values: Values) -> bool:
    """Tell whether T is an object literal without ``init``, and so no chart runtime."""
    return any(isinstance(value, Record) and "init" not in value.props for value in values)


def _chart(page: Page, call: Call, name: str) -> Chart:
    chart = Chart(call, name, page.timing.moment(call.node))
    first = call.argument(0)
    if first is None:
        chart.unresolved = True
        return chart
    for value in page.evaluator.values(first):
        if isinstance(value, Known) and isinstance(value.value, str):
            if name == "T.init":
                chart.targets.append(Target(value.value, page.element(value.value)))
            else:
                chart.unresolved = True
        elif isinstance(value, ElementOf) and value.how == "id":
            chart.targets.append(Target(value.key, page.element(value.key)))
        elif isinstance(value, ElementOf) and value.how == "created":
            chart.made_in_script = True
        elif isinstance(value, ElementOf) and value.how == "selector":
            _select(page, chart, value.key)
        else:
            chart.unresolved = True
    return chart


def _select(page: Page, chart: Chart, selector: str) -> None:
    """Find the first element of a simple selector: tag, id and classes."""
    matched = _SIMPLE_SELECTOR.match(selector)
    if matched is None or not selector.strip():
        # The last compound decides what is drawn into; an id in it can still be looked up.
        tail = re.search(r"#((?:[\w-]|[^\x00-\x7f])+)\s*\Z", selector)
        if tail is None:
            chart.unresolved = True
        else:
            chart.targets.append(Target(selector, page.element(tail.group(1))))
        return
    wanted = {part for part in matched["classes"].split(".") if part}
    for element in page.document.elements:
        if element.inert or (element.start is None and element.name not in {"body", "html"}):
            continue
        if matched["id"] and element.id != matched["id"]:
            continue
        if matched["tag"] and element.name != matched["tag"].lower():
            continue
        if wanted and not wanted <= set(element.attributes.get("class", "").split()):
            continue
        chart.targets.append(Target(selector, element))
        return
    chart.targets.append(Target(selector, None))


def scripted_ids(page: Page) -> tuple[set[str], bool]:
    """Return the ids that scripts give to elements, and whether there may be others.

    Ids come from ``element.id = ...``, ``setAttribute("id", ...)``, ``Object.assign`` and object
    literals with an ``id`` that are handed to a function of the page.
    """
    found: set[str] = set()
    unclear = False
    evaluator = page.evaluator
    for program in page.programs:
        for member in program.member_writes:
            target = member.target
            if target.computed or target.property.name != "id":
                continue
            values = evaluator.write(member.write)
            found |= set(known_texts(values))
            unclear = unclear or not sure(values)
    for call in page.calls:
        if "setAttribute" in call.names and "id" in evaluator.texts(call.argument(0)):
            texts = evaluator.texts(call.argument(1))
            found |= set(texts)
            unclear = unclear or not texts
        elif ("Object", "assign") in call.natives and call.arguments:
            for argument in call.arguments[1:]:
                for value in evaluator.values(argument):
                    thunk = getattr(value, "props", {}).get("id")
                    if thunk is not None:
                        found |= set(known_texts(thunk()))
                        unclear = unclear or not sure(thunk())
    return found, unclear
