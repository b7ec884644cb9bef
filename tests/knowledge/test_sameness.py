from __future__ import annotations

import pytest

from generator.knowledge.sameness import is_near, normalise_fact


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Deploys happen on Tuesday.", "deploys  happen on tuesday"),
        ("The port is 8080", 'the port is "8080"!'),
        ("部署時間是週二，九點。", "部署時間是週二 九點"),
        ("部署 時間 是週二", "部署時間是週二。"),
        ("ＡＰＩ 版本是 2", "api 版本是2"),
        ("Mia (design) prefers tea", "Mia design, prefers tea"),
    ],
)
def test_case_spacing_width_and_sentence_marks_make_no_other_fact(left: str, right: str) -> None:
    assert normalise_fact(left) == normalise_fact(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The parser is written in C", "The parser is written in C++"),
        ("The factor is 1.5", "The factor is 15"),
        ("The offset is -5", "The offset is 5"),
        ("Config lives in a/b", "Config lives in ab"),
        ("Uses node.js", "Uses nodejs"),
        ("部署時間是週二", "部署時間是週三"),
    ],
)
def test_marks_inside_words_and_other_words_make_another_fact(left: str, right: str) -> None:
    assert normalise_fact(left) != normalise_fact(right)


@pytest.mark.parametrize(
    ("left", "right", "near"),
    [
        ("The deploy window is Tuesday at 9:00", "The deploy window is Wednesday at 10:00", True),
        ("Mia prefers dark mode", "Mia prefers dark mode in every editor", True),
        ("部署時間是週二早上九點", "部署時間是週三早上十點", True),
        ("The staging database is postgres 15", "Mia prefers dark mode", False),
        ("The API key is rotated monthly", "The door code is rotated weekly", False),
        ("部署時間是週二", "米婭喜歡深色主題", False),
        ("Tests run with pytest", "Docs build with sphinx", False),
    ],
)
def test_near_facts_share_most_words(left: str, right: str, near: bool) -> None:
    assert is_near(normalise_fact(left), normalise_fact(right)) is near
