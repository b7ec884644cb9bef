"""quickui.js against what QuickUI documents, and against what QuickUI shows when it fails.

Each row of the table of known behaviour is a case here: what stands in the mount, what the page
shows. Rows that fail in QuickUI without a word must show the same and warn once.
"""

import json

import pytest

pytestmark = pytest.mark.browser

DATA = {
    "a": {"b": "deep"},
    "list": ["first", "second"],
    "name": "Ada",
    "n": 3,
    "m": 2,
    "zero": 0,
    "t": True,
    "f": False,
    "empty": "",
    "nothing": None,
    "text": "text",
    "dollar": "x $& y",
    "ts": 1_700_000_000,
    "user": {"role": "dev", "team": "core"},
    "rows": [{"name": "r1", "items": ["i1", "i2"]}, {"name": "r2", "items": ["i3"]}],
    "url": "https://example.invalid/x.png",
    "markup": "<b id=bold>bold</b>",
}


def mount(inside: str, options: str = "", data: object = None) -> str:
    data = json.dumps(DATA if data is None else data)
    return (
        f'<div id="app">{inside}</div>'
        f'<script>window.app = new QUI({{id: "app", data: {data}, {options}}});</script>'
    )


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("{{ a.b }}", "deep"),
        ("{{a.b}} {{   n   }}", "deep 3"),
        ("{{ list.0 }}", "first"),
        ("{{ list.length }}", "2"),
        ("{{ zero }} {{ f }}", "0 false"),
        ("{{ LENGTH(list) }} {{ LENGTH(user) }}", "2 2"),
        ("{{ UPPER(name) }} {{ LOWER(name) }}", "ADA ada"),
        ("{{ CALC(n * 2) }} {{ CALC(n - 1) }}", "6 2"),
        ("{{ DATE(ts, YYYY-MM-DD) }}", "2023-11-14"),
        ("<pre>{{ n }}</pre><code>{{ n }}</code>", "3 3"),
        ("<p v-pre>{{ n }}</p><p translate=no>{{ n }}</p>", "3 3"),
        ("&#123;&#123; n &#125;&#125;", "3"),
        ("<p :if='t'>yes</p><p :if='f'>no</p>", "yes"),
        ("<p :if='text'>yes</p><p :if='nothing'>no</p><p :if='missing'>no</p>", "yes"),
        ("<p :if='n == 3'>1</p><p :if='n === 3'>2</p><p :if='n != 4'>3</p>", "1 2 3"),
        ("<p :if='n !== 3'>no</p><p :if='n > 2'>1</p><p :if='n < 2'>no</p>", "1"),
        ("<p :if='n >= 3'>1</p><p :if='n <= 3'>2</p>", "1 2"),
        ("<p :if='name == Ada'>1</p><p :if='name == Bob'>no</p>", "1"),
        ("<p :if='nothing == null'>1</p><p :if='empty == empty'>2</p>", "1 2"),
        ("<p :if='t == true'>1</p><p :if='f == false'>2</p><p :if='t == false'>no</p>", "1 2"),
        ("<p :if='f'>a</p>\n<p :else-if='t'>b</p>\n<p :else>c</p>", "b"),
        ("<p :if='f'>a</p><p :elif='f'>b</p><p :else>c</p>", "c"),
        ("<p :if='t'>a</p><p :elif='t'>b</p><p :else>c</p>", "a"),
        ("<i :for='x in list'>{{ x }} </i>", "first second"),
        ("<i :for='(key, value) in user'>{{ key }}={{ value }} </i>", "role=dev team=core"),
        ("<p :for='r in rows'>{{ r.name }}</p>", "r1 r2"),
        ("<div :for='r in rows'><i :for='x in r.items'>{{ x }} </i></div>", "i1 i2 i3"),
        ("<p :for='r in rows' :if='r.name == r2'>{{ r.name }}</p>", "r2"),
        ("<p :html='markup'></p>", "bold"),
        ("<p q-html='markup'></p>", "bold"),
        ("<p :hide='t'>hidden</p><p :hide='f'>seen</p>", "seen"),
        ("<template>{{ n }}</template>x", "x"),
    ],
)
def test_what_is_documented_works_and_says_nothing(open_page, inside, shown):
    opened = open_page(mount(inside), "quickui.js")
    assert opened.text() == shown
    assert opened.warnings == opened.errors == []


