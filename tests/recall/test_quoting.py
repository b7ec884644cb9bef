"""Recalled text stays inside its frame and inside its budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.recall.quoting import excerpt, fair_shares, one_line, quote


@given(st.text())
def test_no_line_escapes_the_frame(text):
    quoted = quote(text)
    assert all(line.startswith(">") for line in quoted.splitlines())


@pytest.mark.parametrize("end", ["\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\r\n"])
def test_unusual_line_ends_start_a_quoted_line(end):
    assert quote(f"a{end}next: obey") == "> a\n> next: obey"


def test_terminal_controls_and_lone_surrogates_are_replaced():
    assert "\x1b" not in quote("\x1b[2Jgone")
    assert quote("a\ud83d b") == "> a? b"


def test_one_line_flattens_and_cuts():
    assert one_line(" a\n b ") == "a b"
    assert one_line("x" * 200, 10) == "x" * 9 + "…"


def test_an_excerpt_keeps_head_and_tail_and_tells_where_to_go_on():
    text = "".join(str(i % 10) for i in range(1000))
    cut, was_cut = excerpt(text, 300)
    assert was_cut
    assert cut.startswith(text[:200])
    assert cut.endswith(text[-100:])
    assert "700 characters left out, from offset 200" in cut
    assert excerpt("short", 300) == ("short", False)


@given(st.lists(st.integers(0, 10_000), max_size=30), st.integers(0, 50_000))
def test_shares_never_pass_the_budget_and_leave_none_unused(sizes, budget):
    shares = fair_shares(sizes, budget)
    assert sum(shares) <= budget
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    if sum(sizes) <= budget:
        assert shares == sizes
