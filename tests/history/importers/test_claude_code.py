"""Claude Code: every counting trap of the format has its right number."""

# ruff: noqa: A002 - id is the word of the format

import itertools
import json

import pytest

S = "aaaaaaaa-0000-4000-8000-000000000001"
S2 = "bbbbbbbb-0000-4000-8000-000000000002"
_clock = itertools.count(1)


def record(kind, uuid, parent, session=S, **extra):
    second = next(_clock)
    stamp = f"2026-03-01T{second // 3600 % 24:02}:{second // 60 % 60:02}:{second % 60:02}.000Z"
    return {
        "type": kind,
        "uuid": uuid,
        "parentUuid": parent,
        "sessionId": session,
        "timestamp": stamp,
        "isSidechain": False,
        "cwd": "/srv/boat",
        **extra,
    }


def user(uuid, parent, text="hello", **extra):
    return record("user", uuid, parent, message={"role": "user", "content": text}, **extra)


def assistant(uuid, parent, *blocks, id=None, usage=None, request="r", model="opus", **extra):
    content = [{"type": "text", "text": item} if isinstance(item, str) else item for item in blocks]
    message = {"role": "assistant", "model": model, "content": content}
    if id:
        message["id"] = id
    if usage:
        names = (
            "input_tokens",
            "output_tokens",
            "cache_read_input_tokens",
            "cache_creation_input_tokens",
        )
        message["usage"] = dict(zip(names, usage, strict=False))
    if request:
        extra["requestId"] = request
    return record("assistant", uuid, parent, message=message, **extra)


def call(id, name="Bash", **arguments):
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def result(uuid, parent, id, content="ok", **extra):
    block = {"type": "tool_result", "tool_use_id": id, "content": content}
    if extra.pop("failed", False):
        block["is_error"] = True
    return record("user", uuid, parent, message={"role": "user", "content": [block]}, **extra)


def test_lines_of_one_reply_are_one_message_with_its_largest_usage(source):
    source.write(
        f"{S}.jsonl",
        [
            user("u1", None),
            assistant(
                "a1", "u1", {"type": "thinking", "thinking": "hm"}, id="m", usage=(5, 1, 9, 2)
            ),
            assistant("a2", "a1", "words", id="m", usage=(5, 7, 9, 2)),
            assistant("a3", "a2", call("t"), id="m", usage=(5, 3, 9, 2)),
            result("r1", "a3", "t"),
        ],
    )
    assert source.counts() == ((1, 1), (0, 0), (0, 0), (1, 0, 0), (5, 7, 9, 2))
    reply = source.session().messages[1]
    assert (reply.text, reply.thinking, reply.calls[0].result) == ("words", "hm", "ok")


def test_without_a_request_id_the_message_id_alone_counts(source):
    lines = [
        user("u1", None),
        assistant("a1", "u1", "one", id="m", usage=(1, 1), request=None),
        assistant("a2", "a1", "two", id="m", usage=(1, 1), request=None),
        assistant("a3", "a2", "three", usage=(1, 1), request=None),
        assistant("a4", "a3", "four", usage=(1, 1), request=None),
    ]
    source.write(f"{S}.jsonl", lines)
    assert source.counts()[0] == (1, 3)
    assert source.counts()[4] == (3, 3, None, None)


def test_the_parts_of_cache_writing_are_not_added_to_their_sum(source):
    line = assistant("a1", "u1", "x", id="m", usage=(1, 2, 3, 40))
    line["message"]["usage"]["cache_creation"] = {
        "ephemeral_5m_input_tokens": 30,
        "ephemeral_1h_input_tokens": 10,
    }
    source.write(f"{S}.jsonl", [user("u1", None), line])
    assert source.counts()[4] == (1, 2, 3, 40)


