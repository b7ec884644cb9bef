"""What a query means."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from lines import LineCollection

from generator.search import SearchIndex, Term, parse_query
from generator.search.inflections import forms, stem

Refs = Callable[..., list[str]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("one two", [Term("one"), Term("two")]),
        ("one one", [Term("one")]),
        ('say "hello  there" now', [Term("say"), Term("hello there", quoted=True), Term("now")]),
        ("“full quotes”", [Term("full quotes", quoted=True)]),
        ('half "open', [Term("half"), Term('"open')]),
        ("why does it fail?", [Term("why"), Term("does"), Term("it"), Term("fail")]),
        ("c++ 100%_ a[0]", [Term("c++"), Term("100%_"), Term("a[0]")]),
        ("部署，重试。", [Term("部署，重试")]),
    ],
)
def test_terms(query: str, expected: list[Term]) -> None:
    assert list(parse_query(query)) == expected


def test_words_match_whole_in_part_and_by_stem(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "deploys", "deploy_all", "redeployment", "deployed", "deployment")
    assert sorted(refs("deploy")) == ["a#1", "a#2", "a#4"]


def test_inside_longer_words_only_when_nothing_else(
    lines: LineCollection, index: SearchIndex, refs: Refs
) -> None:
    lines.say("a.jsonl", "username", "the user", "supername")
    assert refs("user") == ["a#2"]
    assert sorted(refs("name")) == ["a#1", "a#3"]
    assert index.search("name user").searched.inside == ("name",)


def test_a_phrase_is_words_in_a_row(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "reset by peer", "peer reset by", "reset, by\npeer", "resets by peers")
    assert sorted(refs('"reset by peer"')) == ["a#1", "a#3"]
    lines.say("b.jsonl", "部署流程 检查", "检查部署 流程")
    assert refs('"部署流程"') == ["b#1"]
    assert refs('"部署 流程"') == ["b#2", "b#1"] or refs('"部署 流程"') == ["b#1", "b#2"]


def test_a_phrase_with_marks_is_literal(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "error: timeout", "error timeout", "Error:  TimeOut")
    assert sorted(refs('"error: timeout"')) == ["a#1", "a#3"]


def test_everything_else_is_literal(lines: LineCollection, refs: Refs) -> None:
    lines.say(
        "a.jsonl",
        "c++ and c",
        "plain c",
        "100%_done",
        "100 done",
        "foo(bar)",
        "foo bar",
        "a[0] = 1",
    )
    assert refs("c++") == ["a#1"]
    assert refs("100%_") == ["a#3"]
    assert refs("foo(bar)") == ["a#5"]
    assert refs("a[0]") == ["a#7"]
    assert refs("a_b") == []
    assert refs("%") == ["a#3"]


def test_bare_marks_beside_words_are_told(lines: LineCollection, index: SearchIndex) -> None:
    lines.say("a.jsonl", "x -> y", "z ->")
    results = index.search("x ->")
    assert [hit.ref for hit in results.hits] == ["conversation:a#1"]
    assert results.searched.ignored == ("->",)
    assert index.search("->").total == 2


def test_hostile_queries_are_only_queries(lines: LineCollection, index: SearchIndex) -> None:
    lines.say("a.jsonl", "message")
    for query in (
        "*",
        "a*",
        "text:a",
        "((",
        "AND OR NOT",
        "\\",
        "^~",
        "\ud83d",
        "x" * 100_000,
        "\0",
    ):
        assert index.search(query).total >= 0
    assert index.search("text:message").total == 0
    assert index.search("mess*").total == 0


def test_what_is_missing_is_told(lines: LineCollection, index: SearchIndex) -> None:
    lines.say("a.jsonl", "here")
    assert index.search("here nowhere").searched.missing == ("nowhere",)


WORDS = (
    "run runs running stop stopped stops stopping retry retries retried retrying cache caches cached "
    "caching fix fixes fixed fixing process processes processed processing class classes address "
    "status statuses test tests tested testing string strings need needed speed shared share sharing "
    "log logs logged logging error errors index indexes indexed indexing file files add adds added "
    "adding commit commits committed committing merge merged merges merging see seeing agree agreed "
    "news this is was bus buses size sizes sized sizing type types typed typing"
).split()


def test_forms_are_the_words_with_one_stem() -> None:
    for word in WORDS:
        alike = {other for other in WORDS if stem(other) == stem(word)}
        assert alike <= set(forms(word))
        assert all(stem(form) == stem(word) for form in forms(word))
        assert forms(word)[0] == word


@pytest.mark.parametrize(
    ("one", "other"),
    [("running", "run"), ("retries", "retry"), ("cached", "caching"), ("committed", "commits")],
)
def test_inflections_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("news", "new"), ("string", "str"), ("speed", "spe")])
def test_others_do_not(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_rows_of_words_are_found_at_the_end_of_a_giant(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "word " * 70_000 + "部署流程 in a_b_c ends", "部署程流 a_b b_c")
    for query in ("部署流程", "a_b_c", '"in a_b_c ends"', "ends"):
        assert refs(query) == ["a#1"]
    assert refs('"ends in"') == []


def test_a_chinese_question_finds_by_its_pairs_when_it_stands_nowhere(lines, index, refs):
    lines.write(
        "a.jsonl",
        {"text": "把負載權重撥回去之後，網站的登入就正常了"},
        {"text": "今天的會議改到下午三點"},
        {"text": "登入"},
    )
    results = index.search("上個月更新網站之後為什麼登入不了")
    assert results.hits[0].ref == "conversation:a#1"
    assert results.searched.missing == ("上個月更新網站之後為什麼登入不了",)
    assert not results.complete
    assert refs('"上個月更新網站之後為什麼登入不了"') == []  # a phrase stays one
    assert refs("登入頁") == []  # a word that stands nowhere is not cut
    assert refs("今天的會議改到") == ["a#2"]  # what stands somewhere is not cut either


def test_accents_do_not_matter_and_count(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "we met in the cafe", "we met in the café", "das Cafeé", "nothing")
    assert refs("café") == ["a#2", "a#1"]
    assert set(refs("cafe")) == {"a#1", "a#2"}
    assert set(refs('"the café"')) == {"a#1", "a#2"}
    assert set(refs("cafè")) == {"a#1", "a#2"}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Søren und Łukasz", "soren"),
        ("naïve résumés", "resume"),
        ("Ἀθῆναι", "αθηναι"),
        ("Ελλάδα", "ΕΛΛΑΔΑ"),
        ("ёлка", "елка"),
        ("Phở ở Đà Nẵng", "da nang"),
        ("notes/café_list.md", "cafe_list"),
        ("parseCaféFile", "CafeFile"),
        ("cafe\u0301 au lait", "café"),
        ("ｃａｆé", "cafe"),
        ("crème brûlée, 100%", '"creme brulee"'),
        ('a "crème-brûlée" b', "creme-brulee"),
    ],
)
def test_words_are_found_without_their_accents(
    lines: LineCollection, refs: Refs, text: str, query: str
) -> None:
    lines.say("a.jsonl", text, "мой й ї")
    assert "a#1" in refs(query)


def test_letters_of_their_own_are_not_folded(lines: LineCollection, refs: Refs) -> None:
    lines.say("a.jsonl", "мой дом", "мои дома", "が", "か")
    assert refs("мои") == ["a#2"]
    assert refs("мой") == ["a#1"]
    assert refs("が") == ["a#3"]
