"""What texts are cut into."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generator.search import analysis, scripts
from generator.search.analysis import LAST_PLACE, chunks, collect, required, width
from generator.search.blocks import pack_postings, token_key, unpack_bucket, unpack_value
from generator.search.engine import bucket_key
from generator.search.folding import fold_case, fold_script

ALPHABET = (
    "abcXYZ0129 _-./:@#'=&%+~$>\\\n\t()[]{},;!?*é\u0301ßİ"
    "部署流程錯误の一カﾊﾞー한국ＡＰ１，。😀→ω我Ж\u0939\u093f\ud83d"
)
TEXTS = st.text(st.sampled_from(ALPHABET), max_size=60) | st.text(max_size=40)


def tokens(text: str, base: int = 0) -> dict[str, list[int]]:
    postings: defaultdict[str, list[int]] = defaultdict(list)
    collect(text, postings, base)
    return dict(postings)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("snake_case", "snake snake_case case"),
        ("parseXmlFile", "parsexmlfile parse parsexml xml xmlfile file"),
        ("HTTPServer", "httpserver http server"),
        ("os.path", "os os.path path"),
        ("/usr/lib", "usr usr/lib lib"),
        ("std::sort", "std std::sort sort"),
        ("部署流程", "部 署 流 程 部署 署流 流程"),
        ("Redis缓存", "redis redis缓 缓 存 缓存"),
        ("ＡＰＩ", "api"),
        ("ﾊﾞｶ", "バ カ バカ"),
        ("錯誤", "错 误 错误"),
        ("\uf98f", "怜"),
        ("don't", "don don't t"),
        ("🎉→", "🎉 →"),
        ("Привет", "привет"),
        ("हिन्दी", "हिन्दी"),
        ("xml_parseJson", "xml xml_parse xml_parsejson parse parsejson json"),
    ],
)
def test_tokens(text: str, expected: str) -> None:
    assert sorted(tokens(text)) == sorted(expected.split())


def test_places_count_words() -> None:
    found = tokens("one two_three fourFive 部署 six")
    assert found["two_three"] == [1]
    assert found["three"] == [2]
    assert found["five"] == [3]
    assert found["六" if "六" in found else "署"] == [5]
    assert found["six"] == [6]


def test_long_words_are_cut_and_random_ones_have_no_parts() -> None:
    assert list(tokens("x" * 500)) == ["x" * analysis.LONGEST_WORD]
    assert list(tokens("aBcDeFgHiJkLmNoPqRsTuVwXyZ")) == ["abcdefghijklmnopqrstuvwxyz"]


@pytest.mark.parametrize("text", ["word " * 70_000, "部" * 70_000, "a/" * 70_000])
def test_places_of_a_long_text_stay_its_own(text: str) -> None:
    found = tokens(text, base=3 << 16)
    assert all(place >> 16 == 3 for places in found.values() for place in places)
    assert max(place for places in found.values() for place in places) == (3 << 16) + LAST_PLACE


@given(TEXTS)
def test_any_text_is_cut_the_same_way_each_time(text: str) -> None:
    first = tokens(text)
    analysis._memo.clear()
    assert tokens(text) == first
    for token, places in first.items():
        assert places == sorted(places)
        assert token
        assert not any(character.isspace() for character in token)
        token.encode()


@given(TEXTS)
@example("\uf98f")
def test_case_and_script_do_not_matter_for_words(text: str) -> None:
    folded = fold_script(text)
    assert tokens(folded).keys() == tokens(text).keys()
    assert fold_script(folded) == folded
    assert fold_case(fold_case(folded)) == fold_case(folded)


@given(TEXTS)
def test_what_a_query_needs_of_a_chunk_stands_in_the_text(text: str) -> None:
    found = tokens(text)
    at = 0
    for chunk in chunks(fold_script(text)):
        for token, offset in required(chunk):
            assert at + offset in found[token]
        at += width(chunk)


@given(TEXTS, TEXTS)
def test_a_text_is_found_in_a_longer_one(left: str, right: str) -> None:
    for chunk in chunks(fold_script(left)):
        longer = tokens(f"{right} {chunk} {right}")
        assert all(token in longer for token, _ in required(chunk))


@given(
    st.dictionaries(st.text("abc部", min_size=1), st.lists(st.integers(0, 2**32 - 1)), max_size=40)
)
def test_postings_survive_packing(postings: dict[str, list[int]]) -> None:
    packed = pack_postings(postings)
    for token, codes in postings.items():
        if token_key(token) in packed:
            assert list(unpack_value(packed[token_key(token)])) == codes
        else:
            (found,) = unpack_bucket(packed[bucket_key(token)], [token])
            assert list(found) == codes
    absent = "absent"
    value = packed.get(bucket_key(absent))
    assert value is None or unpack_bucket(value, [absent]) == []


@given(st.text(alphabet=st.characters(max_codepoint=127), max_size=60))
def test_the_small_patterns_find_in_ascii_what_the_large_ones_find(text):
    small, large = scripts.patterns_for("a"), scripts.patterns_for("é")
    assert small is not large
    assert small.chunk.findall(text) == large.chunk.findall(text)
    for chunk in large.chunk.findall(text):
        assert small.piece.findall(chunk) == large.piece.findall(chunk)
        assert bool(small.word.fullmatch(chunk)) == bool(large.word.fullmatch(chunk))
