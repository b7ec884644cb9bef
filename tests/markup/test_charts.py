"""Charts: drawn alike everywhere, labelled, with their data; faults named with their line."""

import json
import os
import re
import subprocess
import sys

import pytest

from generator.markup.charts import Plotter
from generator.markup.figure import FigureError

BAR = {
    "description": "Riders: North 523, East 291.",
    "data": {"values": [{"line": "North", "riders": 523}, {"line": "East", "riders": 291}]},
    "mark": "bar",
    "encoding": {
        "y": {"field": "line", "type": "nominal"},
        "x": {"field": "riders", "type": "quantitative"},
    },
}


@pytest.fixture(scope="module")
def plotter():
    with Plotter() as plotter:
        yield plotter


def draw(plotter: Plotter, spec: object, **options):
    source = spec if isinstance(spec, str) else json.dumps(spec, indent=2, ensure_ascii=False)
    return plotter.draw(source, prefix="c1-", **options)


def changed(**keys) -> dict:
    return {**BAR, **keys}


def test_a_chart_is_an_image_with_a_label_its_data_and_the_page_colours(plotter):
    figure = draw(plotter, BAR)
    assert figure.label == BAR["description"]
    assert 'role="img"' in figure.svg
    assert f'aria-label="{BAR["description"]}"' in figure.svg
    assert "var(--series-1,#4a6b25)" in figure.svg
    assert "graphics-object" not in figure.svg
    assert figure.tables[0].columns == ("line", "riders")
    html = figure.to_html()
    assert '<th scope="col" class="align-right">riders</th>' in html
    assert '<td>North</td><td class="align-right">523</td>' in html


def test_a_file_of_its_own_keeps_plain_colours(plotter):
    svg = draw(plotter, BAR, theme=False).svg
    assert "var(" not in svg
    assert "#4a6b25" in svg


