"""Renderers for fences that hold figures: charts and diagrams.

A figure that is broken is a finding at its line. Without the extra ``charts`` the source is
shown as code with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from generator.markup.charts import Plotter, charts_available
from generator.markup.diagrams import diagrams_available, draw_diagram
from generator.markup.figure import Figure, FigureError
from generator.markup.markdown import Fence, FenceRenderer, code_block
from generator.model.finding import Finding

_NOTE = '<p class="figure-note">Shown as source: {what} are drawn with <code>{extra}</code>.</p>\n'
EXTRA = "pip install 'fieldguide[charts]'"


def figure_fences(plotter: Plotter, *, prefix: str = "figure") -> Mapping[str, FenceRenderer]:
    """Return the renderers of figure fences, by language.

    Args:
        plotter: Draws the charts.
        prefix: Begins the ids of every drawing; ``figure-3-`` for the fourth.
    """

    def chart(fence: Fence) -> str | Finding:
        if not charts_available():
            return _as_source(fence, "charts")
        return _drawn(fence, "chart", lambda ids: plotter.draw(fence.code, prefix=ids))

    def diagram(fence: Fence) -> str | Finding:
        if not diagrams_available():
            return _as_source(fence, "diagrams")
        return _drawn(fence, "diagram", lambda ids: draw_diagram(fence.code, prefix=ids))

    def _drawn(fence: Fence, rule: str, draw: Callable[[str], Figure]) -> str | Finding:
        try:
            return draw(f"{prefix}-{fence.number}-").to_html()
        except FigureError as error:
            return Finding(
                rule=rule,
                severity="error",
                line=fence.line + 1 + error.line,
                column=1,
                message=f"The {rule} cannot be drawn: {error.reason}.",
                fix=error.fix,
            )

    return {"vega-lite": chart, "vegalite": chart, "mermaid": diagram}


def _as_source(fence: Fence, what: str) -> str:
    language = "json" if what == "charts" else ""
    return code_block(fence.code, language) + _NOTE.format(what=what, extra=EXTRA)
