"""``chart-runtime``: a page that uses ``T`` has it, and ECharts with it.

Saving inlines our ``t.js`` where a page uses ``T`` without defining it; a page that is only
checked is told. ``T.init`` and ``echarts.init`` draw through ECharts, which nothing inlines.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.libraries import is_chart_runtime, is_echarts
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    place = undefined_runtime(page)
    if place is not None:
        yield Problem(
            offset=place,
            message="The page uses T and does not define it; saving it inlines t.js.",
        )
    if page.charts and not _has_echarts(page):
        yield Problem(
            offset=page.charts[0].call.offset,
            message="The page draws charts and loads no ECharts.",
            fix="Load echarts.min.js in a script before the charts.",
        )


def undefined_runtime(page: Page) -> int | None:
    """Return where a page first uses ``T`` without defining it, None when it does not."""
    for script in page.scripts:
        if script.kind == "external" and is_chart_runtime(script.address):
            return None
        if script in page.builds and "T" in page.builds[script].globals:
            return None
    places = [
        program.offset(node)
        for program in page.programs
        for node in program.nodes
        if node.type == "MemberExpression"
        and node.object.type == "Identifier"
        and node.object.name == "T"
        and node.object.binding is None
    ]
    return min(places, default=None)


def _has_echarts(page: Page) -> bool:
    if "echarts" in page.page_scope.names:
        return True
    for script in page.scripts:
        if script.kind == "external" and is_echarts(script.address):
            return True
        if script in page.builds and "echarts" in page.builds[script].globals:
            return True
        # A build that is not listed defines echarts in ways that a scope does not show.
        if script.kind in {"classic", "module"} and (
            "echarts" in script.text and len(script.text) > 100_000
        ):
            return True
    for program in page.programs:
        for node in program.nodes:
            if node.type == "ImportDeclaration" and "echarts" in str(node.source.value).lower():
                return True
            if node.type == "ImportExpression":
                return True
    return False


RULE = Rule(
    id="chart-runtime",
    severity="warning",
    reason="Without T and ECharts no chart is drawn.",
    fix="Save the page with write_result, which inlines t.js, or inline it yourself.",
    bad="<script>T.init('sales', option)</script>",
    good='<script src=".../echarts.min.js"></script><script src="t.js"></script>'
    "<script>T.init('sales', option)</script>",
    check=_check,
)
