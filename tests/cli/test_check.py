"""The command: what it prints, what it says, how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


@pytest.fixture
def sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A guide with one warning and one error, in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "sample.md"
    path.write_text(
        FRONT + "`write_report` and [x](#gone)\n\n`a_b(c=1)` `memory_search(limit=3)`\n"
    )
    return path


def test_the_shipped_guides_are_clean(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("check")
    assert (done.code, done.out) == (0, "12 files checked, no findings.\n")
    assert "stale-export and parity left out" in done.err


def test_findings_end_with_1(run, sample: Path) -> None:
    done = run("check", "sample.md")
    assert done.code == 1
    assert "sample.md:7:2: error[obsolete-name]" in done.out
    assert "    `write_report` and [x](#gone)\n     ^\n" in done.out


@pytest.mark.parametrize("arguments", [("--format", "json"), ("--json",)])
def test_json(run, sample: Path, arguments: tuple[str, ...]) -> None:
    done = run("check", *arguments, ".")
    data = json.loads(done.out)
    assert list(data) == ["findings", "checked"]
    assert [finding["rule"] for finding in data["findings"]] == [
        "obsolete-name",
        "dead-link",
        "unknown-tool",
    ]


def test_sarif_and_github(run, sample: Path) -> None:
    assert json.loads(run("check", "--format", "sarif", ".").out)["version"] == "2.1.0"
    assert run("check", "--format", "github", ".").out.startswith("::error file=sample.md,line=7")


def test_nothing_found_prints_no_annotation(run, sample: Path) -> None:
    sample.write_text(FRONT + "## A\n")
    done = run("check", "--format", "github", "sample.md")
    assert (done.code, done.out) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--select", "boundary"), 0),
        (("--select", "boundary,dead-link"), 1),
        (("--ignore", "obsolete-name,dead-link", "--ignore", "unknown-tool"), 0),
        (("--fail-on", "never"), 0),
        (("--fail-on", "error"), 1),
    ],
)
def test_rules_and_severities_are_chosen(run, sample: Path, arguments, code: int) -> None:
    assert run("check", *arguments, "sample.md").code == code


def test_a_warning_fails_unless_errors_are_asked_for(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        (tmp_path / f"a{number}.md").write_text(FRONT + f"`memory_search(limit={number})`\n")
    assert run("check", ".").code == 1
    assert run("check", "--fail-on", "error", ".").code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("gone.md",),
        ("--select", "no-such-rule"),
        ("--format", "xml"),
        ("--json", "--format", "sarif"),
        ("explain", "no-such-rule"),
    ],
)
def test_wrong_use_ends_with_2(run, sample: Path, arguments) -> None:
    done = run("check", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("fieldguide: ")


def test_fix_shows_a_diff_and_tells_what_is_left(run, sample: Path) -> None:
    done = run("check", "--fix", "sample.md")
    assert done.code == 1
    assert "+`write_result` and" in done.err
    assert "obsolete-name" not in done.out
    assert "dead-link" in done.out
    assert "`write_result` and" in sample.read_text()


@pytest.mark.parametrize("arguments", [("explain", "budget"), ("--explain", "budget")])
def test_explain(run, sample: Path, arguments) -> None:
    done = run("check", *arguments)
    assert done.code == 0
    assert done.out.startswith("budget (error)")


def test_other_rules_say_what_was_left_out(run, sample: Path) -> None:
    sample.unlink()
    Path("AGENTS.md").write_text("# A\n\nSee above.\n")
    done = run("check", ".")
    assert done.code == 1
    assert "unknown-tool, boundary left out for files without our front matter" in done.err


def test_settings_of_the_project_hold(run, sample: Path) -> None:
    Path("fieldguide.toml").write_text('[check]\nfail-on = "never"\nexclude = ["sample.md"]\n')
    done = run("check", ".")
    assert (done.code, done.out) == (0, "0 files checked, no findings.\n")


def test_the_exported_site_is_compared(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("build").code == 0
    done = run("check")
    assert (done.code, done.err) == (0, "")
    (tmp_path / "site" / "guides" / "recall.md").unlink()
    rules = {finding["rule"] for finding in json.loads(run("check", "--json").out)["findings"]}
    assert rules == {"stale-export", "parity"}
