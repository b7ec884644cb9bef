"""Rendered pages in Chromium: no request, no error, nothing cut off, themes and controls work."""

from pathlib import Path

import pytest

from generator.reports.render import render_report

pytestmark = pytest.mark.browser

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "reports"


@pytest.fixture(scope="module")
def rendered(tmp_path_factory) -> Path:
    text = (FIXTURES / "full.md").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("rendered") / "full.html"
    path.write_text(render_report(text, folder=FIXTURES).html, encoding="utf-8")
    return path


@pytest.fixture
def open_report(browser, rendered):
    """Open the page: ``open_report(width=390, scheme="dark")``."""
    contexts = []

    def call(*, width: int = 1280, scheme: str = "light", **options):
        context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.said = []
        page.asked = []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(rendered.as_uri())
        return page

    yield call
    for context in contexts:
        context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 480, 800, 1280, 1920])
def test_nothing_is_asked_for_said_or_cut_off(open_report, rendered, width, scheme):
    page = open_report(width=width, scheme=scheme)
    assert page.said == []
    assert [url for url in page.asked if not url.startswith("data:")] == [rendered.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_figures_take_the_colours_of_the_theme(open_report):
    fill = (
        "getComputedStyle(document.querySelector('.chart path[aria-label], .chart .mark-rect path'))"
        ".fill"
    )
    assert open_report(scheme="light").evaluate(fill) == "rgb(74, 107, 37)"
    assert open_report(scheme="dark").evaluate(fill) == "rgb(163, 196, 111)"


def test_the_theme_button_says_and_changes_the_theme(open_report):
    page = open_report(scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(paper) == "rgb(248, 244, 234)"
    assert page.get_attribute("#Reading button", "aria-pressed") == "false"
    page.click("#Reading button")
    assert page.evaluate(paper) == "rgb(24, 33, 30)"
    assert page.get_attribute("#Reading button", "aria-pressed") == "true"


def test_paper_is_light_and_bare(open_report):
    page = open_report(scheme="dark")
    page.click("#Reading button")
    page.click("#Reading button")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.is_visible("#Reading")
    assert not page.is_visible(".contents")


def test_without_scripts_the_page_reads_the_same(open_report):
    page = open_report(java_script_enabled=False)
    assert "Harbour ferries in 2025" in page.inner_text("h1")
    assert not page.is_visible("#Reading")


def test_braces_are_shown_as_they_were_written(open_report):
    text = open_report().inner_text("main")
    assert "prose {{ user.name }} or {% if x %}." in text
    assert "# {{ not.a.template }}" in text


def test_contents_lead_to_their_sections(open_report):
    page = open_report(bypass_csp=True)  # waiting for a condition evaluates text
    page.click(".contents a >> text=Decisions")
    page.wait_for_function(
        "Math.abs(document.getElementById('decisions').getBoundingClientRect().top) < 120"
        " || scrollY + innerHeight >= document.documentElement.scrollHeight - 2"
    )
    assert page.url.endswith("#decisions")


def test_text_has_contrast_in_both_themes(open_report):
    script = """() => {
      const channel = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; };
      const light = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number);
        return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
      const ground = (e) => { for (; e; e = e.parentElement) {
        const c = getComputedStyle(e).backgroundColor; if (!c.endsWith(', 0)')) return c; } return 'rgb(255,255,255)'; };
      const bad = [];
      for (const e of document.querySelectorAll('main *, header *, nav *')) {
        if (e.closest('svg, [disabled]') || !e.offsetParent) continue;
        if (![...e.childNodes].some((n) => n.nodeType === 3 && n.nodeValue.trim())) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(ground(e))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) bad.push(e.outerHTML.slice(0, 80));
      }
      return bad;
    }"""
    for scheme in ("light", "dark"):
        assert open_report(scheme=scheme).evaluate(script) == []


def test_a_paragraph_runs_in_the_direction_of_its_letters(browser):
    html = render_report("مرحبا بالعالم\n\nHello world\n", folder=FIXTURES).html
    page = browser.new_page()
    page.set_content(html)
    arabic, english = page.evaluate(
        """() => [...document.querySelectorAll("p")]
          .filter((p) => /^(Hello|مرحبا)/.test(p.textContent)).map((p) => {
            const range = document.createRange();
            range.selectNodeContents(p);
            const [text, box] = [range.getBoundingClientRect(), p.getBoundingClientRect()];
            return [text.left - box.left, box.right - text.right].map(Math.round);
          })"""
    )
    page.close()
    assert arabic[1] == 0 < arabic[0]
    assert english[0] == 0 < english[1]
