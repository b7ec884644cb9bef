"""Secrets stay hidden wherever a text is cut."""

import pytest

from generator.recall.veil import Veil
from generator.settings_edits import set_setting

KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.fixture
def veil(workspace):
    return Veil(workspace)


def test_a_text_is_shown_without_its_secrets(veil):
    shown = veil.hide(f"use {KEY} to push")
    assert KEY not in shown
    assert shown.startswith("use [masked:")
    assert shown.endswith(" to push")


def test_a_cut_through_a_secret_shows_no_part_of_it(veil):
    text = f"use {KEY} to push"
    for cut in range(len(text) + 1):
        head, tail = veil.window(text, 0, cut), veil.window(text, cut, len(text))
        assert KEY[:6] not in head
        assert KEY[-6:] not in tail


def test_windows_side_by_side_lose_nothing(veil):
    text = "".join(chr(0x4E00 + i) for i in range(500))
    assert "".join(veil.window(text, at, at + 7) for at in range(0, 500, 7))[:500] == text


def test_an_excerpt_keeps_head_and_tail_and_tells_how_much_is_left_out(veil):
    text = "".join(str(i % 10) for i in range(1000))
    cut, was_cut = veil.excerpt(text, 300)
    assert was_cut
    assert cut.startswith(text[:200])
    assert cut.endswith(text[-100:])
    assert "[... 700 characters left out ...]" in cut
    assert veil.excerpt("short", 300) == ("short", False)


def test_texts_that_are_allowed_stay(workspace):
    set_setting(workspace.home, "site.allow_secrets", f'["{KEY}"]')
    assert KEY in Veil(workspace).hide(f"use {KEY}")
