"""fieldguide report write: receipts, formats by ending, findings with a caret, exit codes."""

import json
from pathlib import Path

PAGE = """<!doctype html><meta charset=utf-8><title>T</title>
<meta name="viewport" content="width=device-width">
<p id="app">{{ n }}</p><script src="https://cdn.jsdelivr.net/npm/@pardnchiu/quickui@0.6.17/dist/QuickUI.js"></script>
<script>new QUI({id: "app", data: {n: 1}})</script>
"""


def test_markdown_is_saved_as_it_is(run, tmp_path):
    file = tmp_path / "a.md"
    file.write_bytes(b"\xef\xbb\xbf# A\r\n")
    outcome = run("report", "write", file)
    assert outcome.code == 0
    saved = Path(outcome.out.split("\n")[0].removeprefix("Saved "))
    assert saved.read_bytes() == b"\xef\xbb\xbf# A\r\n"


def test_the_ending_decides_and_an_option_wins(run, tmp_path):
    file = tmp_path / "a.html"
    file.write_text(PAGE)
    assert json.loads(run("report", "write", "--json", file).out)["format"] == "html"
    outcome = run("report", "write", "--json", "--format", "md", file)
    assert json.loads(outcome.out)["format"] == "md"


def test_a_page_that_fails_is_shown_with_carets_and_exit_1(run, tmp_path, home_folder):
    file = tmp_path / "a.html"
    file.write_text(PAGE.replace("{{ n }}", "{{ n + 1 }}"))
    outcome = run("report", "write", file)
    assert (outcome.code, outcome.out) == (1, "")
    assert "error template-expression" in outcome.err
    assert "^" in outcome.err
    assert "fieldguide guide html_render" in outcome.err
    assert not (home_folder / "download").exists()


def test_wrong_use_is_one_sentence(run, tmp_path):
    assert run("report", "write", tmp_path).code == 2
    assert "does not exist" in run("report", "write", tmp_path / "none.md").err


def test_bytes_that_are_no_text_are_told(run, tmp_path):
    file = tmp_path / "a.md"
    file.write_bytes(b"# caf\xe9\n")
    outcome = run("report", "write", "--json", file)
    receipt = json.loads(outcome.out)
    assert receipt["title"] == "caf\ufffd"
    assert receipt["warnings"]
