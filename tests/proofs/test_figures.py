"""The figure samples: they draw what they should, and the committed drawings are fresh."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.markup.charts import Plotter
from generator.markup.figure import FigureError
from generator.markup.formulas import formula_to_mathml
from generator.markup.front_matter import split_front_matter
from generator.markup.markdown import render_markdown
from generator.paths import shipped
from generator.proofs.figures import LANGUAGES, draw, drawings, refresh
from generator.proofs.samples import Sample

Samples = Callable[..., list[Sample]]
# Texts that a reader must find in each drawing, and the least marks it must have.
HELD = {
    "riders-by-line": (["North", "523", "East", "291", "South", "149", "Riders in 2025"], 3),
    "riders-by-month": (["North", "East", "Jan 2025", "Oct 2025", "Riders a month"], 2),
    "delay-spread": (["Delay (minutes)", "Trips", "16"], 6),
    "order-flow": (["Order received", "In stock?", "yes", "no", "Pack and ship", "refund?"], 5),
    "page-exchange": (["Agent", "write_result", "receipt with path", "every finding"], 4),
    "ferry-relations": (["LINE", "TRIP", "FERRY", "runs", "uses", "piers"], 3),
    "archive-plan": (["Moving the archive", "Copy", "Compare", "Cut over", "Prepare"], 3),
}


@pytest.fixture(scope="module")
def plotter() -> Iterator[Plotter]:
    """One drawing process for this module."""
    with Plotter() as plotter:
        yield plotter


def test_samples_are_drawn_and_wrong_ones_refused(
    topic: str, sample: Sample, plotter: Plotter
) -> None:
    if sample.language not in LANGUAGES:
        return
    if sample.wrong:
        with pytest.raises(FigureError):
            draw(sample, plotter)
    else:
        assert sample.figure, f"{topic}, line {sample.line}: a figure sample has a drawing"
        figure = draw(sample, plotter)
        assert 150 <= figure.width <= 1000
        assert len(figure.svg) < 30_000


def test_the_committed_drawings_are_fresh(samples: Samples) -> None:
    made = drawings(samples("figure"))
    folder = shipped("guides") / "figures"
    committed = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")}
    assert committed.keys() == made.keys() == {f"{name}.svg" for name in HELD}
    stale = [name for name, svg in made.items() if committed[name] != svg]
    assert stale == [], "run make figures"


@pytest.mark.parametrize("name", HELD)
def test_a_drawing_holds_its_texts_and_marks(name: str) -> None:
    svg = (shipped("guides") / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    texts, marks = HELD[name]
    shown = " ".join(re.sub(r"<[^>]*>", " ", svg).split())
    for text in texts:
        assert text in shown or text in shown.replace(" ", "")
    assert len(re.findall(r"<(?:path|rect|polygon|line)\b", svg)) >= marks
    assert re.match(r'<svg[^>]* aria-label="[^"]{10,}"', svg)
    assert "<script" not in svg
    assert not re.search(r"https?://(?!www\.w3\.org)", svg)


def test_formulas_are_drawn(samples: Samples) -> None:
    right = [sample for sample in samples("figure", "tex") if not sample.wrong]
    assert len(right) >= 2
    for sample in right:
        assert formula_to_mathml(sample.code.strip(), display=True).startswith("<math")


def test_two_drawings_of_one_name_are_told() -> None:
    sample = Sample(language="mermaid", code="flowchart TD\n  A --> B", line=3, figure="same")
    with pytest.raises(ValueError, match="line 3: figure=same is no name of its own"):
        drawings([sample, sample])


def test_refresh_writes_what_changed_and_removes_what_is_gone(tmp_path: Path) -> None:
    guide = tmp_path / "sample.md"
    text = "---\ntitle: a\nsummary: b\nsince: '1'\n---\n\n```mermaid figure=one\nflowchart TD\n  A --> B\n```\n"
    guide.write_text(text, encoding="utf-8")
    assert [path.name for path in refresh(tmp_path)] == ["one.svg"]
    assert refresh(tmp_path) == []
    guide.write_text(text.replace("figure=one", "figure=two"), encoding="utf-8")
    assert [path.name for path in refresh(tmp_path)] == ["one.svg", "two.svg"]
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["two.svg"]


def test_the_extended_markdown_renders_as_the_guide_says(samples: Samples) -> None:
    (sample,) = samples("figure", "markdown")
    front = split_front_matter(sample.code)
    assert front.values == {"title": "Harbour ferries 2025"}
    rendered = render_markdown(front.body)
    assert rendered.findings == ()
    for part in (
        '<section class="footnotes">', 'class="admonition note"', "<table>", "<math", "<dl>",
        'type="checkbox"', 'data-language="python"', "<h1",
    ):  # fmt: skip
        assert part in rendered.html, part
    assert "[^1]" not in rendered.text
    assert "!!!" not in rendered.text
