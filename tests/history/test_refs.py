"""The grammar of refs: every shape is read back as it is written."""

import pytest

from generator.exceptions import UsageError
from generator.history.refs import (
    Place,
    conversation_places,
    conversation_ref,
    file_readings,
    parse_ref,
    task_ref,
)


@pytest.mark.parametrize(
    "text",
    [
        "conversation:3f1c9a10-5b1e#3",
        "conversation:3f1c9a10-5b1e#3.1",
        "conversation:3f1c9a10-5b1e/a1b2c3d#2",
        "conversation:3f1c9a10-5b1e",
        "task:TASK-mabc12xy",
        "task:TASK-mabc12xy#detail2",
        "file:history/a b/c.md",
        "file:brain/corpus/2026-05-04.log.md#12",
        "error:0a1b2c3d",
        "note:deploy rules",
        "report:report-20260505-120000.html",
    ],
)
def test_a_ref_is_written_as_it_was_read(text):
    assert str(parse_ref(text)) == text


def test_quotes_and_spaces_around_a_ref_are_dropped():
    assert str(parse_ref(" `conversation:abc#3`\n")) == "conversation:abc#3"


def test_a_closing_hash_means_everything():
    assert str(parse_ref("conversation:abc#")) == "conversation:abc"


@pytest.mark.parametrize("text", ["", "abc", "conversation:", "conversation:#", "url:x", ":x"])
def test_what_is_no_ref_is_refused_with_the_kinds(text):
    with pytest.raises(UsageError, match=r"is not a ref.*conversation:\.\.\., task:"):
        parse_ref(text)


def test_the_plain_reading_of_a_place_comes_first():
    first, *others = conversation_places(parse_ref("conversation:abc#3.1"))
    assert first == Place(session="abc", message=3, call=1)
    assert Place(session="abc#3.1") in others


def test_a_sidechain_is_a_reading_of_a_slash():
    places = list(conversation_places(parse_ref("conversation:abc/sub#2")))
    assert places[0] == Place(session="abc/sub", message=2)
    assert places[1] == Place(session="abc", agent="sub", message=2)


def test_an_id_that_holds_a_hash_is_still_reached():
    places = list(conversation_places(parse_ref("conversation:a#b")))
    assert places == [Place(session="a#b")]


def test_a_path_that_holds_a_hash_is_tried_whole_before_its_chunk():
    assert list(file_readings(parse_ref("file:a#b.md#3"))) == [("a#b.md#3", ""), ("a#b.md", "3")]
    assert list(file_readings(parse_ref("file:a.md"))) == [("a.md", "")]


def test_refs_are_written_in_every_shape():
    assert conversation_ref("s") == "conversation:s"
    assert conversation_ref("s", 3) == "conversation:s#3"
    assert conversation_ref("s", 3, 1) == "conversation:s#3.1"
    assert conversation_ref("s", 2, agent="a1") == "conversation:s/a1#2"
    assert task_ref("t") == "task:t"
    assert task_ref("t", "detail2") == "task:t#detail2"