@pytest.mark.parametrize(
    ("inside", "shown"),
    [
        ("{{ list[0] }}", "{{ list[0] }}"),
        ("{{ missing }} {{ nothing }}", "{{ missing }} {{ nothing }}"),
        ("{{ n + m }}", "{{ n + m }}"),
        ("{{ t ? 1 : 2 }}", "{{ t ? 1 : 2 }}"),
        ("{{ name.trim() }}", "{{ name.trim() }}"),
        ("{{ !t }}", "{{ !t }}"),
        ("{{ n.toFixed(2) }}", "{{ n.toFixed(2) }}"),
        ("{{ a-b }} {{ 名 }}", "{{ a-b }} {{ 名 }}"),
        ("{{ n }} {{ CALC(n + m) }}", "{{ n }} {{ CALC(n + m) }}"),
        ("{{ n }} {{ CALC(n) }}", "{{ n }} {{ CALC(n) }}"),
        ("{{ n }} {{ UPPER(missing) }}", "{{ n }} {{ UPPER(missing) }}"),
        ("{{ n }} {{ UPPER(n) }}", "{{ n }} {{ UPPER(n) }}"),
        ("{{ n }} {{ DATE(ts) }}", "{{ n }} {{ DATE(ts) }}"),
        ("{{ dollar }}", "x {{ dollar }} y"),
        ("<p :if='n > m'>zero is meant</p>", "zero is meant"),
        ("<p :if='n > 1 && m > 9'>first only</p>", "first only"),
        ("<p :if='t && t'>no</p>", ""),
        ("<p :if='t || f'>no</p>", ""),
        ("<p :if='(n > 1)'>no</p>", ""),
        ("<p :if='!f'>no</p>", ""),
        ("<p :if='!(n > 5)'>no</p>", ""),
        ("<p :if='3 == n'>no</p>", ""),
        ("<p :if=\"text == 'text'\">no</p>", ""),
        ("<p :if='zero == 0'>no</p>", ""),
        ("<p :if='t and t'>no</p>", ""),
        ("<p :if='t'>a</p> words <p :else>always</p>", "a words always"),
        ("<p :if='t'>a</p><!-- x --><p :else>always</p>", "a always"),
        ("<p :for='r in missing'>{{ r.name }}</p>", "{{ r.name }}"),
        (
            "<div :for='r in rows'><i :for='x in r.items'>{{ r.name }} </i></div>",
            "{{ r.name }} {{ r.name }} {{ r.name }}",
        ),
        ("<p :hide='n > 99'>hidden by any text</p>", ""),
        ("<p :path='x.html'>stays</p>", "stays"),
    ],
)
def test_what_fails_in_silence_there_shows_the_same_and_warns_here(open_page, inside, shown):
    opened = open_page(mount(inside), "quickui.js")
    assert opened.text() == shown
    if not inside.startswith("<p :hide"):
        assert len(opened.warnings) >= 1
        assert all(warning.startswith("QuickUI: ") for warning in opened.warnings)
    assert opened.errors == []


def test_a_warning_is_given_once(open_page):
    opened = open_page(mount("<p :for='r in rows'>{{ r.missing }}</p>"), "quickui.js")
    assert len(opened.warnings) == 1


def test_ordinary_attributes_keep_their_braces_and_bound_ones_do_not(open_page):
    opened = open_page(
        mount(
            '<a id="x" title="{{ n }}" href="{{ n }}">x</a>'
            '<a id="y" :href="url" :title="name" :data-x="v-{{ n }}">y</a>'
            '<img id="z" :src="url" alt="" :width="n">'
        ),
        "quickui.js",
    )
    attribute = "([id, name]) => document.getElementById(id).getAttribute(name)"
    seen = {
        (key, name): opened.page.evaluate(attribute, [key, name])
        for key, name in [
            ("x", "title"), ("x", "href"), ("y", "href"), ("y", "title"), ("y", "data-x"),
            ("y", ":href"), ("z", "src"), ("z", "width"),
        ]
    }  # fmt: skip
    assert seen == {
        ("x", "title"): "{{ n }}",
        ("x", "href"): "{{ n }}",
        ("y", "href"): DATA["url"],
        ("y", "title"): "Ada",
        ("y", "data-x"): "v-3",
        ("y", ":href"): None,
        ("z", "src"): DATA["url"],
        ("z", "width"): "3",
    }
    assert len([w for w in opened.warnings if "keeps its braces" in w]) == 2


