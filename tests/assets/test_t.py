"""t.js with the real ECharts: drawing, themes, resizing, faults, numbers and tables."""

import pytest

pytestmark = pytest.mark.browser

CHART = '<div id="c" style="width: 600px; height: 300px"></div>'
OPTION = (
    "{xAxis: {type: 'category', data: ['a', 'b', 'c']}, yAxis: {type: 'value'},"
    "series: [{type: 'bar', data: [3, 1, 2], itemStyle: {color: T.up}}, "
    "{type: 'line', data: [1, 2, 3]}]}"
)


def draw(option: str = OPTION, extra: str = "") -> str:
    return f"<script>window.made = T.init('c', {option}{extra});</script>"


def fills(opened) -> set[str]:
    return set(
        opened.run(
            "[...document.querySelectorAll('#c svg path')].map((p) => p.getAttribute('fill'))"
        )
    )


def test_a_chart_is_drawn_as_svg_in_the_page_theme(open_page, echarts):
    opened = open_page(CHART + draw(), "t.js", library=echarts)
    assert opened.run("document.querySelectorAll('#c svg path').length") > 5
    assert "#2f7a3a" in fills(opened)
    assert opened.run("document.getElementById('c').getAttribute('aria-label')")
    assert opened.errors == opened.warnings == []


def test_many_points_are_drawn_on_a_canvas(open_page, echarts):
    option = (
        "{xAxis: {type: 'value'}, yAxis: {type: 'value'}, series: [{type: 'scatter', "
        "data: Array.from({length: 5000}, (_, i) => [i, i % 7])}]}"
    )
    opened = open_page(CHART + draw(option), "t.js", library=echarts)
    assert opened.run("document.querySelectorAll('#c canvas').length") >= 1
    opened = open_page(CHART + draw(OPTION, ", {renderer: 'canvas'}"), "t.js", library=echarts)
    assert opened.run("document.querySelectorAll('#c canvas').length") >= 1


def test_the_system_theme_is_followed_while_the_page_is_open(open_page, echarts):
    opened = open_page(CHART + draw(), "t.js", library=echarts, color_scheme="dark")
    assert opened.run("T.ink") == "#e7e3d7"
    assert "#85cb8d" in fills(opened)
    opened.page.emulate_media(color_scheme="light")
    opened.page.wait_for_function("T.ink === '#23251f'")
    opened.page.wait_for_selector("#c svg path[fill='#2f7a3a']", state="attached")
    assert "#85cb8d" not in fills(opened)


def test_the_page_may_choose_its_theme(open_page, echarts):
    opened = open_page(CHART + draw(), "t.js", library=echarts, color_scheme="light")
    opened.run("document.documentElement.dataset.theme = 'dark'")
    opened.page.wait_for_selector("#c svg path[fill='#85cb8d']", state="attached")
    assert opened.run("T.surface") == "#1f2a26"


def test_later_options_and_listeners_survive_a_change_of_theme(open_page, echarts):
    opened = open_page(CHART + draw(), "t.js", library=echarts, color_scheme="light")
    opened.run("made.setOption({series: [{itemStyle: {color: T.critical}}]})")
    opened.run("made.on('click', () => { window.clicked = 1 })")
    opened.run("document.documentElement.dataset.theme = 'dark'")
    opened.page.wait_for_selector("#c svg path[fill='#ee9d8c']", state="attached")
    opened.page.locator("#c svg path[fill='#ee9d8c']").first.click(force=True)
    assert opened.run("window.clicked") == 1


def test_paper_is_light(open_page, echarts):
    opened = open_page(CHART + draw(), "t.js", library=echarts, color_scheme="dark")
    opened.run("dispatchEvent(new Event('beforeprint'))")
    assert "#2f7a3a" in fills(opened)
    opened.run("dispatchEvent(new Event('afterprint'))")
    assert "#85cb8d" in fills(opened)


def test_a_chart_follows_the_size_of_its_container(open_page, echarts):
    opened = open_page(CHART + draw(), "t.js", library=echarts)
    assert opened.run("made.getWidth()") == 600
    opened.run("document.getElementById('c').style.width = '320px'")
    opened.page.wait_for_function("made.getWidth() === 320")
    # Hidden and shown again, as in a tab: the size comes back.
    opened.run("document.getElementById('c').style.display = 'none'")
    opened.run("document.getElementById('c').style.display = ''")
    opened.page.wait_for_function("made.getWidth() === 320")


def test_a_container_without_height_is_given_one(open_page, echarts):
    opened = open_page('<div id="c"></div>' + draw(), "t.js", library=echarts)
    assert opened.run("made.getHeight()") == 320
    assert len(opened.warnings) == 1
    assert "has no height" in opened.warnings[0]


