"""The quick reading of a text agrees with the parser, on everything."""

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.markup.markdown import heading_blocks, verbatim_lines
from generator.markup.outline import _scan, outline

PIECES = st.sampled_from(
    [
        "## A", "# B #", "### C ##", "##", "#tag", "#", "####### seven", "##\tTab", "## a \\#", "## #",
        "```", "```python", "~~~", "````", "~~~ `x`", "``` `x`", " ```", "  ```js", "    ```",
        "text", "text ## no", "`code", "", " ", "- item", "  more", "    deep", "\tdeep", "1. one",
        "   three", "> quote", "> ## quoted", "- ## item", "---", "===", "- - -", "***", "| a | b |",
        "|---|---|", "| # | b |", "$$", "$$ x $$", "<div>", "</div>", "<!--", "-->", "[a]: b", "[^1]: n",
        "[a]:", '"title', '!!! note "x"', "Term", ": def", "* * *", "+ x", "\\```", "\u00a0## x", "a\u2028## b",
        "##\u00a0x", "部署", "## 部署", "[x](one.md)", "    [x](one.md)", "-", "=", "1)", "- ", "  ## two",
    ]
)  # fmt: skip


@settings(max_examples=1500, deadline=None)
@given(st.lists(PIECES, max_size=12).map("\n".join), st.sampled_from(["", "\n", "\n\n"]))
def test_the_scan_agrees_with_the_parser(text, end):
    text += end
    found = _scan(text)
    if found is not None:
        assert list(found.headings) == heading_blocks(text)
        written = [number for number, line in enumerate(text.split("\n")) if line.strip()]
        parsed = verbatim_lines(text)
        assert [n for n in written if n in found.verbatim] == [n for n in written if n in parsed]


def test_ordinary_guides_take_the_quick_way():
    text = "## A\n\n- item\n  more\n\n```python\n# comment\n```\n\n| a |\n|---|\n\n1. one\n   two\n"
    found = _scan(text)
    assert found is not None
    assert [block.text for block in found.headings] == ["A"]
    assert found.verbatim == {5, 6, 7}


def test_a_definition_takes_any_line_for_its_term():
    assert outline("#tag\n: def\n## A\n: def").headings == ()


def test_hard_texts_go_to_the_parser():
    text = "> ## Quoted\n\nTitle\n---\n"
    assert _scan(text) is None
    assert [block.text for block in outline(text).headings] == ["Quoted", "Title"]