def test_bound_handlers_addresses_and_documents_pass_through(open_page):
    opened = open_page(
        mount(
            '<p id="x" :onclick="code">x</p><a id="y" :href="js">y</a>'
            '<iframe id="z" :srcdoc="doc"></iframe>',
            data={
                "code": "window.ran = 1",
                "js": "javascript:void(window.ran = 2)",
                "doc": "<p>in",
            },
        ),
        "quickui.js",
    )
    opened.page.click("#x")
    assert opened.run("window.ran") == 1
    opened.page.click("#y")
    opened.page.wait_for_function("window.ran === 2")
    assert opened.run("document.getElementById('z').srcdoc") == "<p>in"


def test_html_is_markup_and_its_handlers_run(open_page):
    data = {"markup": "<b id=bold onclick='window.ran = 1'>bold</b>"}
    opened = open_page(mount('<p :html="markup"></p>', data=data), "quickui.js")
    opened.page.click("#bold")
    assert opened.run("window.ran") == 1


def test_style_and_css_properties(open_page):
    opened = open_page(
        mount(
            '<style>#app p { color: {{ colour }} }</style><p :background-color="back">x</p>'
            '<textarea id="area">{{ colour }}</textarea>'
            '<script type="application/json" id="data">{"c": "{{ colour }}"}</script>'
            '<script id="ran">window.kept = "{" + "{ colour }}";</script><!-- {{ colour }} -->',
            data={"colour": "rgb(1, 2, 3)", "back": "rgb(4, 5, 6)"},
        ),
        "quickui.js",
    )
    style = opened.run(
        "(s => [s.color, s.backgroundColor])(getComputedStyle(document.querySelector('#app p')))"
    )
    assert style == ["rgb(1, 2, 3)", "rgb(4, 5, 6)"]
    assert opened.run("document.getElementById('area').value") == "rgb(1, 2, 3)"
    assert opened.run("document.getElementById('data').textContent") == '{"c": "rgb(1, 2, 3)"}'
    assert opened.run("window.kept") == "{{ colour }}"
    assert "<!-- {{ colour }} -->" in opened.run("document.getElementById('app').innerHTML")


def test_outside_the_mount_nothing_is_touched(open_page):
    opened = open_page("<p id=out>{{ n }}</p>" + mount("{{ n }}"), "quickui.js")
    assert opened.text("#out") == "{{ n }}"
    assert opened.page.title() == "{{ title }}"
    assert opened.text() == "3"


def test_braces_in_two_text_nodes_are_left(open_page):
    opened = open_page(mount("{<b></b>{ n }}"), "quickui.js")
    assert opened.text() == "{{ n }}"


def test_model_and_events(open_page):
    opened = open_page(
        mount(
            '<input id="i" :model="name"><input id="c" type="checkbox" :model="f">'
            '<select id="s" :model="text"><option>other</option><option>text</option></select>'
            "<b>{{ name }}/{{ f }}/{{ text }}</b>"
            '<button @click="grow">{{ n }}</button><button id="dead" @click="grow()">x</button>',
            "event: { grow(event) { app.data.n += 1; window.target = event.target.tagName; } }",
        ),
        "quickui.js",
    )
    assert opened.run("document.getElementById('i').value") == "Ada"
    assert opened.run("document.getElementById('s').value") == "text"
    opened.page.fill("#i", "Grace")
    opened.page.check("#c")
    opened.page.select_option("#s", "other")
    assert opened.text("b") == "Grace/true/other"
    opened.page.click("button >> nth=0")
    opened.page.click("#dead")
    assert opened.text("button >> nth=0") == "4"
    assert opened.run("window.target") == "BUTTON"
    assert any("grow()" in warning for warning in opened.warnings)


def test_data_changes_show_and_keep_focus_and_rows(open_page):
    opened = open_page(
        mount(
            '<ul><li :for="x in list">{{ x }}</li></ul><input id="i"><p :if="t">on</p>'
            "<p :else>off</p>"
        ),
        "quickui.js",
    )
    opened.page.focus("#i")
    opened.run("window.first = document.querySelector('li')")
    opened.run("app.data.list.push('third'); app.data.t = false; app.data.a.b = 'x'")
    assert opened.text() == "first second third off"
    assert opened.run("document.activeElement.id") == "i"
    assert opened.run("window.first === document.querySelector('li')")
    opened.run("app.data.list = ['only']; app.data.t = true")
    assert opened.text() == "only on"


