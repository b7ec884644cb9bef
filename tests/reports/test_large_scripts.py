"""Large inlined libraries: listed builds are exempt, others are judged once and remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.reports import large_scripts
from generator.reports.checker import check_page
from generator.reports.libraries import digest, known_build
from generator.reports.rules import RULES

LIBRARY = (
    "(function(){" + "function f(a){return a+1}\n" * 3_000 + "document.body.innerHTML=f(1)})();"
)
BUILD = Path(__file__).parents[2] / ".tools/node/node_modules/echarts/dist/echarts.min.js"


def _page(script: str) -> str:
    return f"<!doctype html>\n<script>\n{script}\n</script>\n<script>var later = 1</script>"


@pytest.fixture(autouse=True)
def _forget() -> None:
    large_scripts._REMEMBERED.clear()


def test_the_first_verdict_is_the_later_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = check_page(_page(LIBRARY), memory=tmp_path)
    assert [(found.rule, found.line) for found in first if found.severity == "error"] == [
        ("missing-quickui", 1),
        ("markup-from-script", 3_003),
    ]

    def judged_again(text: str) -> None:
        raise AssertionError(text[:20])

    monkeypatch.setattr(large_scripts, "_judge", judged_again)
    assert check_page(_page(LIBRARY), memory=tmp_path) == first
    large_scripts._REMEMBERED.clear()
    assert check_page(_page(LIBRARY), memory=tmp_path) == first


def test_a_broken_note_is_judged_again(tmp_path: Path) -> None:
    first = check_page(_page(LIBRARY), memory=tmp_path)
    [note] = tmp_path.iterdir()
    for content in ("", "[]", '{"problems": 3}', "{" * 50_000):
        note.write_text(content)
        large_scripts._REMEMBERED.clear()
        assert check_page(_page(LIBRARY), memory=tmp_path) == first


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("x")
    assert check_page(_page(LIBRARY), memory=blocked / "scripts")


def test_names_of_a_large_script_clash_too(tmp_path: Path) -> None:
    page = _page("const later = 2;" + LIBRARY)
    for _ in range(2):
        found = [item for item in check_page(page, memory=tmp_path) if item.rule == "script-syntax"]
        assert [(item.line, item.column) for item in found] == [(3_005, 13)]


def test_a_syntax_error_in_a_large_script(tmp_path: Path) -> None:
    for _ in range(2):
        rules = [item.rule for item in check_page(_page(LIBRARY + "]"), memory=tmp_path)]
        assert "script-syntax" in rules


def test_a_listed_build_is_exempt() -> None:
    text = BUILD.read_text()
    build = known_build("\n" + text.replace("\n", "\r\n") + "\n")
    assert build is not None
    assert build.globals == ("echarts",)
    page = _page(text)
    assert {found.rule for found in check_page(page)}.isdisjoint(
        {"markup-from-script", "dynamic-code", "script-syntax"}
    )


def test_our_own_runtimes_are_exempt() -> None:
    from generator.paths import shipped

    for name in ("quickui.js", "t.js"):
        assert known_build((shipped("templates") / "assets" / name).read_text()) is not None


def test_the_digest_forgets_what_inlining_changes() -> None:
    assert digest("a\r\n<\\/script>") == digest("\na\n</script>\n")
    assert digest("a") != digest("b")


def test_rules_are_run_from_the_table() -> None:
    assert set(large_scripts._RULES) <= {rule.id for rule in RULES}
