"""Vega-Lite specs to SVG, in the look of the product. Needs the extra ``charts``."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from generator.markup import palette
from generator.markup.chart_spec import label_of, read_spec, tables_of
from generator.markup.figure import Figure, FigureError
from generator.markup.svg import Drawing

_SECONDS = 60.0
# The drawing library carries this font, so text is measured the same on every machine; pages
# name fonts of the same widths that machines have.
_MEASURED_FONT = "Liberation Sans"
_SHOWN_FONTS = "Arial,Helvetica,Liberation Sans,sans-serif"
_TEXT = {"labelColor": palette.MUTED, "titleColor": palette.INK, "titleFontWeight": 600}
_SIZES = {"labelFontSize": 12, "titleFontSize": 12}
_CONFIG: dict[str, Any] = {
    "background": "transparent",
    "font": _MEASURED_FONT,
    "padding": 4,
    "view": {"stroke": None},
    "axis": {
        **_TEXT,
        **_SIZES,
        "gridColor": palette.RULE,
        "domainColor": palette.MUTED,
        "tickColor": palette.MUTED,
        "titlePadding": 8,
    },
    "axisY": {"domain": False, "ticks": False, "labelPadding": 6},
    "axisBand": {"domain": True},
    # Above the plot: beside it, a legend takes a third of a phone's width.
    "legend": {**_TEXT, **_SIZES, "orient": "top", "offset": 8},
    "header": {**_TEXT, **_SIZES},
    "title": {
        "color": palette.INK,
        "subtitleColor": palette.MUTED,
        "fontSize": 15,
        "fontWeight": 600,
        "anchor": "start",
        "offset": 12,
    },
    "mark": {"color": palette.SERIES[0]},
    "line": {"strokeWidth": 2},
    "text": {"color": palette.INK, "fontSize": 12},
    "rule": {"color": palette.MUTED},
    "range": {
        "category": list(palette.SERIES),
        "ramp": ["#e9ecd6", "#b9cd8f", "#7f9f4d", "#4a6b25", "#2b4312"],
        "heatmap": ["#f0eadb", "#d5c58a", "#a3ad5c", "#5f8338", "#2b4a17"],
        "diverging": ["#a4452c", "#d9a183", "#efe9da", "#9bb3bd", "#2f6690"],
    },
}
_STACK = re.compile(r"\n\s+at .*", re.DOTALL)
_KIND = re.compile(r"^(?:\w*Error): ")


@cache
def charts_available() -> bool:
    """Tell whether the extra that draws charts is installed."""
    return find_spec("vl_convert") is not None


class Plotter:
    """Draws charts in one process of its own, which starts with the first and ends with the block.

    Use it in a ``with`` statement.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def draw(self, source: str, *, prefix: str, theme: bool = True) -> Figure:
        """Draw one chart.

        Args:
            source: The spec, as JSON.
            prefix: Put before every id of the drawing.
            theme: Write colours as variables of the page, the light ones as fallback.

        Raises:
            FigureError: The spec is broken or would draw nothing.
        """
        spec = read_spec(source)
        answer = self._ask({"spec": spec, "config": _CONFIG})
        if "svg" not in answer:
            raise FigureError(
                f"Vega-Lite refuses the spec: {_reason(answer.get('error', ''))}",
                fix="Compare it with a spec of that mark in the Vega-Lite reference.",
            )
        svg = answer["svg"].replace(
            f'font-family="{_MEASURED_FONT}"', f'font-family="{_SHOWN_FONTS}"'
        )
        label = label_of(spec)
        drawing = Drawing(svg, prefix=prefix, label=label, theme=theme)
        if not drawing.draws_something("role-mark"):
            raise FigureError(
                "the chart draws nothing",
                fix="Check that filters leave rows and that encodings name fields with values.",
            )
        return Figure(
            kind="chart",
            svg=drawing.to_svg(),
            label=label,
            width=drawing.width,
            tables=tables_of(spec),
        )

    def _ask(self, request: dict[str, Any]) -> dict[str, str]:
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        watch = threading.Timer(_SECONDS, process.kill)
        watch.start()
        try:
            process.stdin.write(json.dumps(request) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = ""
        finally:
            watch.cancel()
        if not line:
            self._end()
            raise FigureError(
                f"drawing took more than {_SECONDS:g} seconds or more memory than there is",
                fix="Draw fewer rows: aggregate them first.",
            )
        answer: dict[str, str] = json.loads(line)
        return answer

    def _start(self) -> subprocess.Popen[str]:
        package = Path(__file__).resolve().parents[2]
        paths = [str(package), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "TZ": "UTC",
            "PYTHONPATH": os.pathsep.join(path for path in paths if path),
            "PYTHONUTF8": "1",
        }
        # -P keeps the working folder off the import path: a report's folder may hold anything.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "generator.markup.chart_worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            encoding="utf-8",
        )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.communicate()


def _reason(text: str) -> str:
    """Take the sentence out of an error of the JavaScript engine."""
    plain = _STACK.sub("", text).partition("conversion failed:")[2].strip() or text.strip()
    plain = _KIND.sub("", plain.splitlines()[0] if plain else "it gives no reason").rstrip(".")
    return plain if len(plain) <= 300 else plain[:297] + "..."