def test_a_resumed_session_counts_its_past_once(source):
    first = [user("u1", None), assistant("a1", "u1", "one", id="m1", usage=(1, 2, 3, 4))]
    copied = [{**line, "sessionId": S2} for line in first]
    source.write(f"p/{S}.jsonl", first)
    source.write(
        f"p/{S2}.jsonl",
        [
            *copied,
            user("u2", "a1", "more", session=S2),
            assistant("a2", "u2", "two", id="m2", usage=(1, 2, 3, 4), session=S2),
        ],
    )
    assert source.row(f"{S2}.jsonl")["messages"] == {"user": 2, "assistant": 2}
    total = source.total()
    assert source.counts(total) == ((2, 2), (0, 0), (0, 0), (0, 0, 0), (2, 4, 6, 8))
    assert total["sessions"] == 2
    assert [message.copy_of for message in source.session(S2).messages] == [
        f"conversation:{S}#1",
        f"conversation:{S}#2",
        None,
        None,
    ]
    assert all(message.copy_of is None for message in source.session(S).messages)


@pytest.mark.parametrize("order", [(S, S2), (S2, S)])
def test_copies_are_credited_alike_whichever_file_comes_first(source, order):
    first = [user("u1", None), assistant("a1", "u1", "one", id="m1", usage=(1, 2, 3, 4))]
    files = {
        S: first,
        S2: [*[{**line, "sessionId": S2} for line in first], user("u2", "a1", "x", session=S2)],
    }
    for name in order:
        source.write(f"{name}.jsonl", files[name])
        source.take_in()
    assert source.counts()[4] == (1, 2, 3, 4)
    assert [message.copy_of for message in source.session(S).messages] == [None, None]
    assert source.session(S2).messages[0].copy_of == f"conversation:{S}#1"


def test_a_copy_made_in_the_middle_of_a_reply_does_not_hide_its_usage(source):
    prompt = user("u1", None)
    source.write(f"{S}.jsonl", [prompt, assistant("a1", "u1", "x", id="m", usage=(1, 1, 0, 0))])
    source.write(
        f"{S2}.jsonl",
        [
            {**prompt, "sessionId": S2},
            assistant("a1", "u1", "x", id="m", usage=(1, 90, 0, 0), session=S2),
            user("u9", "a1", session=S2),
        ],
    )
    assert source.counts()[4] == (1, 90, 0, 0)


def test_a_side_question_repeats_the_parent_and_is_counted_there(source):
    prompt = user("u1", None, "what floats?")
    reply = assistant("a1", "u1", "cork", id="m1", usage=(1, 2, 3, 4), request="r1")
    source.write(f"p/{S}.jsonl", [prompt, reply])
    replay = [
        {**prompt, "uuid": "x1", "isSidechain": True, "agentId": "q"},
        {
            **reply,
            "uuid": "x2",
            "parentUuid": "x1",
            "requestId": "r9",
            "isSidechain": True,
            "agentId": "q",
        },
        user("x3", "x2", "and oak?", isSidechain=True, agentId="q"),
        assistant("x4", "x3", "less", id="m2", usage=(5, 5, 5, 5), isSidechain=True, agentId="q"),
    ]
    source.write(f"p/{S}/subagents/agent-q.jsonl", replay)
    assert source.counts() == ((1, 1), (0, 0), (1, 1), (0, 0, 0), (6, 7, 8, 9))
    main = [message for message in source.session(S).messages if message.agent is None]
    assert all(message.copy_of is None for message in main)


def test_local_error_notices_are_neither_messages_nor_spending(source):
    notice = assistant("a1", "u1", "API Error", id="m", usage=(9, 9, 9, 9), model="<synthetic>")
    source.write(f"{S}.jsonl", [user("u1", None), notice])
    assert source.counts() == ((1, 0), (0, 0), (0, 0), (0, 0, 0), (None, None, None, None))
    assert source.session().events[0].text == "API Error"


def test_the_same_record_twice_in_one_file_is_one(source):
    line = assistant("a1", "u1", "x", usage=(1, 1, 1, 1), request=None)
    source.write(f"{S}.jsonl", [user("u1", None), line, line])
    assert source.counts()[0] == (1, 1)
    assert source.counts()[4] == (1, 1, 1, 1)


def test_rewound_messages_are_off_the_thread_and_their_tokens_spent(source):
    source.write(
        f"{S}.jsonl",
        [
            user("u1", None, "start"),
            assistant("a1", "u1", "one", id="m1", usage=(1, 1, 0, 0)),
            user("u2", "a1", "wrong way"),
            assistant("a2", "u2", call("t1"), id="m2", usage=(10, 10, 0, 0)),
            result("r", "a2", "t1"),
            user("u3", "a1", "right way"),
            assistant("a3", "u3", "two", id="m3", usage=(100, 100, 0, 0)),
        ],
    )
    assert source.counts() == ((2, 2), (1, 1), (0, 0), (0, 0, 0), (111, 111, 0, 0))


