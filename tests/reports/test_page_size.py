"""Pages that are too large are refused with one sentence, and nothing of them is parsed."""

from __future__ import annotations

import pytest

from generator import limits
from generator.exceptions import ReportRejectedError
from generator.reports import document
from generator.reports.checker import check_page
from generator.reports.rules.page_size import excess
from generator.reports.writer import save_report
from generator.workspace import Workspace

QUICKUI = "<script src=QuickUI.js></script>"
MOUNT = (
    f"<div id=app>{{{{ a }}}}</div>{QUICKUI}<script>new QUI({{id: 'app', data: {{a: 1}}}})</script>"
)
TOO_LARGE = {
    "bytes": "x" * (limits.REPORT_BYTES_MAX + 1),
    "bytes of letters that take three": "三" * (limits.REPORT_BYTES_MAX // 3 + 1),
    "tags": "<p>" * (limits.REPORT_TAGS_MAX + 1),
    "comments": "<!---->" * (limits.REPORT_TAGS_MAX + 1),
    "formatting": "<p>" + "".join(f"<b x={n}>" for n in range(1_000)) + "<p>y" * 1_000,
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_is_refused_before_it_is_parsed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    real = document.parse
    monkeypatch.setattr(
        document, "parse", lambda text, **options: parsed.append(text) or real(text, **options)
    )
    [found] = check_page(TOO_LARGE[name])
    assert (found.rule, found.severity, found.line, found.column) == ("page-size", "error", 1, 1)
    assert all(len(text) < 100 for text in parsed)


def test_nothing_is_saved(workspace: Workspace) -> None:
    with pytest.raises(ReportRejectedError, match="at most 500,000 are judged"):
        save_report(TOO_LARGE["tags"], format="html", workspace=workspace)


def test_pages_at_the_limits_pass() -> None:
    assert excess("x" * limits.REPORT_BYTES_MAX) is None
    assert excess("<p>" * limits.REPORT_TAGS_MAX) is None
    assert excess("<p>a < b &lt;b&gt;" * 100_000) is None


def test_a_letter_of_formatting_left_open_is_no_excess() -> None:
    assert excess("<p><b>one<p>" * 150 + "<p>" * 50_000) is None
    assert excess("<p><b>one</b>" * 100_000) is None


@pytest.mark.parametrize(
    ("page", "line"),
    [
        (f"{MOUNT}\n<script>{'a();' * 3_000}</script>\n<script>b(</script>", 2),
        (f"{MOUNT}\n" + "<b onclick=a()>x</b>\n" * 300, 189),
    ],
    ids=["one script", "many handlers"],
)
def test_more_script_than_is_judged(page: str, line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REPORT_SCRIPT_CHARACTERS_MAX", 10_000)
    [found] = [item for item in check_page(page) if item.severity == "error"]
    assert found.rule == "script-syntax"
    assert "more script than is judged: 10,000 characters at most" in found.message
    assert found.line == line


def test_data_in_json_and_in_addresses_is_no_script() -> None:
    page = (
        f"{MOUNT}<script type=application/json>[{'0,' * 3_000_000}0]</script>"
        f"<img alt=a src='data:image/png;base64,{'A' * 6_000_000}'>"
    )
    assert not any(item.severity == "error" for item in check_page(page))
