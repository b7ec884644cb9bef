"""Recalled text stays inside its frame and inside its budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.recall.quoting import fair_shares, one_line, quote


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


@given(st.lists(st.integers(0, 10_000), max_size=30), st.integers(0, 50_000))
def test_shares_never_pass_the_budget_and_leave_none_unused(sizes, budget):
    shares = fair_shares(sizes, budget)
    assert sum(shares) <= budget
    assert all(share <= size for share, size in zip(shares, sizes, strict=True))
    if sum(sizes) <= budget:
        assert shares == sizes
