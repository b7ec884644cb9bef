"""The site in a real Chromium: from disk and served, with and without scripts, wide and narrow."""

import functools
import subprocess
import threading
from pathlib import Path

import pytest

from generator import reasoning_guide
from generator.export.build import Builder
from generator.export.server import open_server
from generator.paths import Home
from generator.workspace import Workspace

REPOSITORY = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    Builder(Workspace(home=Home(folder / "home")), folder / "site").build()
    return folder / "site"


@pytest.fixture(scope="module")
def served(root):
    server = open_server(root, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.address
    server.shutdown()
    server.server_close()


@pytest.fixture(params=["disk", "served"])
def open_page(request, browser, root, served):
    """Open a page of the site: ``open_page("index")``; any console message fails the test."""
    contexts = []
    said = []

    def call(name, *, width=1280, scheme="light", scripts=True):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=scripts,
        )
        contexts.append(context)
        if request.param == "served":
            context.grant_permissions(["clipboard-read", "clipboard-write"], origin=served)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        base = served if request.param == "served" else root.as_uri() + "/"
        page.goto(f"{base}{name}.html")
        page.base = base
        return page

    yield call
    for context in contexts:
        context.close()
    assert said == []


def pasted(page):
    """Return what the clipboard holds, by pasting it into a field of a blank page."""
    other = page.context.new_page()
    other.set_content("<textarea></textarea>")
    other.focus("textarea")
    other.keyboard.press("Control+V")
    text = other.eval_on_selector("textarea", "field => field.value")
    other.close()
    return text


def test_the_builder_copies_exactly_what_an_agent_receives(open_page):
    page = open_page("bundles/index")
    for topic in ("web_search", "tool_error", "subagent_dispatch"):
        page.check(f"input[data-topic={topic}]")
    page.click(".tray .copy")
    page.wait_for_selector("text=Copied")
    asked = ["web_search", "tool_error", "subagent_dispatch"]
    assert pasted(page) == reasoning_guide(asked)
    assert page.inner_text(".preview code") == reasoning_guide(asked)
    assert page.inner_text(".way-shell") == f"fieldguide guide {' '.join(asked)}"
    page.check(".cannot-dispatch")
    page.click(".tray .copy")
    assert pasted(page) == reasoning_guide(asked, can_dispatch=False)


def test_the_tray_counts_as_the_estimate_does(open_page):
    from generator.tokens import estimate_tokens

    page = open_page("bundles/index")
    page.click("button.take[data-topics*=market_analysis]")
    page.wait_for_selector(".preview code:not(:empty)")
    asked = ["web_search", "market_analysis", "subagent_dispatch", "write_todo"]
    expected = estimate_tokens(reasoning_guide(asked))
    assert page.inner_text(".sum strong").replace("\u202f", "") == str(expected)


def test_picks_follow_from_page_to_page_and_can_be_taken_out(open_page):
    page = open_page("index")
    page.click("button.pick[data-topic=recall]")
    page.click("a:text-is('tool_error')")
    page.click(".actions button.pick")
    assert page.locator(".picked .topic").all_inner_texts() == ["recall", "tool_error"]
    page.click("text=×")
    assert page.locator(".picked .topic").all_inner_texts() == ["tool_error"]
    page.click(".tray .copy")
    assert pasted(page) == reasoning_guide(["tool_error"])
    page.click(".tray .clear")
    assert page.is_hidden(".tray")


def test_a_topic_the_site_no_longer_has_leaves_the_tray(open_page):
    page = open_page("index")
    page.evaluate(
        """localStorage.setItem("fieldguide-bundle", JSON.stringify([
            {topic: "gone", characters: 4, cjk: 0}, {topic: "../x", characters: 1, cjk: 0},
            {topic: "recall", characters: 4, cjk: 0}]))"""
    )
    page.on("console", lambda message: None)
    page.context.route("**/gone.js", lambda route: route.fulfill(status=200, body=""))
    page.reload()
    page.wait_for_function("document.querySelectorAll('.picked li').length === 1")
    assert page.locator(".picked .topic").all_inner_texts() == ["recall"]


def test_a_page_is_copied_as_markdown_and_code_as_code(open_page):
    page = open_page("guides/tool_generate")
    page.click(".copy-page")
    page.wait_for_selector("text=Copied")
    assert pasted(page) == reasoning_guide(["tool_generate"])
    block = page.locator(".code-frame").first
    block.hover()
    block.locator(".copy-code").click()
    assert pasted(page) == block.locator("code").inner_text()


@pytest.mark.parametrize("width", [320, 390, 800, 1280])
def test_nothing_scrolls_sideways(open_page, root, width):
    page = open_page("index", width=width)
    for path in sorted(root.rglob("*.html")):
        if path.name == "404.html" and page.base.startswith("file:"):
            continue  # only a server shows it: its links start at the top of the host
        page.goto(page.base + path.relative_to(root).as_posix())
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path.name


def test_the_menu_folds_on_a_phone_and_stands_open_on_a_desk(open_page):
    page = open_page("guides/recall", width=390)
    assert page.is_hidden(".topics")
    page.click(".menu summary")
    assert page.is_visible(".topics a[aria-current=page]")
    page.keyboard.press("Escape")
    assert page.is_hidden(".topics")
    page.set_viewport_size({"width": 1280, "height": 900})
    assert page.is_visible(".topics")