def test_drawing_twice_leaves_one_chart(open_page, echarts):
    opened = open_page(CHART + draw() + draw(), "t.js", library=echarts)
    assert opened.run("document.querySelectorAll('#c svg').length") == 1


def test_a_missing_container_warns_and_the_script_goes_on(open_page, echarts):
    body = "<script>window.made = T.init('nowhere', {}); window.after = 1;</script>"
    opened = open_page(body, "t.js", library=echarts)
    assert opened.run("[made, after]") == [None, 1]
    assert "nowhere" in opened.warnings[0]


def test_without_echarts_the_container_says_so(open_page):
    opened = open_page(CHART + draw(), "t.js")
    assert opened.text("#c") == "This chart needs ECharts, which did not load."
    assert opened.run("made") is None


def test_an_option_that_echarts_refuses_is_told_in_place(open_page, echarts):
    opened = open_page(CHART + draw("{series: [{type: 'bar'}]}"), "t.js", library=echarts)
    assert opened.text("#c").startswith("This chart could not be drawn: ")
    assert opened.errors == []


def test_a_disposed_chart_is_gone(open_page, echarts):
    opened = open_page(CHART + draw(), "t.js", library=echarts)
    opened.run("made.dispose()")
    assert opened.run("document.querySelectorAll('#c svg').length") == 0
    opened.run("document.documentElement.dataset.theme = 'dark'")
    assert opened.run("document.querySelectorAll('#c svg').length") == 0


@pytest.mark.parametrize(
    ("call", "shown"),
    [
        ("T.fmt(1234567.891)", "1,234,567.89"),
        ("T.fmt(1234.5, 0)", "1,235"),
        ("T.fmt(2, 2)", "2.00"),
        ("T.fmt(-3.5)", "−3.5"),
        ("T.fmt(-0.001)", "0"),
        ("T.fmt('12')", "12"),
        ("T.fmt(null)", "–"),
        ("T.fmt('')", "–"),
        ("T.fmt(NaN)", "–"),
        ("T.fmt(Infinity)", "–"),
        ("T.signed(2.5, 1)", "+2.5"),
        ("T.signed(-2.5)", "−2.5"),
        ("T.signed(0)", "0"),
        ("T.signed(0.001)", "0"),
        ("T.si(0)", "0"),
        ("T.si(950)", "950"),
        ("T.si(999.96)", "1k"),
        ("T.si(1234)", "1.2k"),
        ("T.si(-1234567)", "−1.2M"),
        ("T.si(999999)", "1M"),
        ("T.si(5.25)", "5.3"),
        ("T.si(12e9)", "12G"),
        ("T.si(undefined)", "–"),
        ("T.tone(1) === T.up", True),
        ("T.tone(-1) === T.down", True),
        ("T.tone(0) === T.muted && T.tone(null) === T.muted", True),
        ("T.series.length", 8),
        (
            "[T.good, T.critical, T.ink, T.rule, T.surface].every((c) => /^#[0-9a-f]{6}$/.test(c))",
            True,
        ),
    ],
)
def test_numbers_and_colours(open_page, call, shown):
    assert open_page("", "t.js").run(call) == shown


TABLE = """<table id="t"><thead><tr><th>Name</th><th>Size</th><th>Change</th></tr></thead><tbody>
<tr><td>b10</td><td>1.5k</td><td>−2.5%</td></tr>
<tr><td>a</td><td>–</td><td>+1.0%</td></tr>
<tr><td>b9</td><td>$900</td><td>10%</td></tr>
</tbody></table><script>T.sortable("t");</script>"""


def column(opened, number: int) -> list[str]:
    return opened.run(
        f"[...document.querySelectorAll('#t tbody tr')].map((r) => r.cells[{number}].textContent)"
    )


def test_tables_sort_by_their_headings(open_page):
    opened = open_page(TABLE, "t.js")
    opened.page.click("th >> nth=0 >> button")
    assert column(opened, 0) == ["a", "b9", "b10"]
    opened.page.click("th >> nth=1 >> button")
    assert column(opened, 1) == ["$900", "1.5k", "–"]
    opened.page.click("th >> nth=1 >> button")
    assert column(opened, 1) == ["1.5k", "$900", "–"]
    assert opened.run("[...document.querySelectorAll('th')].map((h) => h.ariaSort)") == [
        None, "descending", None,
    ]  # fmt: skip
    opened.page.focus("th >> nth=2 >> button")
    opened.page.keyboard.press("Enter")
    assert column(opened, 2) == ["−2.5%", "+1.0%", "10%"]


def test_what_is_no_table_warns(open_page):
    opened = open_page("<table id='t'><tr><td>1</td></tr></table>", "t.js")
    assert opened.run("T.sortable('t')") is None
    assert opened.run("T.sortable('nowhere')") is None
    assert len(opened.warnings) == 2
