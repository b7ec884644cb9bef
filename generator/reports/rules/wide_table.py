"""``wide-table``: a table of many columns scrolls by itself, not with the whole page.

Seven columns or more count as wide. A scroller is an ancestor (or the table itself) that an inline
style, a style sheet of the page or a utility class lets scroll sideways.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.document import Element
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.styles import read_styles

_WIDE = 7


def _check(page: Page) -> Iterator[Problem]:
    columns = _columns(page)
    if not columns:
        return
    styles = read_styles(page.document)
    for table, count in columns:
        if styles.scrolls(table):
            continue
        if any(
            styles.scrolls(around)
            for around in table.ancestors()
            if around.name not in {"html", "body"}
        ):
            continue
        yield Problem(
            offset=table.place,
            message=f"This table has {count} columns and no scroller of its own.",
        )


def _columns(page: Page) -> list[tuple[Element, int]]:
    """Return the wide tables with their columns; one walk serves all tables."""
    rows: dict[int, int] = {}
    widest: dict[int, tuple[Element, int]] = {}
    for element in page.document.elements:
        if element.name not in {"td", "th"} or element.parent is None or element.inert:
            continue
        row = element.parent
        span = element.attributes.get("colspan", "")
        width = int(span) if span.isdecimal() and 0 < len(span) < 4 else 1
        rows[row.order] = rows.get(row.order, 0) + width
        if rows[row.order] >= _WIDE:
            table = next((item for item in row.ancestors() if item.name == "table"), None)
            if table is not None:
                best = widest.get(table.order, (table, 0))[1]
                widest[table.order] = (table, max(best, rows[row.order]))
    return list(widest.values())


RULE = Rule(
    id="wide-table",
    severity="warning",
    reason="On a phone a wide table drags the whole page sideways.",
    fix='Wrap it in <div style="overflow-x: auto">...</div>.',
    bad="<table><tr><th>1<th>2<th>3<th>4<th>5<th>6<th>7</table>",
    good='<div style="overflow-x: auto"><table><tr><th>1<th>2<th>3<th>4<th>5<th>6<th>7</table></div>',
    check=_check,
)
