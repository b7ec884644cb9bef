"""A number and its noun agree, everywhere that one is said."""

import pytest

from generator.counting import counted


@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 sessions"), (1, "1 session"), (2, "2 sessions"), (125306, "125,306 sessions")],
)
def test_a_noun_agrees_with_its_number(number, told):
    assert counted(number, "session") == told


def test_the_form_for_many_may_be_any():
    assert counted(1, "entry", "entries") == "1 entry"
    assert counted(3, "entry", "entries") == "3 entries"