def test_results_of_parallel_calls_do_not_cut_the_thread(source):
    source.write(
        f"{S}.jsonl",
        [
            user("u1", None),
            assistant("a1", "u1", call("t1"), id="m1"),
            assistant("a2", "a1", call("t2"), id="m1"),
            result("r2", "a2", "t2"),
            result("r1", "a1", "t1", failed=True),
            assistant("a3", "r1", "done", id="m2"),
        ],
    )
    assert source.counts()[:4] == ((1, 2), (0, 0), (0, 0), (2, 1, 0))


def test_both_sides_of_a_compaction_stay_and_its_summary_is_no_message(source):
    boundary = record("system", "s1", None, subtype="compact_boundary", logicalParentUuid="a1")
    source.write(
        f"{S}.jsonl",
        [
            user("u1", None),
            assistant("a1", "u1", "one", id="m1"),
            boundary,
            user("c1", "s1", "Summary: we sailed.", isCompactSummary=True),
            user("c2", "c1", "This session is being continued from a previous conversation."),
            user("u2", "c2", "on"),
            assistant("a2", "u2", "two", id="m2"),
        ],
    )
    assert source.counts()[:2] == ((2, 2), (0, 0))
    assert "we sailed" in source.session().events[0].text


def test_a_missing_or_book_keeping_parent_does_not_cut_the_thread(source):
    source.write(
        f"{S}.jsonl",
        [
            user("u1", None),
            {"type": "progress", "uuid": "p1", "parentUuid": "u1", "sessionId": S},
            assistant("a1", "p1", "one", id="m1"),
            user("u2", "never-written", "two"),
            assistant("a2", "u2", "three", id="m2"),
        ],
    )
    assert source.counts()[:2] == ((2, 2), (0, 0))


@pytest.mark.parametrize(
    "opening",
    [
        "<command-name>/clear</command-name>",
        "<local-command-stdout>x</local-command-stdout>",
        "<system-reminder>x</system-reminder>",
        "<bash-input>ls</bash-input>",
        "<task-notification>x</task-notification>",
    ],
)
def test_injected_text_is_no_prompt(source, opening):
    mixed = [{"type": "text", "text": opening}, {"type": "text", "text": "the real prompt"}]
    source.write(f"{S}.jsonl", [user("u1", None, opening), user("u2", "u1", mixed)])
    assert source.counts()[0] == (1, 0)
    assert source.session().messages[0].text == "the real prompt"


def test_every_shape_of_a_result_is_read(source):
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "image", "source": {"media_type": "image/png"}},
    ]
    source.write(
        f"{S}.jsonl",
        [
            user("u1", None),
            assistant("a1", "u1", *(call(f"t{n}") for n in range(5)), id="m"),
            result("r0", "a1", "t0", "plain"),
            result("r1", "a1", "t1", blocks),
            result("r2", "a1", "t2", None, toolUseResult={"stdout": "from the copy"}),
            record(
                "user",
                "r3",
                "a1",
                message={"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t3"}]},
                toolUseResult="Error: text copy",
            ),
            result("orphan", "a1", "nobody"),
        ],
    )
    assert source.counts()[3] == (5, 0, 1)
    calls = source.session().messages[1].calls
    assert [item.result for item in calls] == [
        "plain",
        "a\n[image image/png]",
        "from the copy",
        "Error: text copy",
        None,
    ]


def test_a_large_output_is_read_from_its_side_file(source):
    source.write(
        f"{S}.jsonl",
        [
            user("u1", None),
            assistant("a1", "u1", call("t1"), id="m"),
            result("r1", "a1", "t1", f"Output too large. Saved to: /x/{S}/tool-results/big.txt"),
        ],
    )
    source.write(f"{S}/tool-results/big.txt", "line\n" * 50_000)
    assert len(source.session().messages[1].calls[0].result) == 250_000


