"""Mermaid source to SVG, in the look of the product. Needs the extra ``charts``."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.util import find_spec

from generator.markup import palette
from generator.markup.figure import Figure, FigureError
from generator.markup.svg import Drawing

_BORDER = palette.ACCENT
_VARIABLES = {
    "fontFamily": "Arial, sans-serif",
    "fontSize": "14px",
    "background": palette.SURFACE,
    "primaryColor": palette.SHADE,
    "primaryTextColor": palette.INK,
    "primaryBorderColor": _BORDER,
    "secondaryColor": palette.SHADE,
    "secondaryTextColor": palette.INK,
    "secondaryBorderColor": palette.RULE,
    "tertiaryColor": palette.SURFACE,
    "tertiaryTextColor": palette.INK,
    "tertiaryBorderColor": palette.RULE,
    "lineColor": palette.MUTED,
    "textColor": palette.INK,
    "mainBkg": palette.SHADE,
    "nodeBorder": _BORDER,
    "nodeTextColor": palette.INK,
    "clusterBkg": palette.SURFACE,
    "clusterBorder": palette.RULE,
    "titleColor": palette.INK,
    "edgeLabelBackground": palette.PAPER,
    "actorBkg": palette.SHADE,
    "actorBorder": _BORDER,
    "actorTextColor": palette.INK,
    "actorLineColor": palette.MUTED,
    "signalColor": palette.MUTED,
    "signalTextColor": palette.INK,
    "labelBoxBkgColor": palette.SHADE,
    "labelBoxBorderColor": _BORDER,
    "labelTextColor": palette.INK,
    "loopTextColor": palette.INK,
    "noteBkgColor": palette.SURFACE,
    "noteTextColor": palette.INK,
    "noteBorderColor": palette.RULE,
    "attributeBackgroundColorOdd": palette.SURFACE,
    "attributeBackgroundColorEven": palette.SHADE,
    "rowOdd": palette.SURFACE,
    "rowEven": palette.SHADE,
    "pieStrokeColor": palette.SURFACE,
    "pieOuterStrokeColor": palette.RULE,
    "pieOpacity": "1",
    "pieSectionTextColor": palette.SURFACE,
    **{f"pie{n}": colour for n, colour in enumerate(palette.SERIES, start=1)},
    **{f"cScale{n}": colour for n, colour in enumerate(palette.SERIES)},
    **{f"cScaleLabel{n}": palette.SURFACE for n in range(len(palette.SERIES))},
    **{f"git{n}": colour for n, colour in enumerate(palette.SERIES)},
    **{f"gitBranchLabel{n}": palette.SURFACE for n in range(len(palette.SERIES))},
    "sectionBkgColor": palette.SHADE,
    "sectionBkgColor2": palette.SURFACE,
    "altSectionBkgColor": palette.SURFACE,
    "gridColor": palette.RULE,
    "taskBkgColor": palette.SERIES[0],
    "taskBorderColor": palette.SERIES[0],
    "taskTextColor": palette.SURFACE,
    "taskTextLightColor": palette.SURFACE,
    "taskTextDarkColor": palette.INK,
    "taskTextOutsideColor": palette.INK,
    "activeTaskBkgColor": palette.SERIES[1],
    "activeTaskBorderColor": palette.SERIES[1],
    "doneTaskBkgColor": palette.SERIES[7],
    "doneTaskBorderColor": palette.SERIES[7],
    "critBkgColor": palette.SERIES[3],
    "critBorderColor": palette.SERIES[3],
    "todayLineColor": palette.SERIES[3],
}
_LOOK = {
    "theme": "base",
    "look": "classic",
    "themeVariables": _VARIABLES,
    "sequence": {"actorFontSize": 14, "messageFontSize": 14, "noteFontSize": 14},
}
# The library half fades the ground of edge labels, so that the edge strikes through the words.
_EDGE_LABEL_GROUND = re.compile(r'(labelBkg"><rect [^>]*fill=")[^"]*')

_FRONT_MATTER = re.compile(r"\A\s*---\n.*?\n---[ \t]*\n", re.DOTALL)
_TITLE = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
# Links of nodes: the drawing library loses the place of a label under a link.
_CLICK = re.compile(r"^[ \t]*(?:click|link|callback)[ \t].*$", re.MULTILINE)
_ACCESSIBLE = re.compile(
    r"^[ \t]*acc(?P<what>Title|Descr)[ \t]*:[ \t]*(?P<text>.+?)[ \t]*$", re.MULTILINE
)
_ACCESSIBLE_BLOCK = re.compile(r"^[ \t]*accDescr[ \t]*\{(?P<text>[^}]*)\}", re.MULTILINE)
_KIND = re.compile(r"^[ \t]*([A-Za-z][\w-]*)", re.MULTILINE)
_LINE = re.compile(r"\bline (\d+)\b", re.IGNORECASE)


@cache
def diagrams_available() -> bool:
    """Tell whether the extra that draws diagrams is installed."""
    return find_spec("mmdr") is not None


def draw_diagram(source: str, *, prefix: str, theme: bool = True) -> Figure:
    """Draw one diagram.

    Args:
        source: Mermaid source. Its own colours and looks stay; directives (``%%{init}%%``) do
            not, because they can style the page around the diagram.
        prefix: Put before every id of the drawing.
        theme: Write colours as variables of the page, the light ones as fallback.

    Raises:
        FigureError: The source is no diagram.
    """
    import mmdr

    plain, label, skipped = _prepare(source)
    directive = f"%%{{init: {json.dumps(_LOOK)}}}%%\n"
    try:
        svg = mmdr.render(directive + plain).svg()
        svg = _EDGE_LABEL_GROUND.sub(rf"\g<1>{palette.PAPER}", svg)
        drawing = Drawing(svg, prefix=prefix, label=label, theme=theme)
    except ValueError as error:
        raise _explain(str(error), source, skipped) from error
    return Figure(kind="diagram", svg=drawing.to_svg(), label=label, width=drawing.width)


def _prepare(source: str) -> tuple[str, str, int]:
    """Return what is drawn, its label, and how many lines before it were left out."""
    source = source.replace("\r\n", "\n")
    front = _FRONT_MATTER.match(source)
    title = _TITLE.search(front[0]) if front else None
    body = source[front.end() :] if front else source
    skipped = source.count("\n", 0, front.end()) if front else 0
    body = _without_directives(body)
    kind = _KIND.search(re.sub(r"%%.*", "", body))
    name = kind[1] if kind else "diagram"
    if name.startswith(("flowchart", "graph", "class")):
        body = _CLICK.sub("", body)
    return body, _label(body, title[1] if title else "", name), skipped


def _without_directives(body: str) -> str:
    """Blank ``%%{...}%%``, keeping the lines; one search for each, so long input costs no more."""
    kept = []
    at = 0
    while (start := body.find("%%{", at)) >= 0 and (end := body.find("}%%", start)) >= 0:
        kept += [body[at:start], "\n" * body.count("\n", start, end)]
        at = end + 3
    return "".join([*kept, body[at:]])


def _label(body: str, title: str, kind: str) -> str:
    said = {found["what"]: found["text"] for found in _ACCESSIBLE.finditer(body)}
    block = _ACCESSIBLE_BLOCK.search(body)
    if block:
        said["Descr"] = " ".join(block["text"].split())
    parts = [said.get("Title") or title.strip("\"'"), said.get("Descr", "")]
    return ". ".join(part.rstrip(".") for part in parts if part) or f"Diagram ({kind})"


def _explain(message: str, source: str, skipped: int) -> FigureError:
    if "No Mermaid diagram type" in message:
        return FigureError(
            "it does not begin with a kind of diagram",
            fix="Begin with flowchart TD, sequenceDiagram, erDiagram, gantt or another kind.",
        )
    reason = message.removeprefix("Diagram parse error ").strip().rstrip(".")
    found = _LINE.search(reason)
    # The line counts our own directive as the first.
    line = int(found[1]) - 2 + skipped if found else 0
    return FigureError(
        f"it is not valid Mermaid: {_LINE.sub('', reason).strip(' :,')}",
        fix='Correct the source; a label with brackets or quotes stands in quotes: A["text (x)"].',
        line=max(0, min(line, source.count("\n"))),
    )
