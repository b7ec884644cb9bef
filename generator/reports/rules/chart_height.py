"""``chart-height``: the element of a chart has a height.

An empty block is 0 px high and ECharts then draws nothing. A height counts when it stands in the
element's ``style`` or ``height``, in a rule of a style sheet of the page that names its id, class
or tag, or in a utility class (``h-64``). Pages with style sheets from elsewhere are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.styles import read_styles


def _check(page: Page) -> Iterator[Problem]:
    if not page.charts or _has_foreign_styles(page):
        return
    styles = read_styles(page.document)
    seen: set[int] = set()
    for chart in page.charts:
        for target in chart.targets:
            element = target.element
            if element is None or element.order in seen or styles.has_height(element):
                continue
            seen.add(element.order)
            yield Problem(
                offset=element.place,
                message=f"The element #{element.id} holds a chart and has no height.",
            )


def _has_foreign_styles(page: Page) -> bool:
    return any(
        "stylesheet" in element.attributes.get("rel", "").lower().split()
        for element in page.document.named("link")
    )


RULE = Rule(
    id="chart-height",
    severity="warning",
    reason="An empty block is 0 px high, and ECharts draws nothing into it.",
    fix='Give it a height, such as style="height: 320px".',
    bad="<div id=sales></div><script>T.init('sales', option)</script>",
    good="<div id=sales style='height: 320px'></div><script>T.init('sales', option)</script>",
    check=_check,
)