def test_a_subagent_belongs_to_its_parent_and_is_named_by_the_call(source):
    source.write(
        f"p/{S}.jsonl",
        [
            user("u1", None),
            assistant("a1", "u1", call("t1", "Agent"), id="m1"),
            result("r1", "a1", "t1", "agentId: k1"),
        ],
    )
    for name, agent in ((f"p/{S}/subagents/agent-k1.jsonl", "k1"), ("p/agent-old.jsonl", "old")):
        source.write(
            name,
            [
                user(f"s1{agent}", None, isSidechain=True, agentId=agent),
                assistant(f"s2{agent}", f"s1{agent}", "x", id=f"n{agent}", isSidechain=True),
            ],
        )
    source.write(
        f"p/{S}/subagents/agent-k1.meta.json", {"agentType": "Explore", "description": "d"}
    )
    assert source.row("agent-old.jsonl")["sessions"] == 0
    assert source.counts()[:3] == ((1, 1), (0, 0), (2, 2))
    session = source.session()
    assert session.messages[1].calls[0].child == "k1"
    assert {info.id: info.kind for info in session.subagents} == {"k1": "Explore", "old": None}
    assert {(m.agent, m.n) for m in session.messages if m.agent} == {
        ("k1", 1),
        ("k1", 2),
        ("old", 1),
        ("old", 2),
    }


def test_a_summary_titles_a_session_in_another_file(source):
    source.write(f"{S}.jsonl", [user("u1", None), assistant("a1", "u1", "x", id="m")])
    source.write("0.jsonl", [{"type": "summary", "summary": "Tides", "leafUuid": "a1"}])
    assert source.session().title == "Tides"
    assert source.total()["sessions"] == 1


def test_the_web_form_holds_the_same_records(source):
    lines = [user("u1", None), assistant("a1", "u1", "x", id="m", usage=(1, 2, 3, 4))]
    source.write("web.json", {"loglines": lines})
    assert source.counts() == ((1, 1), (0, 0), (0, 0), (0, 0, 0), (1, 2, 3, 4))


def test_unknown_records_are_kept_and_counted(source):
    strange = {"type": "hologram", "uuid": "h", "parentUuid": "u1", "sessionId": S, "data": 1}
    source.write(f"{S}.jsonl", [user("u1", None), strange, assistant("a1", "h", "x", id="m")])
    assert source.counts()[:2] == ((1, 1), (0, 0))
    assert source.total()["opaque"] == 1
    event = source.session().events[0]
    assert event.kind == "opaque:hologram"
    assert json.loads(event.text) == strange


def test_a_missing_time_is_inherited(source):
    line = assistant("a1", "u1", "x", id="m")
    del line["timestamp"]
    source.write(f"{S}.jsonl", [user("u1", None), line])
    first, second = source.session().messages
    assert second.ts == first.ts


def test_many_lines_of_book_keeping_come_before_the_conversation(source):
    opening = [{"type": "queue-operation", "operation": "enqueue", "sessionId": S}] * 60
    source.write("renamed.jsonl", [*opening, user("u1", None)])
    assert source.counts()[0] == (1, 0)


def test_records_without_any_id_are_told_apart_across_sessions(source):
    for session in (S, S2):
        unnamed = assistant(
            "", f"u-{session}", f"of {session}", usage=(5, 7, 0, 0), session=session
        )
        del unnamed["uuid"]
        last = assistant(f"a-{session}", f"u-{session}", id=f"m-{session}", session=session)
        source.write(
            f"{session}.jsonl", [user(f"u-{session}", None, session=session), unnamed, last]
        )
    assert source.counts() == ((2, 4), (0, 0), (0, 0), (0, 0, 0), (10, 14, 0, 0))


def test_a_result_that_only_a_copy_holds_finishes_the_call(source):
    old = [user("u1", None), assistant("a1", "u1", call("t1"), id="m1", usage=(5, 2, 0, 0))]
    new = [*old, result("r1", "a1", "t1", "late"), assistant("a2", "r1", "done", id="m2")]
    source.write(f"{S}.jsonl", old)
    source.write(f"{S2}.jsonl", [{**record, "sessionId": S2} for record in new])
    assert source.counts() == ((1, 2), (0, 0), (0, 0), (1, 0, 0), (5, 2, 0, 0))
    assert source.session(S).messages[1].calls[0].result == "late"
