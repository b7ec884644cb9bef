"""Text joined from pieces of several possibilities."""

from __future__ import annotations

from generator.reports.javascript.joining import joined
from generator.reports.javascript.strings import LONGEST
from generator.reports.javascript.values import MOST, UNKNOWN, Known, Text

A_OR_B = (Known("a"), Known("b"))


def test_every_combination() -> None:
    assert joined([A_OR_B, (Known(1),)]) == (Known("a1"), Known("b1"))


def test_what_is_unknown_is_a_hole() -> None:
    assert joined([(Known("a"),), (UNKNOWN,), (Known("b"),)]) == (Text(("a", "b")),)


def test_too_many_combinations_are_holes() -> None:
    assert MOST < 2**5
    assert joined([A_OR_B] * 5) == (Text(("",) * 6),)


def test_very_long_text_is_unknown() -> None:
    assert joined([(Known("a" * LONGEST),), (Known("b"),)]) == (UNKNOWN,)
