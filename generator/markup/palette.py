"""The colours of figures, in print and as the page's own variables.

A figure is drawn in these light colours. On a page each one is written as a CSS variable with
the light colour behind it, so that the figure follows the theme of the page; in a file of its
own it stays as drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

INK = "#23251f"
MUTED = "#5c6054"
RULE = "#d9d1be"
PAPER = "#f8f4ea"
SURFACE = "#fdfbf5"
SHADE = "#f0eadb"
ACCENT = "#41602a"

# In order of use; told apart by people who see few colours, and by lightness in print.
SERIES = (
    "#4a6b25", "#b8741a", "#2f6690", "#a4452c", "#5b8c7b", "#7a4e7e", "#8c7b3f", "#4f5750",
)  # fmt: skip

VARIABLES: Mapping[str, str] = {
    INK: "--ink",
    MUTED: "--muted",
    RULE: "--rule",
    PAPER: "--paper",
    SURFACE: "--leaf",
    SHADE: "--shade",
    ACCENT: "--accent",
    **{colour: f"--series-{number}" for number, colour in enumerate(SERIES, start=1)},
}

_KNOWN = re.compile("|".join(VARIABLES), re.IGNORECASE)


def themed(css: str) -> str:
    """Replace the colours of figures by variables that keep them as their fallback.

    Args:
        css: A CSS value or style sheet.
    """
    return _KNOWN.sub(lambda found: f"var({VARIABLES[found[0].lower()]},{found[0].lower()})", css)