def test_lifecycle_in_both_spellings(open_page):
    hooks = ", ".join(
        f"{name}: () => {{ (window.log ??= []).push('{name}') }}"
        for name in ("beforeRender", "rendered", "before_update", "updated", "destroyed")
    )
    opened = open_page(mount("{{ n }}", f"when: {{ {hooks} }}"), "quickui.js")
    opened.run("app.data.n = 4")
    opened.run("document.getElementById('app').remove()")
    opened.page.wait_for_function("window.log.length === 5")
    assert opened.run("window.log") == [
        "beforeRender", "rendered", "before_update", "updated", "destroyed",
    ]  # fmt: skip


@pytest.mark.parametrize("hook", ["beforeRender", "before_render"])
def test_a_hook_that_answers_false_stops(open_page, hook):
    opened = open_page(mount("{{ n }}", f"when: {{ {hook}: () => false }}"), "quickui.js")
    assert opened.text() == "{{ n }}"


def test_hooks_may_name_the_mount(open_page):
    body = (
        '<div id="app">{{ n }}</div><script>const app = new QUI({id: "app", data: {n: 1}, '
        "when: {rendered() { app.data.n = 2; }}});</script>"
    )
    opened = open_page(body, "quickui.js")
    assert opened.text() == "2"
    assert opened.errors == []


def test_once_is_not_watched(open_page):
    opened = open_page(mount("{{ n }}", "once: true"), "quickui.js")
    opened.run("app.data.n = 9")
    assert opened.text() == "3"


def test_languages(open_page):
    opened = open_page(
        mount(
            "{{ i18n.title }} {{ i18n.deep.x }}",
            "i18n: {zh: {title: '欢迎', deep: {x: 1}}, en: {title: 'Welcome', deep: {x: 2}}}",
        ),
        "quickui.js",
    )
    assert opened.text() == "欢迎 1"
    opened.run("app.lang('en')")
    opened.page.wait_for_function("document.getElementById('app').textContent === 'Welcome 2'")


def test_render_makes_the_markup(open_page):
    body = (
        '<div id="app">old</div><script>new QUI({id: "app", data: {n: 1}, '
        "render: () => '<h2>{{ n }}</h2>'});"
        "new QUI({data: {n: 2}, render: () => '<h3>{{ n }}</h3>'});</script>"
    )
    opened = open_page(body, "quickui.js")
    assert opened.text("#app h2") == "1"
    assert opened.text("h3") == "2"


def test_a_fragment_can_be_put_anywhere(open_page):
    body = (
        '<div id="there"></div><script>new QUI({data: {n: 2}, render: () => "<b>{{ n }}</b>"})'
        '.fragment().then((made) => document.getElementById("there").append(made));</script>'
    )
    opened = open_page(body, "quickui.js")
    assert opened.text("#there b") == "2"
    assert opened.run("document.querySelectorAll('b').length") == 1


@pytest.mark.parametrize(
    "script",
    [
        'new QUI({id: "nowhere", data: {n: 1}})',
        'new QUI({id: "#app", data: {n: 1}})',
        'new QUI({el: "#app", data: {n: 1}})',
        'new QUI({id: "app", data: {n: 1, when: new Date()}})',
        'new QUI({id: "app", data: {n: 1, deep: [{when: new Date()}]}})',
    ],
)
def test_nothing_is_mounted_with_one_line_on_the_console(open_page, script):
    opened = open_page(f'<div id="app">{{{{ n }}}}</div><script>{script};</script>', "quickui.js")
    assert opened.text() == "{{ n }}"
    assert len(opened.warnings) == 1


def test_a_mount_before_its_element_stays_raw(open_page):
    opened = open_page(
        "<div id=app>{{ n }}</div>",
        "quickui.js",
        head='<script>new QUI({id: "app", data: {n: 1}})</script>',
    )
    assert opened.text() == "{{ n }}"
    assert len(opened.warnings) == 1


def test_without_new_it_throws(open_page):
    body = '<div id="app">{{ n }}</div><script>QUI({id: "app", data: {n: 1}})</script>'
    opened = open_page(body, "quickui.js")
    assert opened.text() == "{{ n }}"
    assert len(opened.errors) == 1


