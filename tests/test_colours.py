"""One set of colours: what several files state of a colour is the same everywhere.

The site, the reports, the figures and ``t.js`` each work alone, so each states its colours.
"""

import re

import pytest

from generator.markup import palette
from generator.paths import shipped

TEMPLATES = shipped("templates")
SHEETS = ("report.css", "assets/site.css", "assets/code.css")
_DARK = re.compile(r':root(?::not\(\[data-theme="light"\]\)|\[data-theme="dark"\])[^{]*$')
#: In ``t.js``, by the name that the sheets have.
_OF_SCRIPT = {"ink": "ink", "muted": "muted", "rule": "rule", "surface": "leaf", "good": "good",
              "critical": "bad"}  # fmt: skip


def read_sheet(name):
    """Yield (theme, variable, colour) of each statement outside print."""
    text = (TEMPLATES / name).read_text("utf-8")
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text.partition("@media print")[0]):
        if ":root" not in selector:
            continue
        theme = "dark" if _DARK.search(selector.strip()) else "light"
        for variable, colour in re.findall(r"--([\w-]+):\s*(#[0-9a-f]{6})\b", body):
            yield theme, variable, colour


def read_script():
    """Yield (theme, variable, colour) of each colour of ``t.js``."""
    text = (TEMPLATES / "assets" / "t.js").read_text("utf-8")
    for theme in ("light", "dark"):
        body = text.partition(f"const {theme.upper()} = {{")[2].partition("};")[0]
        for name, colour in re.findall(r'(\w+): "(#[0-9a-f]{6})"', body):
            if name in _OF_SCRIPT:
                yield theme, _OF_SCRIPT[name], colour
        series = re.findall(r'"(#[0-9a-f]{6})"', body.partition("series: [")[2])
        for number, colour in enumerate(series, start=1):
            yield theme, f"series-{number}", colour


def read_palette():
    """Yield (theme, variable, colour) of each colour of figures."""
    for colour, variable in palette.VARIABLES.items():
        yield "light", variable.removeprefix("--"), colour


SOURCES = {**{name: lambda name=name: read_sheet(name) for name in SHEETS},
           "assets/t.js": read_script, "palette.py": read_palette}  # fmt: skip


def test_every_file_states_a_colour_the_same():
    stated = {}
    for name, read in SOURCES.items():
        for theme, variable, colour in read():
            stated.setdefault((theme, variable), {}).setdefault(colour, set()).add(name)
    odd = {key: colours for key, colours in stated.items() if len(colours) > 1}
    assert odd == {}
    shared = [key for key, colours in stated.items() if len(next(iter(colours.values()))) > 1]
    assert len(shared) > 30


@pytest.mark.parametrize("name", SOURCES)
def test_every_file_is_read(name):
    colours = list(SOURCES[name]())
    assert len(colours) >= 8
    if name != "palette.py":
        themes = {theme: {v for t, v, _ in colours if t == theme} for theme in ("light", "dark")}
        assert themes["light"] == themes["dark"]
