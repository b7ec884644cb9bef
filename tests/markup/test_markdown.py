"""Markdown to HTML: the extensions, escaped raw HTML, anchors, findings with lines."""

import pytest

from generator.markup.markdown import Options, render_markdown


def html(source, **options):
    return render_markdown(source, Options(**options)).html


@pytest.mark.parametrize(
    ("source", "holds"),
    [
        ("<script>alert(1)</script>", "&lt;script&gt;"),
        ("a <b onclick=x>", "&lt;b onclick=x&gt;"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
        ("~~a~~", "<s>a</s>"),
        ("|a|\n|:-:|\n|1|", '<th class="align-center">a</th>'),
        ("a[^1]\n\n[^1]: b", 'class="footnotes"'),
        ("T\n: d", "<dd>d</dd>"),
        ("- [x] a", '<input aria-label="done" '),
        ('!!! note "Hey"\n    b', '<p class="admonition-title">Hey</p>'),
        ("$x^2$", '<span class="math"><math><msup>'),
        ("from $5 to $10", "<p>from $5 to $10</p>"),
        ("$$\nx\n$$", '<math display="block">'),
        ("https://a.org/x", '<a href="https://a.org/x">'),
        ("see a.org", "<p>see a.org</p>"),
        ("```python\ndef f(): 1\n```", '<span class="k">def</span>'),
        ("```nonsense\n<a>\n```", "<code>&lt;a&gt;\n</code>"),
        ('```"><script>\nx\n```', 'data-language="&quot;&gt;&lt;script&gt;"'),
        ("    <a>\n", '<pre class="code" tabindex="0"><code>&lt;a&gt;\n</code></pre>'),
    ],
)
def test_the_extensions(source, holds):
    assert holds in html(source)


def test_anchors_in_any_script_are_unique():
    rendered = render_markdown("## 部署 流程\n\n## `write_error` now!\n\n## 部署 流程\n\n## ???\n")
    assert [heading.anchor for heading in rendered.headings] == [
        "部署-流程", "write_error-now", "部署-流程-1", "section",
    ]  # fmt: skip
    assert [heading.text for heading in rendered.headings][1] == "write_error now!"


def test_a_prefix_keeps_two_texts_on_one_page_apart():
    made = html("## A\n\nx[^1]\n\n[^1]: y\n", anchor_prefix="one-")
    assert 'id="one-a"' in made
    assert 'id="fnref-one-1"' in made


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a\n\n$$\n\\frac{a}\n$$\n", 13),
        ("a\nb $\\nope$\n", 11),
        ("a\n\n> q\n> $\\nope$\n", 13),
    ],
)
def test_bad_tex_is_a_finding_at_its_line(source, line):
    rendered = render_markdown(source, Options(first_line=10))
    assert [finding.line for finding in rendered.findings] == [line]
    assert "not valid TeX" in rendered.findings[0].message
    assert "\\" in rendered.html  # the source is shown


def test_a_code_span_can_link():
    made = html("`a` [`a`](x) `b`", code_link={"a": "a.html"}.get)
    assert made == (
        '<p><a href="a.html"><code>a</code></a> <a href="x"><code>a</code></a> <code>b</code></p>\n'
    )


def test_plain_text_has_no_marks():
    text = render_markdown("## *A* `b`\n\nx **y**\nz\n\n```\ncode\n```\n").text
    assert text == "A b\nx y z\ncode"


@pytest.mark.parametrize("source", ["> " * 500 + "a", "*" * 20_000, "[" * 5_000, "- " * 300 + "a"])
def test_hostile_nesting_ends(source):
    assert isinstance(html(source), str)


def test_deep_lists_keep_every_level() -> None:
    levels = "\n".join("  " * depth + f"- level{depth}" for depth in range(45))
    rendered = render_markdown(levels)
    assert rendered.findings == ()
    assert [f"level{depth}" in rendered.html for depth in range(45)] == [True] * 45


@pytest.mark.parametrize(
    ("text", "line"), [("text\n\n" + "> " * 3000 + "x", 3), ("- " * 400 + "x", 1)]
)
def test_what_is_nested_too_deep_is_told_not_lost(text: str, line: int) -> None:
    (found,) = render_markdown(text).findings
    assert (found.rule, found.severity, found.line) == ("nesting", "error", line)
