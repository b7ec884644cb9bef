"""report check --browser: what Chromium shows is what is reported, at three widths."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

CDN = "https://cdn.jsdelivr.net/npm/@pardnchiu/quickui@0.6.17/dist/QuickUI.js"
GOOD = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>T</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<p id="app">{{{{ n }}}}</p>
<script src="{CDN}"></script>
<script>new QUI({{id: "app", data: {{n: 1}}}})</script>
"""


@pytest.fixture
def check(tmp_path):
    """Check a page in a process of its own: a second Playwright beside the tests' cannot start."""

    def call(
        page: str, *options: str, files: dict[str, str] | None = None
    ) -> tuple[int, list[dict]]:
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        for name, text in (files or {}).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "generator", "report", "check", "--browser", *options, "--json",
             str(tmp_path / "page.html")],
            capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip
        assert done.stderr == ""
        findings = json.loads(done.stdout)["findings"]
        return done.returncode, [item for item in findings if item["rule"].startswith("browser-")]

    return call


def rules(findings: list[dict]) -> list[tuple[str, str]]:
    return [(item["rule"], item["severity"]) for item in findings]


def test_a_page_that_works_has_nothing_to_report_offline(check):
    assert check(GOOD, "--offline") == (0, [])


def test_a_rendered_report_has_nothing_to_report(check):
    from generator.reports.render import render_report

    fixtures = Path(__file__).resolve().parents[1] / "fixtures" / "reports"
    text = (fixtures / "full.md").read_text(encoding="utf-8")
    assert check(render_report(text, folder=fixtures).html) == (0, [])


def test_everything_a_reader_would_see_is_named(check):
    page = GOOD.replace(
        "<script>new",
        '<table id="wide" style="width: 900px"><tr><td>x</td></tr></table>\n'
        "<p>{{ left }} here</p><pre>{{ code }}</pre>\n"
        '<script src="missing.js"></script>\n'
        '<div id="c" style="height: 200px"></div><script>T.init("c", {series: []})</script>\n'
        "<script>\nconsole.error('bad thing');\nnothing.there();\n</script>\n<script>new",
    )
    code, findings = check(page, "--offline", files={})
    lines = page.split("\n")
    assert code == 1
    found = {item["rule"]: item for item in findings}
    assert "bad thing" in " ".join(item["message"] for item in findings)
    error = next(item for item in findings if "nothing is not defined" in item["message"])
    assert lines[error["line"] - 1] == "nothing.there();"
    assert "missing.js could not be loaded" in found["browser-load"]["message"]
    assert "missing.js" in lines[found["browser-load"]["line"] - 1]
    assert found["browser-braces"]["message"].startswith("{{ left }} is visible")
    assert "{{ left }}" in lines[found["browser-braces"]["line"] - 1]
    assert "px at 480, " in found["browser-sideways"]["message"]
    assert "at 1280" not in found["browser-sideways"]["message"]
    assert "<table> #wide sticks out" in found["browser-sideways"]["message"]
    assert "<div> #c shows nothing" in found["browser-chart"]["message"]
    assert 'id="c"' in lines[found["browser-chart"]["line"] - 1]
    assert not [item for item in findings if "{{ code }}" in item["message"]]


def test_what_cannot_be_reached_is_named_and_excuses_what_follows(check):
    page = GOOD.replace(
        "<script>new",
        '<script src="https://cdn.jsdelivr.net/npm/echarts@6/dist/echarts.min.js"></script>'
        '<div id="c" style="height: 200px"></div><script>T.init("c", {}); echarts.x()</script><script>new',
    )
    code, findings = check(page, "--offline")
    assert code == 0
    assert set(rules(findings)) == {
        ("browser-load", "warning"),
        ("browser-error", "warning"),
        ("browser-chart", "warning"),
    }
    assert "echarts.min.js" in next(i["message"] for i in findings if i["rule"] == "browser-load")


def test_a_drawn_chart_is_seen_on_both_renderers(check, tmp_path):
    source = Path(__file__).resolve().parents[2] / ".tools/node/node_modules/echarts/dist"
    subprocess.run(["sh", "tests/install/node.sh"], cwd=source.parents[4], check=True, timeout=300)
    option = (
        "{xAxis: {type: 'category', data: ['a']}, yAxis: {}, series: [{type: 'bar', data: [1]}]}"
    )
    page = GOOD.replace(
        "<script>new",
        '<script src="echarts.js"></script><div id="s" style="height: 200px"></div>'
        f'<div id="v" style="height: 200px"></div><script>T.init(\'s\', {option});'
        f"T.init('v', {option}, {{renderer: 'canvas'}})</script>\n<script>new",
    )
    library = (source / "echarts.min.js").read_text(encoding="utf-8")
    assert check(page, "--offline", files={"echarts.js": library}) == (0, [])


def test_a_script_that_never_ends_is_an_error_and_not_a_hang(check):
    code, findings = check(GOOD + "<script>for (;;) {}</script>", "--offline")
    assert code == 1
    assert ("browser-load", "error") in rules(findings)


def test_a_dialog_does_not_stop_the_check(check):
    assert check(GOOD + "<script>alert(1); confirm(2)</script>", "--offline") == (0, [])


def test_offline_without_browser_is_wrong_use(run, tmp_path):
    (tmp_path / "a.html").write_text(GOOD)
    assert run("report", "check", "--offline", tmp_path / "a.html").code == 2


def test_without_the_extra_one_sentence_says_what_to_install(run, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "playwright.sync_api", None)
    (tmp_path / "a.html").write_text(GOOD)
    outcome = run("report", "check", "--browser", tmp_path / "a.html")
    assert (outcome.code, outcome.out) == (1, "")
    assert "pip install 'fieldguide[browser]'" in outcome.err
