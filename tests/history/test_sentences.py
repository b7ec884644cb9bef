"""Sentences are cut where readers cut them, and the ones that say most come first."""

import pytest

from generator.history.sentences import centrality, say_the_same, split_sentences, terms_of


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It works now. The cache was stale!", ["It works now.", "The cache was stale!"]),
        (
            "已經修好了，問題在快取。明天再部署一次！",
            ["已經修好了，問題在快取。", "明天再部署一次！"],
        ),
        (
            "他說：「明天部署。」然後就離開辦公室了。",
            ["他說：「明天部署。」", "然後就離開辦公室了。"],
        ),
        (
            "用 Redis 7.2.1 版本就好. 其他的都不用改動。",
            ["用 Redis 7.2.1 版本就好.", "其他的都不用改動。"],
        ),
        (
            "Use v1.2 of e.g. the parser. Then run it.",
            ["Use v1.2 of e.g. the parser.", "Then run it."],
        ),
        ("Mr. Smith agreed. See fig. 3 there.", ["Mr. Smith agreed.", "See fig. 3 there."]),
        ("- first point here\n- second point here", ["first point here", "second point here"]),
        (
            "A line that is\nwrapped by hand. Next one.",
            ["A line that is wrapped by hand.", "Next one."],
        ),
        ("# Heading of it\n\nThe text below.", ["The text below."]),
        (
            "Before code.\n```py\nx = 1. y = 2.\n```\nAfter the code.",
            ["Before code.", "After the code."],
        ),
        ("Open fence.\n```\nnever closed. really not.", ["Open fence."]),
        ("| a | b |\n|---|---|\nA sentence of text.", ["A sentence of text."]),
        ("Ok.\nYes.", []),
        ("", []),
    ],
)
def test_text_is_cut_into_sentences(text, sentences):
    assert split_sentences(text) == sentences


def test_what_all_speak_of_weighs_most():
    sentences = [
        "The release failed because the cache was stale.",
        "Clearing the stale cache repaired the release.",
        "Lunch is at noon.",
    ]
    weights = centrality([terms_of(sentence) for sentence in sentences])
    assert max(weights) <= 1
    assert weights[2] == min(weights)


def test_a_focus_lifts_what_speaks_of_it():
    terms = [
        terms_of(text) for text in ("the cache was stale", "the cache is warm", "lunch at noon")
    ]
    assert centrality(terms, terms_of("lunch"))[2] > centrality(terms)[2]


def test_repetition_is_seen_across_scripts_and_word_order():
    same = say_the_same
    assert same(terms_of("部署流程已經更新"), terms_of("部署流程已经更新"))
    assert same(terms_of("The build is green again"), terms_of("Again the build is green."))
    assert same(terms_of("stale cache found"), terms_of("found it: the old cache was very stale"))
    assert not same(terms_of("The cache was stale"), terms_of("The disk was full"))


def test_a_huge_text_takes_no_more_than_its_length():
    assert len(split_sentences("A short sentence. " * 20_000)) == 20_000
    assert split_sentences("x" * 200_000) == ["x" * 200_000]
