"""The HTML samples: accepted or rejected as their guide says, and whole in Chromium."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from generator.exceptions import ReportRejectedError
from generator.paths import shipped
from generator.proofs.pages import is_whole_page, page_problems
from generator.proofs.samples import Sample
from generator.reports.checker import check_page, passes
from generator.tools import get_tool
from generator.workspace import Workspace

REPOSITORY = Path(__file__).resolve().parents[2]


def test_html_samples_are_what_they_say(topic: str, sample: Sample) -> None:
    if sample.language == "html":
        assert page_problems(sample) == []


def test_a_wrong_sample_that_passes_is_told() -> None:
    sample = Sample(language="html", code="<p>fine</p>", line=1, wrong=True)
    assert page_problems(sample) == ["It is marked wrong, and it passes."]


def test_a_wrong_sample_must_be_found_by_the_rules_it_names() -> None:
    code = "<p>{{ a + b }}</p>"
    wrong = Sample(language="html", code=code, line=1, wrong=True, rules=("compound-if",))
    assert page_problems(wrong) == ["It is marked wrong, and compound-if does not find it."]
    right = Sample(language="html", code=code, line=1)
    assert page_problems(right)[0].startswith("template-expression at ")


@pytest.fixture(scope="module")
def whole_page(samples: Callable[..., list[Sample]]) -> str:
    """The page that html_render shows."""
    (page,) = [
        sample.code for sample in samples("html_render", "html") if is_whole_page(sample.code)
    ]
    return page


def test_the_whole_page_has_nothing_but_the_note_that_t_is_inlined(whole_page: str) -> None:
    assert {found.rule for found in check_page(whole_page)} <= {"chart-runtime"}


def test_write_result_saves_the_whole_page(whole_page: str, workspace: Workspace) -> None:
    tool = get_tool("write_result")
    receipt = tool.call({"content": whole_page, "format": "html"}, workspace)
    assert receipt.inlined == ["t.js"]
    assert receipt.title == "Harbour ferries: riders by line, 2025"
    saved = Path(receipt.path).read_text(encoding="utf-8")
    assert passes(check_page(saved))


def test_write_result_refuses_the_page_with_a_fault(whole_page: str, workspace: Workspace) -> None:
    broken = whole_page.replace("{{ item.value }}", "{{ item.value + 1 }}")
    with pytest.raises(ReportRejectedError) as raised:
        get_tool("write_result").call({"content": broken, "format": "html"}, workspace)
    assert [found.rule for found in raised.value.findings if found.severity == "error"] == [
        "template-expression"
    ]


@pytest.fixture(scope="module")
def libraries() -> dict[str, Path]:
    """What the page loads, by file name, from this machine."""
    subprocess.run(["sh", "tests/install/node.sh"], cwd=REPOSITORY, check=True, timeout=300)
    return {
        "QuickUI.js": shipped("templates") / "assets" / "quickui.js",
        "echarts.min.js": REPOSITORY / ".tools/node/node_modules/echarts/dist/echarts.min.js",
    }


@pytest.fixture
def open_page(
    browser: Browser, libraries: dict[str, Path], whole_page: str, workspace: Workspace
) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    """Open the page as it is saved, at a width and in a theme; its complaints come along."""
    receipt = get_tool("write_result").call({"content": whole_page, "format": "html"}, workspace)
    saved = Path(receipt.path)
    contexts = []

    def serve(route: Route) -> None:
        name = route.request.url.rsplit("/", 1)[-1]
        route.fulfill(path=libraries[name], content_type="text/javascript")

    def call(width: int, scheme: str = "light") -> tuple[Page, list[str]]:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
        )
        contexts.append(context)
        context.route(re.compile("^https://"), serve)
        page, said = context.new_page(), list[str]()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(saved.as_uri())
        return page, said

    yield call
    for context in contexts:
        context.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 480, 800, 1024, 1280])
def test_the_whole_page_in_chromium(
    open_page: Callable[..., tuple[Page, list[str]]], width: int, scheme: str
) -> None:
    page, said = open_page(width, scheme)
    assert said == []
    text = page.inner_text("body")
    assert "{{" not in text
    assert "+13.0 %" in text
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate("document.querySelectorAll('#riders svg path').length") > 6
    columns = page.evaluate(
        "getComputedStyle(document.querySelector('.figures')).gridTemplateColumns"
    )
    abreast = [track for track in columns.split() if track != "0px"]
    assert len(abreast) == {390: 1, 480: 2}.get(width, 3)
    pair = page.evaluate("getComputedStyle(document.querySelector('.pair')).display")
    assert pair == ("grid" if width >= 1024 else "block")


@pytest.mark.browser
def test_the_table_can_be_sorted(open_page: Callable[..., tuple[Page, list[str]]]) -> None:
    page, _ = open_page(800)
    page.click("#lines th:nth-child(4) button")
    first = page.inner_text("#lines tbody tr:first-child td:first-child")
    assert first == "South"
