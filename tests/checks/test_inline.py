"""Links and code spans: the same as the Markdown parser finds, each at its place."""

from __future__ import annotations

import time
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.checks.inline import code_spans, links
from generator.markup.markdown import parse_tokens
from generator.paths import shipped


def by_parser(text: str) -> tuple[list[str], list[str]]:
    spans, targets = [], []
    for token in parse_tokens(text):
        for child in token.children or ():
            if child.type == "code_inline":
                spans.append(child.content)
            elif child.type in ("link_open", "image"):
                key = "href" if child.type == "link_open" else "src"
                targets.append(unquote(str(child.attrGet(key))))
    return spans, sorted(targets)


def by_us(text: str) -> tuple[list[str], list[str]]:
    spans = code_spans(text)
    return [span.text for span in spans], sorted(
        unquote(link.target) for link in links(text, spans)
    )


@pytest.mark.parametrize(
    "text",
    [
        "a `b` c ``d ` e`` f ` g",
        r"\`a` b` \[x](y) [x\]](z)",
        "[a](b) ![c](d) [![e](f)](g)",
        '[a](<b c> "t") [d](e (t)) [f](g\'h)',
        "[a](b(c)d) [e](f",
        "`[a](b)` [`c`](d) [e `](f)` g",
        "[a\nb](c\nd)",
        "登记 [表](表.md#部署) `码`",
        "``a` ```b``` `c`",
    ],
)
def test_as_the_parser_reads_it(text: str) -> None:
    assert by_us(text) == by_parser(text)


@given(st.text("`[]()ab! ", max_size=30))
def test_code_spans_of_any_text(text: str) -> None:
    paragraph = f"x {text.strip()} y"
    assert by_us(paragraph)[0] == by_parser(paragraph)[0]


def test_the_shipped_guides() -> None:
    for path in sorted(shipped("guides").glob("*.md")):
        for token in parse_tokens(path.read_text().split("\n---\n", 1)[1]):
            if token.type == "inline":
                assert by_us(token.content) == by_parser_inline(token), path


def by_parser_inline(token) -> tuple[list[str], list[str]]:
    children = token.children or ()
    return (
        [child.content for child in children if child.type == "code_inline"],
        sorted(
            unquote(str(child.attrGet("href" if child.type == "link_open" else "src")))
            for child in children
            if child.type in ("link_open", "image")
        ),
    )


@pytest.mark.parametrize("piece", ["`", "[", "](", "[a](", "![", "\\", "<", "[a]: ", "` `` "])
def test_work_grows_with_the_text_and_not_faster(piece: str) -> None:
    def cost(count: int) -> float:
        text = piece * count
        start = time.process_time()
        links(text, code_spans(text))
        return time.process_time() - start

    cost(2_000)
    small, large = max(cost(20_000), 0.002), cost(200_000)
    assert large < 60 * small  # ten times the text; a hundred times would be the square
