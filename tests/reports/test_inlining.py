"""Runtimes in saved pages: where they go, what stays untouched, and that browsers agree."""

import re

import pytest

from generator.exceptions import ReportRejectedError
from generator.paths import Home
from generator.reports.inlining import runtime
from generator.reports.writer import save_report
from generator.workspace import Workspace

CDN = "https://cdn.jsdelivr.net/npm/@pardnchiu/quickui@0.6.17/dist"
HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sales</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
)
LOAD = f'<script src="{CDN}/QuickUI.js" defer></script>\n'
MOUNT = (
    '</head><body><p id="app">{{ n }}</p>\n<script>document.addEventListener("DOMContentLoaded", '
    '() => new QUI({id: "app", data: {n: 41}}));</script>\n'
)
CHART = (
    f'<script src="{CDN}/echarts.min.js"></script><div id="c" style="height: 300px"></div>'
    '<script>T.init("c", {series: []});</script>\n'
)


@pytest.fixture
def make(tmp_path, workspace):
    """Save a page: ``make(page, inline_runtime=True)``."""

    def save(page: str, *, inline_runtime: bool = False):
        home = Home(tmp_path / "home")
        home.root.mkdir(exist_ok=True)
        home.config.write_text(f'{{"report": {{"inline_runtime": {str(inline_runtime).lower()}}}}}')
        person = Workspace(
            home=home, cwd=tmp_path, environ={"HOME": "/nowhere"}, clock=workspace.clock
        )
        return save_report(page, format="html", workspace=person)

    return save


def test_a_page_that_passes_is_saved_byte_for_byte(make):
    page = "\ufeff" + (HEAD + LOAD + MOUNT).replace("\n", "\r\n")
    receipt = make(page)
    assert receipt.path.read_bytes() == page.encode()
    assert (receipt.title, receipt.inlined, receipt.format) == ("Sales", (), "html")
    assert receipt.path.suffix == ".html"


def test_a_page_that_fails_leaves_nothing_and_names_every_problem(make, tmp_path):
    with pytest.raises(ReportRejectedError) as caught:
        make(HEAD + "</head><body><p>{{ a + b }}</p><script>let x = ;</script>")
    rules = {found.rule for found in caught.value.findings}
    assert {"missing-quickui", "template-expression", "script-syntax"} <= rules
    for found in caught.value.findings:
        assert f"{found.rule} (line {found.line}, column {found.column})" in caught.value.message
        assert found.fix in caught.value.message
    assert sorted(path.name for path in (tmp_path / "home").rglob("*")) == ["config.json"]


def test_t_is_inlined_before_the_first_script(make):
    receipt = make(HEAD + LOAD + MOUNT + CHART)
    saved = receipt.path.read_text()
    assert receipt.inlined == ("t.js",)
    assert saved == HEAD + f"<script>{runtime('t.js')}</script>\n" + LOAD + MOUNT + CHART
    assert not [warning for warning in receipt.warnings if warning.startswith("chart-runtime")]


def test_a_page_with_a_t_of_its_own_keeps_it(make):
    own = '<script src="t.js"></script>'
    assert make(HEAD + LOAD + own + MOUNT + CHART).inlined == ()


def test_line_ends_stay_as_the_page_has_them(make):
    page = "\ufeff" + (HEAD + LOAD + MOUNT + CHART).replace("\n", "\r\n")
    data = make(page, inline_runtime=True).path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    assert data.count(b"\n") == data.count(b"\r\n")
    rest = re.sub(rb"<script>/\*.*?</script>(\r\n)?", b"", data, flags=re.DOTALL).decode()
    assert rest == page.replace(LOAD.replace("\n", "\r\n"), "")


def test_the_charset_stays_where_browsers_look(make):
    late = HEAD.replace('<meta charset="utf-8">', "") + LOAD + '<meta charset="utf-8">' + MOUNT
    saved = make(late + CHART).path.read_bytes()
    assert b'<meta charset="utf-8">' in saved[:1024]


@pytest.mark.browser
@pytest.mark.parametrize(
    "page",
    [
        HEAD + LOAD + MOUNT,
        HEAD + f"<SCRIPT src='{CDN}/quickui.MIN.js' crossorigin></SCRIPT >" + MOUNT,
        HEAD
        + '</head><body><p id="app">{{ n }}</p><script type="module">\r\n'
        + f'import {{ QUI }} from "{CDN}/QuickUI.esm.js";\r\n'
        + 'new QUI({id: "app", data: {n: 41}});</script>',
        HEAD
        + '</head><body><p id="app">{{ n }}</p><script type="module">'
        + f"import {{ QUI as Q }} from '{CDN}/QuickUI.esm.js'; "
        + 'new Q({id: "app", data: {n: 41}});</script>',
        HEAD
        + f'<script type="importmap">{{"imports": {{"q": "{CDN}/QuickUI.esm.js"}}}}</script>'
        + '</head><body><p id="app">{{ n }}</p><script type="module">'
        + 'import { QUI } from "q"; new QUI({id: "app", data: {n: 41}});</script>',
    ],
)
def test_quickui_inlined_works_without_a_network(make, browser, page):
    receipt = make(page, inline_runtime=True)
    assert receipt.inlined == ("quickui.js",)
    context = browser.new_context(offline=True)
    opened = context.new_page()
    opened.goto(receipt.path.as_uri())
    opened.wait_for_function("document.getElementById('app').textContent === '41'")
    context.close()


@pytest.mark.browser
def test_a_chart_page_works_without_a_network(make, browser, tmp_path):
    library = tmp_path / "home" / "download" / "echarts.min.js"
    library.parent.mkdir(parents=True)
    library.write_text(
        "window.echarts = {init: () => ({setOption() { window.drawn = 1 }, resize() {}})}"
    )
    page = HEAD + LOAD + MOUNT + CHART.replace(f"{CDN}/echarts.min.js", "echarts.min.js")
    receipt = make(page, inline_runtime=True)
    context = browser.new_context(offline=True)
    opened = context.new_page()
    opened.goto(receipt.path.as_uri())
    opened.wait_for_function("window.drawn === 1")
    assert opened.inner_text("#app") == "41"
    context.close()
