"""fieldguide report render: where the page goes, what is never replaced, faults with carets."""

import json
import shutil
from pathlib import Path

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "reports"


def test_the_page_stands_beside_its_source_and_is_made_anew(run, tmp_path):
    file = tmp_path / "a.md"
    file.write_text("# One\n")
    outcome = run("report", "render", file)
    assert (outcome.code, outcome.out, outcome.err) == (0, f"{tmp_path / 'a.html'}\n", "")
    file.write_text("# Two\n")
    assert run("report", "render", file).code == 0
    assert "<h1>Two</h1>" in (tmp_path / "a.html").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.html", "a.md"]


def test_a_file_of_another_making_is_not_replaced(run, tmp_path):
    (tmp_path / "a.md").write_text("# One\n")
    (tmp_path / "a.html").write_text("mine")
    outcome = run("report", "render", tmp_path / "a.md")
    assert outcome.code == 2
    assert "--force" in outcome.err
    assert (tmp_path / "a.html").read_text() == "mine"
    assert run("report", "render", "--force", tmp_path / "a.md").code == 0
    assert "<h1>One</h1>" in (tmp_path / "a.html").read_text()


def test_the_source_is_never_replaced(run, tmp_path):
    (tmp_path / "a.html").write_text("# One\n")
    assert run("report", "render", "--force", tmp_path / "a.html").code == 2
    assert (tmp_path / "a.html").read_text() == "# One\n"


def test_another_place_and_standard_output(run, tmp_path):
    (tmp_path / "a.md").write_text("# One\n")
    out = tmp_path / "deep" / "b.html"
    assert run("report", "render", tmp_path / "a.md", "-o", out).code == 0
    printed = run("report", "render", tmp_path / "a.md", "-o", "-")
    assert printed.out == out.read_text()


def test_json_names_the_page_and_its_warnings(run, tmp_path):
    (tmp_path / "a.md").write_text("# One\n\n![x](https://example.com/x.png)\n")
    made = json.loads(run("report", "render", "--json", tmp_path / "a.md").out)
    assert made["path"] == str(tmp_path / "a.html")
    assert made["title"] == "One"
    assert [found["rule"] for found in made["findings"]] == ["image"]


def test_faults_are_shown_and_nothing_is_written(run, tmp_path):
    file = tmp_path / "broken.md"
    shutil.copy(FIXTURES / "broken.md", file)
    outcome = run("report", "render", file)
    assert (outcome.code, outcome.out) == (1, "")
    for place in ("10:1: error chart", "26:1: error formula", "29:1: error diagram"):
        assert f"{file}:{place}" in outcome.err
    assert list(tmp_path.iterdir()) == [file]


def test_wrong_use_is_one_sentence(run, tmp_path):
    assert run("report", "render", tmp_path).code == 2
    assert run("report", "render", tmp_path / "none.md").code == 2
