"""Gemini CLI: repeated ids, rewinds, replaced lists, what input includes."""

import json

import pytest

HEAD = {"sessionId": "g-1", "projectHash": "9c1d77aa", "startTime": "2026-06-01T10:00:00.000Z"}


def user(key, text="hello"):
    return {"id": key, "type": "user", "timestamp": "2026-06-01T10:00:01.000Z", "content": text}


def reply(key, text="yes", tokens=(10, 2, 4, 1, 0, 13), **extra):
    names = ("input", "output", "cached", "thoughts", "tool", "total")
    given = dict(zip(names, tokens, strict=True)) if tokens else None
    return {"id": key, "type": "gemini", "content": text, "model": "p", "tokens": given, **extra}


def test_the_last_line_of_a_message_wins_and_the_first_sets_its_place(source):
    source.write(
        "s.jsonl",
        [HEAD, reply("m1", "early", None), user("m2"), reply("m1", "late"), reply("m1", "late")],
    )
    assert source.counts() == ((1, 1), (0, 0), (0, 0), (0, 0, 0), (6, 3, 4, None))
    assert [message.text for message in source.session().messages] == ["late", "hello"]


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ((100, 10, 40, 5, 3, 118), (63, 15, 40, None)),
        ((60, 10, 40, 5, 3, 118), (63, 15, 40, None)),
        ((100, 10, 0, 0, 0, 110), (100, 10, 0, None)),
    ],
)
def test_whether_input_includes_the_cached_shows_in_the_total(source, tokens, expected):
    source.write("s.jsonl", [HEAD, user("m1"), reply("m2", tokens=tokens)])
    assert source.counts()[4] == expected


def test_a_rewind_takes_messages_off_the_thread(source):
    lines = [HEAD, user("a"), reply("b"), user("c"), reply("d"), {"$rewindTo": "c"}, user("e")]
    source.write("s.jsonl", lines)
    assert source.counts() == ((2, 1), (1, 1), (0, 0), (0, 0, 0), (12, 6, 8, None))


def test_a_rewind_to_an_unknown_message_takes_all(source):
    source.write("s.jsonl", [HEAD, user("a"), reply("b"), {"$rewindTo": "zzz"}, user("c")])
    assert source.counts()[:2] == ((1, 0), (1, 1))


def test_a_set_with_messages_replaces_the_whole_list(source):
    update = {"$set": {"summary": "S", "messages": [user("a", "edited"), reply("n")]}}
    source.write("s.jsonl", [HEAD, user("a"), reply("b"), update])
    assert source.counts()[:2] == ((1, 1), (0, 1))
    session = source.session()
    assert session.title == "S"
    assert session.messages[0].text == "edited"


def test_old_and_new_file_of_one_session_are_merged(source):
    old = {**HEAD, "lastUpdated": "2026-06-01T10:01:00Z", "messages": [user("a"), reply("b")]}
    source.write("x/chats/session-1.json", old)
    source.write("x/chats/session-1.jsonl", [HEAD, reply("b"), user("c"), reply("d")])
    total = source.total()
    assert total["sessions"] == 1
    assert source.counts(total) == ((2, 2), (0, 0), (0, 0), (0, 0, 0), (12, 6, 8, None))


def test_a_reply_of_calls_alone_counts_and_notices_do_not(source):
    calls = [
        {"id": "c1", "name": "ls", "args": {}, "status": "success", "result": None},
        {"id": "c2", "name": "ls", "args": {}, "status": "cancelled"},
        {"id": "c3", "name": "ls", "args": {}, "status": "executing"},
        {
            "id": "c4",
            "name": "ls",
            "args": {},
            "status": "error",
            "result": [{"functionResponse": {"response": {"error": "no"}}}],
        },
    ]
    notices = [{"id": kind, "type": kind, "content": "x"} for kind in ("info", "warning", "error")]
    source.write("s.jsonl", [HEAD, user("a"), reply("b", "", None, toolCalls=calls), *notices])
    assert source.counts() == ((1, 1), (0, 0), (0, 0), (4, 1, 1), (None, None, None, None))


def test_a_subagent_is_a_session_with_a_parent(source):
    source.write("x/chats/session-a.jsonl", [HEAD, user("a")])
    child = {**HEAD, "sessionId": "g-2", "kind": "subagent"}
    source.write("x/chats/g-1/g-2.jsonl", [child, user("b"), reply("c")])
    assert source.session("g-2").parent == "g-1"
    assert source.total()["sessions"] == 2


def test_text_parts_are_joined_and_data_is_an_attachment(source):
    parts = [
        {"text": "a"},
        {"text": "b"},
        {"inlineData": {"mimeType": "image/png", "data": "AAAA"}},
    ]
    source.write("s.json", {**HEAD, "messages": [user("a", parts)]})
    message = source.session().messages[0]
    assert message.text == "ab"
    assert (message.attachments[0].kind, message.attachments[0].size) == ("image/png", 3)


def test_a_removed_message_of_the_old_form_leaves_the_thread(source):
    whole = {**HEAD, "messages": [user("a"), reply("b")]}
    path = source.write("s.json", whole)
    assert source.counts()[0] == (1, 1)
    whole["messages"] = [user("a")]
    path.write_text(json.dumps(whole))
    assert source.counts()[:2] == ((1, 0), (0, 1))


@pytest.mark.parametrize("first", ["old", "new"])
def test_the_file_with_the_newer_messages_holds_whatever_its_first_line_says(source, first):
    kept, left = [user("m1"), reply("m2")], [user("m3", "wrong"), reply("m4", "bad")]
    old = {**HEAD, "lastUpdated": "2026-06-01T10:00:05Z", "messages": [*kept, *left]}
    later = {**user("m5", "right"), "timestamp": "2026-06-01T11:00:00.000Z"}
    new = [HEAD, *kept, *left, {"$rewindTo": "m3"}, later, reply("m6", "good")]
    files = {"old": ("a.json", old), "new": ("a.jsonl", new)}
    source.write(*files.pop(first))
    source.take_in()
    source.write(*files.popitem()[1])
    assert source.counts()[:2] == ((2, 2), (1, 1))