def test_everything_reads_without_a_script(open_page):
    for width in (390, 1280):
        page = open_page("guides/recall", width=width, scripts=False)
        assert page.is_visible(".topics")
        assert page.is_visible(".prose h2")
        assert page.is_hidden("button.pick")
    page = open_page("bundles/index", scripts=False)
    assert page.is_hidden("form.ticks")
    assert page.is_visible("text=Ticking needs a script")


def test_the_theme_can_be_chosen_and_stays(open_page):
    page = open_page("index", scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.click("button.theme")
    dark = page.evaluate(paper)
    assert dark != light
    page.reload()
    assert page.evaluate(paper) == dark
    assert open_page("index", scheme="dark").evaluate(paper) == dark


def test_the_keyboard_reaches_the_page_first(open_page):
    page = open_page("guides/recall")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def _luminance(channel):
    channel /= 255
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4


def _contrast(one, two):
    def light(colour):
        red, green, blue = (_luminance(part) for part in colour)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_colours_are_readable_on_every_ground(open_page, scheme):
    page = open_page("index", scheme=scheme)

    @functools.cache
    def colour(name):
        made = page.evaluate(
            """name => {
                const probe = document.createElement("i");
                probe.style.color = `var(--${name})`;
                document.body.append(probe);
                return getComputedStyle(probe).color.match(/[\\d.]+/g).map(Number).slice(0, 3);
            }""",
            name,
        )
        return tuple(made)

    inks = ("ink", "muted", "accent", "mark", "good", "bad", "warn")
    code = ("c-word", "c-text", "c-name", "c-note")
    for ground in ("paper", "leaf", "shade"):
        for ink in (*inks, *code):
            assert _contrast(colour(ink), colour(ground)) >= 4.5, (ink, ground)
    assert _contrast(colour("accent-ink"), colour("accent")) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(open_page, width, scheme):
    subprocess.run(["sh", "tests/install/node.sh"], cwd=REPOSITORY, check=True, timeout=300)
    axe = (REPOSITORY / ".tools/node/node_modules/axe-core/axe.min.js").read_text()
    page = open_page("index", width=width, scheme=scheme)
    for name in ("index", "guides/index", "guides/figure", "guides/tool_generate", "bundles/index"):
        page.goto(f"{page.base}{name}.html")
        if name == "bundles/index":
            page.check("input[data-topic=recall]")
        page.evaluate(axe)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        told = [
            (violation["id"], node["html"][:120])
            for violation in found["violations"]
            for node in violation["nodes"]
        ]
        assert told == [], name


def test_search_opens_over_any_page_and_gives_it_back(open_page):
    page = open_page("guides/tool_error")
    before = page.url
    page.focus("main a >> nth=0")
    page.keyboard.press("/")
    field = page.locator("dialog.finder input")
    field.wait_for()
    page.keyboard.type("src/units [RETRY_REQUIRED]")
    assert field.input_value() == "src/units [RETRY_REQUIRED]"
    field.fill("[RETRY_REQUIRED]")
    first = page.locator(".finder .hits a").first
    first.wait_for()
    assert page.inner_text(".finder mark >> nth=0").lower() == "[retry_required]"
    assert page.get_attribute(".finder .link", "href").endswith(
        "search/index.html#q=%5BRETRY_REQUIRED%5D"
    )
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.matches('.finder .hits a')")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
    assert page.evaluate("document.activeElement.matches('main a')")
    assert page.url == before
    page.click("a.find")
    assert field.input_value() == "[RETRY_REQUIRED]"
    page.keyboard.press("Escape")  # in the field, which would take it to empty itself
    assert page.locator("dialog[open]").count() == 0
    page.keyboard.press("/")
    field.fill("guide_of_nowhere")
    page.wait_for_function("document.querySelector('.finder .count').textContent !== ''")
    page.keyboard.press("Enter")
    assert page.url == before
    field.fill("reasoning_guide")
    page.locator(".finder .hits a").first.wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != before)
    assert page.locator("main").inner_text().count("reasoning_guide")


def test_without_a_script_the_search_button_is_a_link(open_page):
    page = open_page("guides/tool_error", scripts=False)
    page.click("a.find")
    page.wait_for_url("**/search/index.html")
    assert "fieldguide memory search" in page.inner_text(".unscripted")


def test_a_query_in_the_address_is_asked_at_once(open_page):
    page = open_page("search/index")
    page.goto(f"{page.base}search/index.html?q=tool_error")
    page.wait_for_selector(".hits a")
    assert page.input_value(".search-here input") == "tool_error"
    assert page.url == f"{page.base}search/index.html#q=tool_error"


def test_a_hit_shows_whole_words_as_they_are_written(open_page):
    page = open_page("search/index")
    page.fill(".search-here input", "error")
    page.wait_for_selector(".hits a")
    shown = page.locator(".hits p").all_inner_texts()
    texts = page.evaluate(
        "async () => (await fieldguide.search('error', '')).hits.map((hit) => hit.text)"
    )
    assert len(shown) == len(texts) > 8
    for piece, text in zip(shown, texts, strict=True):
        part = " ".join(piece.removeprefix("… ").removesuffix(" …").split())
        whole = f" {' '.join(text.split())} "
        assert f" {part} " in whole
