"""The same pages in Chromium: what a rule claims must be what the browser shows.

QuickUI's address is answered with our own ``quickui.js``; ECharts is the real one, from npm. What
only QuickUI itself does (it replaces chart containers, ours keeps them) is not shown here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Route

from generator.paths import shipped

sys.path.insert(0, str(Path(__file__).parent))
from cases import ACCEPT, REJECT, expected, expected_rules

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

_ECHARTS = Path(__file__).parents[2] / ".tools/node/node_modules/echarts/dist/echarts.min.js"
_ADDRESS = "http://page.test/page"
_RAW = """() => {
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const around = walker.currentNode.parentElement;
    if (around.closest("script,template,noscript,style,pre,code,kbd,samp")) continue;
    if (/\\{\\{|\\{%/.test(walker.currentNode.data)) found.push(walker.currentNode.data.trim());
  }
  for (const element of document.querySelectorAll("*")) {
    if (element.closest("template,pre,code")) continue;
    for (const name of ["title", "class", "alt", "href"]) {
      if (/\\{\\{/.test(element.getAttribute(name) ?? "")) found.push(element.getAttribute(name));
    }
  }
  return found;
}"""
_CLICK = """() => {
  for (const element of document.querySelectorAll("[onclick], a[href^='javascript:']")) {
    element.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
}"""
#: Pages whose data comes from where no test can give it.
_WAITING = {"data-from-elsewhere"}


@dataclass
class Seen:
    """What a page showed.

    Attributes:
        errors: Errors that scripts threw.
        complaints: What was logged as an error or a warning.
        raw: Texts and attributes with raw braces.
        text: What a reader sees.
        bold: ``<b>`` elements: what the scripts of the reject cases write.
    """

    errors: list[str]
    complaints: list[str]
    raw: list[str]
    text: str
    bold: int


@pytest.fixture(scope="module")
def look(browser: Browser) -> Iterator[Callable[[Path], Seen]]:
    """Open a page in Chromium and tell what it shows; one tab serves all pages."""
    assets = shipped("templates") / "assets"
    quickui = (assets / "quickui.js").read_text()
    context = browser.new_context()
    tab = context.new_page()
    errors: list[str] = []
    complaints: list[str] = []
    shown: list[Path] = []

    def answer(route: Route) -> None:
        address = route.request.url.lower()
        script = {
            "content_type": "text/javascript",
            "headers": {"access-control-allow-origin": "*"},
        }
        if address.startswith(_ADDRESS) and not address.endswith(".js"):
            route.fulfill(body=shown[-1].read_bytes(), content_type="text/html; charset=utf-8")
        elif "quickui.esm" in address:
            route.fulfill(body=quickui + "\nexport const QUI = window.QUI;", **script)
        elif re.search(r"quickui(\.min)?\.js", address):
            route.fulfill(body=quickui, **script)
        elif "echarts" in address:
            route.fulfill(path=_ECHARTS, **script)
        elif address.endswith("/t.js"):
            route.fulfill(path=assets / "t.js", **script)
        else:
            route.fulfill(status=404, body="")

    def hear(said: ConsoleMessage) -> None:
        if said.type in {"error", "warning"}:
            complaints.append(said.text)

    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.on("console", hear)
    tab.route("**/*", answer)

    def call(path: Path) -> Seen:
        shown.append(path)
        errors.clear()
        complaints.clear()
        tab.goto(f"{_ADDRESS}/{path.stem}")
        tab.wait_for_timeout(120)
        tab.evaluate(_CLICK)
        tab.wait_for_timeout(30)
        return Seen(
            list(errors),
            list(complaints),
            tab.evaluate(_RAW),
            tab.inner_text("body"),
            tab.evaluate("document.querySelectorAll('b, iframe[srcdoc]').length"),
        )

    yield call
    context.close()


@pytest.mark.parametrize("path", ACCEPT, ids=lambda path: path.stem)
def test_what_passes_works(path: Path, look: Callable[[Path], Seen]) -> None:
    seen = look(path)
    if path.stem in _WAITING:
        return
    assert seen.errors == []
    assert seen.raw == []
    if "T.init" in path.read_text():
        assert not any("no element" in said for said in seen.complaints)


def _of(rule: str) -> list[Path]:
    return [path for path in REJECT if expected_rules(path) == {rule}]


def _stem(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", _of("missing-quickui"), ids=_stem)
def test_nothing_is_mounted(path: Path, look: Callable[[Path], Seen]) -> None:
    assert "MOUNTED" not in look(path).text


@pytest.mark.parametrize("path", _of("script-syntax"), ids=_stem)
def test_a_script_is_dropped(path: Path, look: Callable[[Path], Seen]) -> None:
    assert look(path).errors != []


@pytest.mark.parametrize(
    "path",
    [path for path in _of("template-expression") if path.stem != "expr-code-in-mount"],
    ids=_stem,
)
def test_braces_stay_raw(path: Path, look: Callable[[Path], Seen]) -> None:
    assert look(path).raw != []


def test_braces_in_several_pieces_of_text_stay_each_as_told(look: Callable[[Path], Seen]) -> None:
    path = next(path for path in REJECT if path.stem == "expr-split")
    lines = [" ".join(line.split()) for line in look(path).text.splitlines() if line.strip()]
    assert lines == [
        "{{ total }} in all",
        "{{ a.b }}",
        "Sum: {{total}}",
        "7 is filled",
        "{{ total }}",
    ]


#: What these write is parsed and never put into the page, or needs a library or a click.
_UNSEEN = {"markup-parser", "markup-template-element", "markup-jquery", "markup-d3"}


@pytest.mark.parametrize(
    "path",
    [path for path in _of("markup-from-script") if path.stem not in _UNSEEN],
    ids=_stem,
)
def test_markup_gets_in(path: Path, look: Callable[[Path], Seen]) -> None:
    seen = look(path)
    assert seen.bold > 0 or path.stem == "markup-html-attribute"
    assert seen.errors == []


@pytest.mark.parametrize("path", _of("chart-container"), ids=_stem)
def test_a_chart_misses_its_element(path: Path, look: Callable[[Path], Seen]) -> None:
    seen = look(path)
    assert seen.errors or any("no element" in said for said in seen.complaints)


@pytest.mark.parametrize("path", _of("script-throws"), ids=_stem)
def test_a_script_throws(path: Path, look: Callable[[Path], Seen]) -> None:
    assert look(path).errors != []


@pytest.mark.parametrize(
    "path", [p for p in _of("dead-event") if "outside" not in p.stem], ids=_stem
)
def test_a_button_does_nothing(path: Path, look: Callable[[Path], Seen]) -> None:
    dead = [said for said in look(path).complaints if "does nothing" in said]
    assert len(dead) == len(expected(path))


@pytest.mark.parametrize("path", _of("markdown-fence"), ids=_stem)
def test_the_wrapping_is_shown(path: Path, look: Callable[[Path], Seen]) -> None:
    text = look(path).text
    assert "```" in text or "Here is the report" in text or "Let me know" in text


def test_the_browser_closes_what_authors_leave_open(look: Callable[[Path], Seen]) -> None:
    seen = look(next(path for path in ACCEPT if path.stem == "unclosed-tags"))
    assert "1" in seen.text
    assert seen.errors == []