def test_bytes_are_the_same_in_any_zone_and_process(plotter):
    dated = changed(
        data={"values": [{"t": "2025-01", "v": 1}, {"t": "2025-02", "v": 2}]},
        mark="line",
        encoding={
            "x": {"field": "t", "type": "temporal", "axis": {"format": "%b %Y"}},
            "y": {"field": "v", "type": "quantitative"},
        },
    )
    here = draw(plotter, dated).svg
    assert "Jan 2025" in here
    assert "Dec 2024" not in here
    script = (
        "import sys; from generator.markup.charts import Plotter\n"
        "with Plotter() as p: sys.stdout.write(p.draw(sys.stdin.read(), prefix='c1-').svg)"
    )
    there = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(dated),
        env={**os.environ, "TZ": "America/Los_Angeles"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    assert there == here


def test_ids_are_prefixed_where_they_are_used(plotter):
    clipped = changed(mark={"type": "bar", "clip": True})
    svg = draw(plotter, clipped).svg
    ids = set(re.findall(r'\bid="([^"]+)"', svg))
    assert ids
    assert all(name.startswith("c1-") for name in ids)
    assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= ids


def test_labels_are_text(plotter):
    hostile = '<script>alert(1)</script>&"{{ x }}'
    svg = draw(plotter, changed(data={"values": [{"line": hostile, "riders": 1}]})).svg
    assert "<script" not in svg
    assert "&lt;script&gt;" in svg


def test_links_of_marks_are_left_out(plotter):
    linked = changed(
        data={
            "values": [
                {"line": "a", "riders": 1, "to": "javascript:alert(1)"},
                {"line": "b", "riders": 2, "to": "https://example.com/"},
            ]
        },
        encoding={**BAR["encoding"], "href": {"field": "to"}},
    )
    svg = draw(plotter, linked).svg
    assert "href" not in svg


@pytest.mark.parametrize(
    ("spec", "reason", "line"),
    [
        ('{\n "mark": "bar",\n}', "the spec is not JSON", 2),
        ('{"mark": "bar",\n "data": {"values": [NaN]}}', "NaN is not JSON", 1),
        ("[1]", "no JSON object", 0),
        ("{}", "has no mark", 0),
        ("[" * 100_000, "nested too deep", 0),
        ('{"mark": "bars", "data": {"values": [1]}}', "Did you mean 'bar'?", 0),
        ('{"mark": "bar"}', "has no data", 0),
        ('{\n"data": {"values": []},\n"mark": "bar"}', "has no rows", 1),
        ('{"data":\n{"url": "https://example.com/a.csv"}, "mark": "bar"}', "from an address", 1),
        ('{"data": {"url": "/etc/passwd"}, "mark": "bar"}', "from an address", 0),
        (
            '{"data": {"values": [1]}, "mark": "bar", "transform": [{"lookup": "a", '
            '"from": {"data": {"url": "x.json"}, "key": "a"}}]}',
            "from an address",
            0,
        ),
        ('{"data": {"values": [1]},\n"mark": {"type": "image"}}', "an image mark", 1),
        (
            '{"data": {"values": [{"riders": 1}]}, "mark": "bar",\n'
            '"encoding": {"x": {"field": "Riders", "type": "quantitative"}}}',
            "no field 'Riders'",
            1,
        ),
        (
            '{"data": {"values": [{"a": 1}]}, "mark": "bar", '
            '"transform": [{"calculate": "foo(", "as": "b"}], "encoding": {"x": {"field": "b"}}}',
            "Vega-Lite refuses the spec: ",
            0,
        ),
        (
            '{"data": {"values": [{"a": 1}]}, "mark": "bar", "transform": [{"filter": "datum.a > 5"}],'
            '"encoding": {"x": {"field": "a", "type": "quantitative"}}}',
            "draws nothing",
            0,
        ),
    ],
)
def test_faults_name_their_reason_and_line(plotter, spec, reason, line):
    with pytest.raises(FigureError, match=re.escape(reason)) as caught:
        draw(plotter, spec)
    assert caught.value.line == line
    assert caught.value.fix.endswith(".")
    assert "cdn.jsdelivr" not in caught.value.reason
    assert "\n" not in caught.value.reason


def test_after_a_fault_the_next_chart_is_drawn(plotter):
    with pytest.raises(FigureError):
        draw(
            plotter,
            '{"mark": "bar", "data": {"values": [{"a": 1}]}, "transform": [{"calculate": "("}]}',
        )
    assert draw(plotter, BAR).svg


@pytest.mark.parametrize(
    "transform",
    [
        [{"calculate": "datum.riders * 2", "as": "made"}],
        [{"fold": ["riders"], "as": ["name", "made"]}],
        [{"aggregate": [{"op": "sum", "field": "riders", "as": "made"}], "groupby": ["line"]}],
    ],
)
def test_fields_that_a_transform_makes_are_known(plotter, transform):
    encoding = {"x": {"field": "made", "type": "quantitative"}}
    assert draw(plotter, changed(transform=transform, encoding=encoding)).svg


def test_rows_may_be_text_or_numbers_or_lie_in_datasets(plotter):
    x = {"x": {"field": "b", "type": "quantitative"}}
    text = changed(data={"values": "a,b\nx,1\ny,2", "format": {"type": "csv"}}, encoding=x)
    assert draw(plotter, text).tables[0].rows == [["x", "1"], ["y", "2"]]
    named = changed(data={"name": "n"}, datasets={"n": [{"b": 3}]}, encoding=x)
    assert draw(plotter, named).tables[0].rows == [[3]]
    plain = changed(
        data={"values": [1, 2]}, encoding={"x": {"field": "data", "type": "quantitative"}}
    )
    assert draw(plotter, plain).tables[0].columns == ("data",)


def test_a_folder_with_a_trap_in_it_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "vl_convert.py").write_text("raise SystemExit('trap')")
    monkeypatch.chdir(tmp_path)
    with Plotter() as plotter:
        assert draw(plotter, BAR).svg


def test_a_worker_that_ends_is_a_fault_and_not_a_hang(plotter):
    draw(plotter, BAR)
    plotter._process.kill()
    with pytest.raises(FigureError, match="more than 60 seconds or more memory"):
        draw(plotter, BAR)
    assert draw(plotter, BAR).svg
