"""``chart-replaced``: a chart is not drawn into an element that QuickUI replaces.

QuickUI compares children by position: a ``:for`` or a false ``:if`` moves everything after it, so
a container that follows one in its mount is replaced, and a chart drawn before that vanishes. So
does one inside such an element. Rendering ends after the page is parsed, so drawing in
``when.rendered``, on ``load`` or later is fine, and so are containers before the first ``:for`` or
``:if``, or outside the mount. An ``:if`` whose literal data makes it true replaces nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.document import Element
from generator.reports.javascript.moments import LOADED
from generator.reports.javascript.values import Known, Record, Sequence
from generator.reports.mounts import Mount
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.rules.bindings import Bindings


def _check(page: Page) -> Iterator[Problem]:
    if not page.charts:
        return
    bindings = Bindings(page)
    for chart in page.charts:
        if chart.moment[0] >= LOADED:
            continue
        for target in chart.targets:
            if target.element is None:
                continue
            for mount in page.mounts:
                problem = _replaced(page, bindings, mount, target.element)
                if problem is not None:
                    yield Problem(
                        offset=chart.call.offset,
                        message=f"QuickUI replaces the element #{target.element.id} of this chart, "
                        f"since {problem} comes before it in the mount.",
                    )
                    break


def _replaced(page: Page, bindings: Bindings, mount: Mount, container: Element) -> str | None:
    for root in mount.elements:
        if not root.contains(container) or root is container:
            continue
        for element in page.document.elements[root.order + 1 : container.order + 1]:
            if element.inert:
                continue
            if ":for" in element.attributes:
                return f'<{element.name} :for="{element.attributes[":for"][:40]}">'
            for name in (":if", ":else-if", ":elif", ":else"):
                if name in element.attributes and not _holds(bindings, element, name):
                    shown = element.attributes[name][:40]
                    return f'<{element.name} {name}="{shown}">'
    return None


def _holds(bindings: Bindings, element: Element, name: str) -> bool:
    """Tell whether an ``:if`` is a plain path whose literal value is true."""
    if name != ":if":
        return False
    values = bindings.values(element.attributes[name].strip(), bindings.reach(element))
    return bool(values) and all(
        isinstance(value, Record | Sequence) or (isinstance(value, Known) and bool(value.value))
        for value in values
    )


RULE = Rule(
    id="chart-replaced",
    severity="error",
    reason="A chart after a :for or :if in its mount is drawn and then vanishes.",
    fix="Put the chart outside the mount or before the first :for and :if, or draw it in "
    "when.rendered.",
    bad='<div id=app><p :for="x in xs">{{ x }}</p><div id=c></div></div>'
    "<script>new QUI({id: 'app', data}); T.init('c', option)</script>",
    good='<div id=app><p :for="x in xs">{{ x }}</p></div><div id=c></div>'
    "<script>new QUI({id: 'app', data}); T.init('c', option)</script>",
    check=_check,
)