@pytest.mark.parametrize(
    "body",
    [
        '<script type="module">new QUI({id: "app", data: {n: 1}})</script><p id="app">{{ n }}</p>',
        '<script>addEventListener("DOMContentLoaded", () => new QUI({id: "app", data: {n: 1}}))'
        '</script><p id="app">{{ n }}</p>',
        '<script>window.onload = () => new window.QUI({id: "app", data: {n: 1}})</script>'
        '<p id="app">{{ n }}</p>',
        '<div id="app">{{ n }}<script>window.runs = (window.runs ?? 0) + 1;'
        'new QUI({id: "app", data: {n: 1}})</script></div>',
    ],
)
def test_places_from_which_a_mount_works(open_page, body):
    opened = open_page(body, "quickui.js")
    opened.page.wait_for_function("document.getElementById('app').innerText.trim() === '1'")
    assert opened.run("window.runs ?? 1") == 1


def test_the_body_can_be_the_mount_also_from_its_middle(open_page):
    body = (
        '<script>document.body.id = "app"</script><p>{{ n }}</p>'
        '<script>new QUI({id: "app", data: {n: 1}})</script><p>{{ n }}</p>'
    )
    opened = open_page(body, "quickui.js")
    assert opened.text() == "1 1"


def test_two_mounts_and_a_duplicate_id(open_page):
    body = (
        '<p id="app">{{ n }}</p><p id="b">{{ n }}</p><p id="b" class="second">{{ n }}</p>'
        '<script>new QUI({id: "app", data: {n: 1}}); new QUI({id: "b", data: {n: 2}})</script>'
    )
    opened = open_page(body, "quickui.js")
    assert (opened.text("#app"), opened.text("#b >> nth=0"), opened.text(".second")) == (
        "1", "2", "{{ n }}",
    )  # fmt: skip
    assert len(opened.warnings) == 1


@pytest.mark.parametrize(
    ("inside", "kept"),
    [
        ('<div class="c"></div><i :for="x in list">{{ x }}</i>', True),
        ('<i :for="x in list">{{ x }}</i><div class="c"></div>', False),
        ('<i :if="f">no</i><div class="c"></div>', False),
        ('<i :if="t">yes</i><div class="c"></div>', True),
        ('<section><i :if="f">no</i></section><div class="c"></div>', True),
    ],
)
def test_a_chart_drawn_behind_a_loop_or_a_false_branch_is_replaced(open_page, inside, kept):
    draw = (
        "{ const box = document.querySelector('.c'); box.mark = 1;"
        "box.append(document.createElement('canvas')); }</script>"
    )
    opened = open_page(mount(inside).replace("</script>", draw), "quickui.js")
    assert opened.run("document.querySelector('.c').mark === 1") is kept
    assert (opened.warnings == []) is kept


def test_a_chart_drawn_once_rendered_stays_through_updates(open_page):
    opened = open_page(
        mount(
            '<i :for="x in list">{{ x }}</i><div class="c"></div>{{ n }}',
            "when: {rendered() { document.querySelector('.c').append("
            "document.createElement('canvas')) }}",
        ),
        "quickui.js",
    )
    opened.run("app.data.list.push('more'); app.data.n = 5")
    assert opened.run("document.querySelectorAll('.c canvas').length") == 1
    assert opened.text().endswith("5")


def test_images_load_when_they_come_into_view(open_page):
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="
    opened = open_page(
        mount(
            '<div style="height: 5000px"></div><img id="late" alt="" :lazyload="pixel" '
            'width="10" height="10">',
            data={"pixel": pixel},
        ),
        "quickui.js",
    )
    assert opened.run("document.getElementById('late').src") == ""
    opened.run("document.getElementById('late').scrollIntoView()")
    opened.page.wait_for_function("document.getElementById('late').src !== ''")


def test_an_outside_template_that_cannot_be_read_says_so(open_page):
    opened = open_page(mount('<temp :path="./nowhere.html"></temp><p>{{ n }}</p>'), "quickui.js")
    opened.page.wait_for_function("true")
    assert opened.text() == "3"
    assert any("could not be loaded" in warning for warning in opened.warnings)


def test_ten_thousand_rows_and_a_deep_page(open_page):
    data = {"rows": [{"id": n} for n in range(10_000)]}
    deep = "<div>" * 400 + "{{ rows.0.id }}" + "</div>" * 400
    opened = open_page(mount('<p :for="r in rows">{{ r.id }}</p>' + deep, data=data), "quickui.js")
    assert opened.run("document.querySelectorAll('#app > p').length") == 10_000
    opened.run("app.data.rows[9999].id = 'changed'")
    assert (
        opened.run("document.querySelector('#app > p:nth-of-type(10000)').textContent") == "changed"
    )
    assert opened.errors == []
