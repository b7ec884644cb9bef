"""Markdown to a page: proved, offline, the same bytes, every fault with its line."""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from generator.exceptions import RenderError
from generator.markup import charts, diagrams, figures
from generator.reports.checker import check_page
from generator.reports.render import draft_report, render_report

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "reports"
FULL = (FIXTURES / "full.md").read_text(encoding="utf-8")


def page(text: str, folder: Path = FIXTURES) -> str:
    return render_report(text, folder=folder).html


def body(text: str, folder: Path = FIXTURES) -> str:
    return re.search(r"<main.*?>(.*)</main>", page(text, folder), re.DOTALL)[1]


def faults(text: str, folder: Path = FIXTURES) -> list[tuple[str, int]]:
    with pytest.raises(RenderError) as caught:
        render_report(text, folder=folder)
    return [(found.rule, found.line) for found in caught.value.findings]


def test_the_full_sample_passes_the_rules_without_a_word():
    report = render_report(FULL, folder=FIXTURES)
    assert check_page(report.html) == []
    assert report.findings == ()
    assert report.title == "Harbour ferries in 2025"


def test_bytes_are_the_same_each_time():
    assert page(FULL) == page(FULL)
    assert page(FULL) == page("\ufeff" + FULL.replace("\n", "\r\n"))


def test_every_kind_of_block_is_there():
    html = page(FULL)
    for part in (
        "<h1>Harbour ferries in 2025</h1>",
        '<p class="lead">North carried almost all',
        "<span>2026-05-04</span>",
        '<figure class="figure chart',
        "<summary>Data of this chart</summary>",
        '<figure class="figure diagram',
        '<div class="math" tabindex="0"><math display="block">',
        '<div class="admonition warning">',
        '<section class="footnotes">',
        '<input aria-label="done"',
        "<dt>Load factor</dt>",
        '<span class="k">def</span>',
        '<nav class="contents"',
        '<a href="#decisions">',
        'src="data:image/png;base64,',
        '<div class="table" role="region"',
        "&lt;script&gt;alert(",
    ):
        assert part in html, part


def test_the_title_heading_is_not_shown_twice():
    html = page(FULL)
    assert html.count("<h1") == 1
    assert page("# A *b* `c`\n\ntext").count("<h1>A <em>b</em> <code>c</code></h1>") == 1
    assert "<title>A b c</title>" in page("# A *b* `c`\n\ntext")


@pytest.mark.parametrize(
    ("text", "title", "headings"),
    [
        ("---\ntitle: Given\n---\n# Other\n", "Given", ["Given", "Other"]),
        ("text first\n\n# Later\n", "Report", ["Report", "Later"]),
        ("no heading", "Report", ["Report"]),
        ("---\ntitle: 2026\ndate: 2026-05-01\n---\nx", "2026", ["2026"]),
        ("Under\n=====\n\nx", "Under", ["Under"]),
    ],
)
def test_where_the_title_comes_from(text, title, headings):
    report = render_report(text, folder=FIXTURES)
    assert report.title == title
    shown = re.findall(r"<h1[^>]*>(.*?)</h1>", report.html)
    assert [re.sub(r"<[^>]+>", "", heading) for heading in shown] == headings


def test_all_faults_are_found_at_once_with_their_lines():
    text = (FIXTURES / "broken.md").read_text(encoding="utf-8")
    assert faults(text) == [
        ("chart", 10),
        ("chart", 20),
        ("formula", 26),
        ("diagram", 29),
        ("formula", 35),
        ("image", 38),
    ]


def test_a_draft_shows_what_is_broken_as_its_source():
    text = (FIXTURES / "broken.md").read_text(encoding="utf-8")
    draft = draft_report(text, folder=FIXTURES)
    assert sorted(found.line for found in draft.findings) == [10, 20, 26, 29, 35, 38]
    page = BeautifulSoup(draft.html, "html.parser")
    assert page.find("meta", attrs={"http-equiv": "Content-Security-Policy"})
    assert {block["data-language"] for block in page.select("main pre.code")} >= {
        "vega-lite",
        "mermaid",
    }


def test_a_broken_front_matter_does_not_hide_the_rest():
    found = faults("---\ntitle: [\n---\n\n$\\frac{1}$\n")
    assert [rule for rule, _ in found] == ["front-matter", "formula"]
    assert found[1] == ("formula", 5)
    assert [rule for rule, _ in faults("---\nnever: closed\n\n$\\frac{1}$\n")] == [
        "front-matter",
        "formula",
    ]


def test_messages_are_sentences_without_escape_codes():
    with pytest.raises(RenderError) as caught:
        page("$\\frac{1}$ $\\nonsense$")
    for found in caught.value.findings:
        assert "\x1b" not in found.message
        assert found.message.endswith(".")
        assert found.fix.endswith(".")


