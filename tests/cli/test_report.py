"""``fieldguide report check``: what it prints and how it exits."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

GOOD = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>Sales</title>"
    '<meta name=viewport content="width=device-width">'
    '<script src="https://cdn.jsdelivr.net/npm/@pardnchiu/quickui/dist/QuickUI.js"></script>'
    "</head><body><div id=app>{{ a }}</div>"
    "<script>new QUI({id: 'app', data: {a: 1}})</script></body></html>"
)
BAD = GOOD.replace("{{ a }}", "\n  总计 {{ a + 1 }}")


def _page(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_json_is_one_object_a_line(run, tmp_path: Path) -> None:
    good, bad = _page(tmp_path, "good.html", GOOD), _page(tmp_path, "bad.html", BAD)
    outcome = run("report", "check", "--json", good, bad)
    first, second = [json.loads(line) for line in outcome.out.splitlines()]
    assert first == {"path": str(good), "ok": True, "findings": []}
    assert second["ok"] is False
    [finding] = second["findings"]
    assert set(finding) == {"rule", "severity", "line", "column", "message", "fix"}
    assert (finding["rule"], finding["line"], finding["column"]) == ("template-expression", 2, 6)
    assert outcome.code == 1


def test_for_people_with_line_caret_and_count(run, tmp_path: Path) -> None:
    outcome = run("report", "check", _page(tmp_path, "bad.html", BAD))
    lines = outcome.out.splitlines()
    assert lines[0].startswith(f"{tmp_path}/bad.html:2:6: error template-expression:")
    assert (
        lines[1]
        == "      总计 {{ a + 1 }}</div><script>new QUI({id: 'app', data: {a: 1}})</script></body></html>"
    )
    assert lines[2] == " " * 11 + "^"
    assert lines[-1].endswith("rejected, 1 error, 0 warnings.")


def test_a_page_that_passes(run, tmp_path: Path) -> None:
    outcome = run("report", "check", _page(tmp_path, "good.html", GOOD))
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.strip().endswith("passes.")


def test_a_warning_passes(run, tmp_path: Path) -> None:
    outcome = run("report", "check", "--json", _page(tmp_path, "p.html", GOOD.replace("Sales", "")))
    row = json.loads(outcome.out)
    assert row["ok"] is True
    assert [found["severity"] for found in row["findings"]] == ["warning"]
    assert outcome.code == 0


def test_standard_input(run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BAD.encode())))
    outcome = run("report", "check", "--json", "-")
    assert json.loads(outcome.out)["path"] == "-"
    assert outcome.code == 1


def test_no_file_and_unknown_option_are_wrong_use(run) -> None:
    assert run("report", "check").code == 2
    assert run("report", "check", "--yaml", "x").code == 2


def test_a_missing_file_does_not_hide_the_others(run, tmp_path: Path) -> None:
    good = _page(tmp_path, "good.html", GOOD)
    outcome = run("report", "check", "--json", tmp_path / "none.html", tmp_path, good)
    assert outcome.code == 2
    assert "none.html does not exist" in outcome.err
    assert "is a folder" in outcome.err
    assert json.loads(outcome.out)["ok"] is True


def test_an_unreadable_file_is_a_sentence(run, tmp_path: Path) -> None:
    path = tmp_path / "loop.html"
    path.symlink_to(path)
    outcome = run("report", "check", path)
    assert outcome.code in {1, 2}
    assert "Traceback" not in outcome.err
    assert "loop.html" in outcome.err


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bom", b"\xef\xbb\xbf" + GOOD.encode()),
        ("crlf", GOOD.replace("><", ">\r\n<").encode()),
        ("cr", GOOD.replace("><", ">\r<").encode()),
    ],
)
def test_other_line_ends_and_marks_pass(run, tmp_path: Path, name: str, content: bytes) -> None:
    outcome = run("report", "check", "--json", _page(tmp_path, f"{name}.html", content))
    assert json.loads(outcome.out)["findings"] == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x00<p>\x00",
        b"\xff\xfe\xfa broken",
        "<p>\ud800</p>".encode("utf-8", "surrogatepass"),
        b"<script>'\\ud800'; \xed\xa0\x80</script>",
        b"<" * 5000,
        b"\r\r\n\n\r",
    ],
    ids=["empty", "nul", "no-utf8", "surrogate", "surrogate-in-script", "angles", "line-ends"],
)
def test_odd_bytes_are_judged(run, tmp_path: Path, content: bytes) -> None:
    path = _page(tmp_path, "odd.html", content)
    for arguments in (["--json", path], [path]):
        outcome = run("report", "check", *arguments)
        assert outcome.code == 1
        assert "missing-quickui" in outcome.out
        assert outcome.err == ""


def test_a_secret_is_never_printed(run, tmp_path: Path) -> None:
    secret = "AKIA" + "Z7QHT3NMW2XKV5RD"
    page = GOOD.replace("{{ a }}", "{{ key('" + secret + "') }}").replace(
        "id=app>", f'id=app title="{secret}" class="{{{{ {secret} + 1 }}}}">'
    )
    path = _page(tmp_path, "secret.html", page)
    for arguments in (["--json", path], [path]):
        outcome = run("report", "check", *arguments)
        assert "secret" in outcome.out
        assert secret not in outcome.out + outcome.err


def test_settings_count(run, tmp_path: Path) -> None:
    path = _page(tmp_path, "good.html", GOOD)
    assert run("config", "set", "report.interpolation", "none").code == 0
    assert run("config", "set", "report.allowed_hosts", '["example.com"]').code == 0
    row = json.loads(run("report", "check", "--json", path).out)
    assert [found["rule"] for found in row["findings"]] == ["script-host", "template-expression"]


def test_a_closed_pipe_is_no_error(run, tmp_path: Path) -> None:
    path = _page(tmp_path, "good.html", GOOD)
    reader, writer = os.pipe()
    os.close(reader)
    import subprocess

    done = subprocess.run(
        [sys.executable, "-m", "generator", "report", "check", str(path)],
        stdout=writer,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(writer)
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_page_in_utf16_is_read_as_browsers_read_it(run, tmp_path: Path, encoding: str) -> None:
    page = _page(tmp_path, "wide.html", ("\ufeff" + GOOD).encode(encoding))
    outcome = run("report", "check", "--json", page)
    assert json.loads(outcome.out) == {"path": str(page), "ok": True, "findings": []}
    assert outcome.code == 0
