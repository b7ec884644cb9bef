"""Draws the figure samples of guides, and keeps the committed drawings fresh.

``make figures`` writes ``guides/figures/NAME.svg`` for every sample with ``figure=NAME``. That
needs the extra ``charts``; whoever shows the drawings needs only the files.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from generator.guides.compose import compile_guide
from generator.guides.loader import load_folders
from generator.markup.charts import Plotter
from generator.markup.diagrams import draw_diagram
from generator.markup.figure import Figure
from generator.paths import shipped
from generator.proofs.samples import Sample, find_samples
from generator.storage import write_atomic

LANGUAGES = ("vega-lite", "mermaid")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*\Z")


def draw(sample: Sample, plotter: Plotter) -> Figure:
    """Draw one chart or diagram.

    Args:
        sample: A sample in one of :data:`LANGUAGES`.
        plotter: Draws the charts.

    Raises:
        FigureError: It cannot be drawn, or would show nothing.
    """
    prefix = f"{sample.figure or 'sample'}-"
    if sample.language == "mermaid":
        return draw_diagram(sample.code, prefix=prefix, theme=False)
    return plotter.draw(sample.code, prefix=prefix, theme=False)


def drawings(samples: Iterable[Sample]) -> dict[str, str]:
    """Draw every sample that has a committed drawing.

    Returns:
        The content of its file, by file name.

    Raises:
        FigureError: One cannot be drawn.
        ValueError: A name is no file name, or two samples have the same.
    """
    made: dict[str, str] = {}
    with Plotter() as plotter:
        for sample in samples:
            if not sample.figure:
                continue
            name = f"{sample.figure}.svg"
            if not _NAME.match(sample.figure) or name in made:
                message = f"line {sample.line}: figure={sample.figure} is no name of its own"
                raise ValueError(message)
            made[name] = draw(sample, plotter).svg + "\n"
    return made


def refresh(folder: Path) -> list[Path]:
    """Write the drawings of all guides of a folder into its ``figures/``; others are removed.

    Args:
        folder: The guides.

    Returns:
        The files that changed.
    """
    library = load_folders(folder)
    samples = [
        sample
        for guide in library.guides.values()
        for sample in find_samples(compile_guide(guide).markdown)
    ]
    made = drawings(samples)
    target = folder / "figures"
    target.mkdir(exist_ok=True)
    changed = []
    for path in sorted(target.glob("*.svg")):
        if path.name not in made:
            path.unlink()
            changed.append(path)
    for name, svg in made.items():
        path = target / name
        if not path.is_file() or path.read_text(encoding="utf-8") != svg:
            write_atomic(path, svg.encode("utf-8"))
            changed.append(path)
    return changed


if __name__ == "__main__":
    refresh(shipped("guides"))