def test_a_secret_is_named_by_kind_and_line_and_not_shown():
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    with pytest.raises(RenderError) as caught:
        page(f"# T\n\nToken {secret}\n")
    found = caught.value.findings[0]
    assert (found.rule, found.line) == ("secret", 3)
    assert secret not in found.message


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script> <img src=x onerror=alert(1)>",
        '<div onclick="alert(1)">x</div>\n\n<iframe src="https://e.example"></iframe>',
        "[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [z](vbscript:x) [w](data:text/html,x)",
        "<javascript:alert(1)>",
        "![x](javascript:alert(1))",
        "{{ user.name }} {% if x %} {{{x}}} {{x{{y}} }}",
        "# {{ title }} and {% x %}\n\ntext",
        "---\ntitle: '{{ t }}'\nsummary: '{% s %}'\nauthor: '{{ a }}'\n---\n## {{ h }}\n## b\n## c",
        "`{{ code }}`\n\n```jinja\n{% for x in y %}{{ x }}{% endfor %}\n```",
        "| {{ a }} | b |\n|---|---|\n| {{ c }} | {% d %} |",
        '[l](https://example.com/{{x}} "t {{ y }}") ![alt {{ z }}](harbour.png "t {{ w }}")',
        "Term {{ t }}\n:   {{ d }}\n\n[^1]\n\n[^1]: {{ note }}",
        "a {*{* b {&#123; c &#123;&#123; d &#x7b;{ e }}",
        '```mermaid\nflowchart TD\n A{{"{{ hex }}"}} --> B\n```',
        '```vega-lite\n{"data": {"values": [{"a": "{{ x }}", "b": 1}]}, "mark": "bar", '
        '"description": "{{ d }}", "encoding": {"x": {"field": "a"}, "y": {"field": "b", '
        '"type": "quantitative"}}}\n```',
        "```html\n<!doctype html><html></html>\n```\n\nHope this helps!",
        "eval('x') innerHTML document.write(x) new Function('x')",
        "</main></div></body></html><script>x</script> <!-- x",
        "&lt;script&gt; &amp; &#0; \x00 \x0b \ufffe",
        "# Reading\n\n## Contents\n\n## fn1\n\n[^1]\n\n[^1]: n",
    ],
)
def test_hostile_text_is_text(text):
    report = render_report(text, folder=FIXTURES)
    assert [found for found in report.findings if found.severity == "error"] == []
    html = report.html.replace("{<!-- -->{", "{{")
    main = html[html.index("</style>") : html.index("<script>/* QuickUI")]
    assert not re.search(
        r"<(script|iframe)\b|<[^>]*\son\w+=|href=\"(javascript|vbscript|data):", main
    )
    assert "javascript:alert" not in re.sub(r">[^<]*<", "><", main)


def test_deep_and_long_text_ends():
    for mark in ("> ", "- "):
        assert "deep" in page(mark * 45 + "deep")
        assert faults("text\n\n" + mark * 300 + "deep") == [("nesting", 3)]
    page("*a **b " * 3000)
    page("[" * 5000)
    page("x" * 1_000_000)


def test_an_image_is_taken_from_the_folder_and_nowhere_else(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "deep").mkdir()
    png = (FIXTURES / "harbour.png").read_bytes()
    (tmp_path / "in" / "deep" / "名 a.png").write_bytes(png)
    (tmp_path / "out.png").write_bytes(png)
    (tmp_path / "in" / "link.png").symlink_to(tmp_path / "out.png")
    (tmp_path / "in" / "text.png").write_text("no picture")
    folder = tmp_path / "in"
    assert 'src="data:image/png;base64,' in page("![a](<deep/名 a.png>)", folder)
    for name in ("../out.png", "link.png", "/etc/passwd", "text.png", "none.png", "deep"):
        assert faults(f"text\n\n![a]({name})", folder) == [("image", 3)], name
    assert [rule for rule, _ in faults("![a](file:///etc/passwd) $\\x$", folder)] == ["formula"]


def test_an_svg_image_cannot_run_in_the_page(tmp_path):
    (tmp_path / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg"><script>x</script></svg>'
    )
    assert '<img src="data:image/svg+xml;base64,' in page("![a](a.svg)", tmp_path)


def test_an_image_on_the_web_becomes_a_link_and_a_warning():
    report = render_report("![The pier](https://example.com/a.png)", folder=FIXTURES)
    assert '<a href="https://example.com/a.png">The pier</a>' in report.html
    assert [(found.rule, found.severity, found.line) for found in report.findings] == [
        ("image", "warning", 1)
    ]


def test_without_the_extra_the_source_is_shown_with_a_note(monkeypatch):
    monkeypatch.setattr(figures, "charts_available", lambda: False)
    monkeypatch.setattr(figures, "diagrams_available", lambda: False)
    html = body('```vega-lite\n{"mark": }\n```\n\n```mermaid\nflowchart TD\n```\n')
    assert "<svg" not in html
    assert html.count("fieldguide[charts]") == 2
    assert "flowchart TD" in html
    assert charts.charts_available()
    assert diagrams.diagrams_available()


def test_contents_can_be_left_out_and_are_not_made_for_short_texts():
    assert "<nav" in page("## a\n## b\n## c")
    assert "<nav" not in page("---\ntoc: false\n---\n## a\n## b\n## c")
    assert "<nav" not in page("## a\n## b")


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("plain", "en"),
        ("渡轮乘客在二〇二五年增加了百分之十三", "zh"),
        ("フェリーの乗客は増えました", "ja"),
        ("승객이 늘었다", "ko"),
        ("---\nlang: de\n---\nx", "de"),
    ],
)
def test_the_language_is_said(text, lang):
    assert f'<html lang="{lang}">' in page(text)


def test_an_empty_text_is_a_page_with_a_title():
    assert render_report("", folder=FIXTURES, name="nothing").title == "nothing"
