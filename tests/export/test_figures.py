"""Committed drawings under their samples."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.export.figures import drawings_key, drawn_fences
from generator.guides.loader import load_guide
from generator.markup.markdown import Options, render_markdown
from generator.model.guide import Guide, Origin

SVG = '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Two &amp; three" width="40" height="9"><g/></svg>'
BODY = "## When\n\n```vega-lite figure=two-three\n{}\n```\n\n```mermaid\nflowchart\n```\n"


def write(folder: Path, origin: Origin = "shipped") -> Guide:
    path = folder / "sample.md"
    path.write_text(f"---\ntitle: a\nsummary: b\nsince: '1'\n---\n\n{BODY}", encoding="utf-8")
    (folder / "figures").mkdir()
    (folder / "figures" / "two-three.svg").write_text(SVG, encoding="utf-8")
    return load_guide(path, origin=origin)


def rendered(guide: Guide) -> str:
    return render_markdown(guide.body, Options(fences=drawn_fences(guide))).html


@pytest.mark.parametrize("origin", ["shipped", "user"])
def test_a_drawing_is_shown_as_an_image_under_its_source(tmp_path: Path, origin: Origin) -> None:
    html = rendered(write(tmp_path, origin))
    image = '<img src="figures/two-three.svg" alt="Two &amp; three" width="40" height="9">'
    assert html.count("<figure") == 1
    assert html.index("{}") < html.index(f'<figure class="drawing">{image}</figure>')
    assert "<svg" not in html


def test_a_drawing_without_a_label_is_named_by_its_file(tmp_path: Path) -> None:
    guide = write(tmp_path)
    (tmp_path / "figures" / "two-three.svg").write_bytes(b"<svg>\xff</svg>")
    assert 'alt="two-three"' in rendered(guide)


@pytest.mark.parametrize("name", ["../two-three", "missing", "Two-Three", "two-three.svg"])
def test_other_names_have_no_drawing(tmp_path: Path, name: str) -> None:
    guide = write(tmp_path)
    text = guide.body.replace("figure=two-three", f"figure={name}")
    assert "<figure" not in render_markdown(text, Options(fences=drawn_fences(guide))).html


def test_a_link_is_no_drawing(tmp_path: Path) -> None:
    guide = write(tmp_path)
    drawing = tmp_path / "figures" / "two-three.svg"
    drawing.rename(tmp_path / "elsewhere.svg")
    drawing.symlink_to(tmp_path / "elsewhere.svg")
    assert "<figure" not in rendered(guide)


def test_the_key_follows_the_drawing(tmp_path: Path) -> None:
    guide = write(tmp_path)
    before = drawings_key(guide)
    (tmp_path / "figures" / "two-three.svg").write_text(SVG.replace("Two", "Ten"))
    assert drawings_key(guide) != before
