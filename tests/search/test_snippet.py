"""Snippets show what was found, marked, on one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.search import parse_query
from generator.search.plan import plan_term
from generator.search.results import Snippet
from generator.search.snippet import WIDTH, make_snippet


def cut(text: str, query: str) -> Snippet:
    return make_snippet(text, [plan_term(term) for term in parse_query(query)])


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        ("deploy the service", "service", "deploy the [service]"),
        ("Deployed it", "deploy", "[Deployed] it"),
        ("new\n\n  line here", "line", "new [line] here"),
        ("我们的部署流程", "部署", "我们的[部署]流程"),
        ("錯誤重試三次", "错误", "[錯誤]重試三次"),
        ("the ＡＰＩ key", "api", "the [ＡＰＩ] key"),
        ("getUserName()", "user", "get[User]Name()"),
        ("both one and two", "two one", "both [one] and [two]"),
        ("in /srv/paperboat/src", "paper boat", "in /srv/[paperboat]/src"),
        ("connection reset by peer", '"reset by"', "connection [reset by] peer"),
        ("reset, by the way", '"reset by"', "[reset, by] the way"),
        ("use c++ here", "c++", "use [c++] here"),
        ("nothing of it", "else", "nothing of it"),
        ("un café noir", "cafe", "un [café] noir"),
        ("Ἀθῆναι, the cafe", "Αθηναι café", "[Ἀθῆναι], the [cafe]"),
    ],
)
def test_marks(text: str, query: str, expected: str) -> None:
    assert cut(text, query).marked("[", "]") == expected


def test_long_texts_are_cut_around_what_was_found() -> None:
    text = "filler words go on " * 100 + "the needle is here " + "and on it goes " * 100
    snippet = cut(text, "needle")
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert "the **needle** is here" in snippet.marked()
    assert len(snippet.text) <= WIDTH + 2


def test_the_part_that_shows_most_words_is_chosen() -> None:
    text = "alpha " + "x " * 300 + "alpha beta gamma" + " y" * 300
    assert cut(text, "alpha beta gamma").marked("[", "]").count("[") == 3


@given(st.text(max_size=300), st.text("abcé部ßİ. ", min_size=1, max_size=5))
def test_any_text_gives_one_line_with_marks_in_it(text: str, query: str) -> None:
    if not query.strip():
        return
    snippet = cut(text + query + text, query)
    assert "\n" not in snippet.text
    last = 0
    for start, end in snippet.marks:
        assert last <= start < end <= len(snippet.text)
        last = end
