"""Codex: twins, the cumulative counter, replays of parents, three generations."""

import json

import pytest
import zstandard

PARENT = "00000000-aaaa-7000-8000-000000000001"
CHILD = "00000000-bbbb-7000-8000-000000000002"


def line(kind, payload, second=0, stamp=None):
    return {
        "timestamp": stamp or f"2026-03-10T05:{second // 60:02}:{second % 60:02}.000Z",
        "type": kind,
        "payload": payload,
    }


def meta(session=PARENT, second=0, **extra):
    payload = {"id": session, "timestamp": f"2026-03-10T05:00:{second:02}.000Z", "cwd": "/srv/tea"}
    return line("session_meta", {**payload, **extra}, second)


def said(role, text, second=1):
    kind = "input_text" if role == "user" else "output_text"
    payload = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
    return line("response_item", payload, second)


def event(kind, second=1, **extra):
    return line("event_msg", {"type": kind, **extra}, second)


def call(key, second=2, **extra):
    payload = {"type": "function_call", "name": "shell", "arguments": '{"a": 1}', "call_id": key}
    return line("response_item", {**payload, **extra}, second)


def output(key, value, second=3, kind="function_call_output"):
    return line("response_item", {"type": kind, "call_id": key, "output": value}, second)


def usage(input_, cached, out):
    return {
        "input_tokens": input_,
        "cached_input_tokens": cached,
        "output_tokens": out,
        "reasoning_output_tokens": 1,
        "total_tokens": input_ + out,
    }


def count(total, last, second=4):
    info = {"total_token_usage": usage(*total), "last_token_usage": usage(*last)}
    return event("token_count", second, info=info)


def test_texts_that_stand_twice_count_once(source):
    source.write(
        "r.jsonl",
        [
            meta(),
            said("user", "one"),
            event("user_message", message="one"),
            event("agent_message", message="reply "),
            said("assistant", "reply"),
            said("user", "one"),
            event("user_message", message="one"),
            event("agent_message", message="an event without a twin"),
        ],
    )
    assert source.counts()[0] == (2, 2)
    texts = [message.text for message in source.session().messages]
    assert texts == ["one", "reply", "one", "an event without a twin"]


def test_the_counter_is_cumulative_and_refreshes_add_nothing(source):
    source.write(
        "r.jsonl",
        [
            meta(),
            said("user", "go"),
            count((100, 60, 10), (100, 60, 10)),
            count((100, 60, 10), (100, 60, 10)),
            event("token_count", info=None),
            count((250, 160, 25), (150, 100, 15)),
        ],
    )
    assert source.counts()[4] == (90, 25, 160, None)
    assert source.total()["tokens"]["total"] == 275


def test_a_counter_that_restarts_adds_its_newest_call(source):
    source.write(
        "r.jsonl",
        [
            meta(),
            said("user", "go"),
            count((1000, 0, 100), (1000, 0, 100)),
            count((50, 20, 5), (50, 20, 5)),
            count((80, 40, 9), (30, 20, 4)),
        ],
    )
    assert source.counts()[4] == (1000 + 30 + 10, 109, 40, None)


def parent_lines():
    return [
        meta(),
        said("user", "first question", 1),
        call("c1", 2),
        output("c1", "done", 3),
        said("assistant", "first answer", 4),
        count((500, 100, 50), (500, 100, 50), 5),
    ]


def restamped(lines, second):
    stamp = f"2026-03-10T05:00:{second:02}.000Z"
    return [{**item, "timestamp": stamp} for item in lines]


@pytest.mark.parametrize("with_parent", [True, False])
@pytest.mark.parametrize("stamp", ["kept", "renewed"])
@pytest.mark.parametrize("order", ["parent first", "child first"])
def test_the_replay_of_a_parent_counts_once(source, with_parent, stamp, order):
    replay = parent_lines() if stamp == "kept" else restamped(parent_lines(), 30)
    own = [
        said("user", "second question", 31),
        said("assistant", "second answer", 32),
        count((700, 200, 70), (200, 100, 20), 33),
    ]
    child = [meta(CHILD, 30, forked_from_id=PARENT), *replay, *own]
    files = {"parent.jsonl": parent_lines(), "child.jsonl": child}
    if not with_parent:
        del files["parent.jsonl"]
    names = sorted(files, reverse=order == "parent first")
    for name in names:
        source.write(name, files[name])
        source.take_in()
    assert source.row("child.jsonl")["messages"] == {"user": 2, "assistant": 2}
    if with_parent:
        assert source.counts()[0] == (2, 2)
        assert source.counts()[3] == (1, 0, 0)
        assert source.counts()[4] == (500, 70, 200, None)
        child_messages = source.session(CHILD).messages
        assert child_messages[0].copy_of == f"conversation:{PARENT}#1"
        assert child_messages[-1].copy_of is None
    else:
        assert source.counts()[4] == (100, 20, 100, None)


def test_equal_counters_of_strangers_are_no_copies(source):
    for name, session in (("a.jsonl", PARENT), ("b.jsonl", CHILD)):
        source.write(name, [meta(session), said("user", "hi"), count((10, 0, 1), (10, 0, 1))])
    assert source.counts()[4] == (20, 2, 0, None)


def test_a_spawned_child_counts_from_its_parents_total(source):
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    child = [
        meta(CHILD, 30, source=spawned),
        said("user", "own task", 31),
        count((530, 110, 53), (30, 10, 3), 33),
    ]
    source.write("a.jsonl", parent_lines())
    source.write("b.jsonl", child)
    assert source.counts()[4] == (400 + 20, 53, 110, None)
    assert source.session(CHILD).parent == PARENT
    assert source.total()["sessions"] == 2


def test_turns_that_were_rolled_back_are_off_the_thread(source):
    source.write(
        "r.jsonl",
        [
            meta(),
            said("user", "keep"),
            said("assistant", "kept"),
            said("user", "drop"),
            call("c1"),
            output("c1", "x"),
            said("assistant", "dropped"),
            count((10, 0, 1), (10, 0, 1)),
            event("thread_rolled_back", num_turns=1),
            said("user", "again"),
            said("assistant", "good"),
        ],
    )
    assert source.counts() == ((2, 2), (1, 1), (0, 0), (0, 0, 0), (10, 1, 0, None))


@pytest.mark.parametrize(
    ("value", "failed", "text"),
    [
        ("Process exited with code 0\nOutput:\nfine", False, None),
        ("Process exited with code 2\nOutput:\nbad", True, None),
        ("Chunk ID: 1\nOutput:\nProcess exited with code 2", False, None),
        ('{"output": "x", "metadata": {"exit_code": 1}}', True, "x"),
        ('{"output": "x", "metadata": {"exit_code": 0}}', False, "x"),
        ({"content": "x", "success": False}, True, "x"),
        ([{"type": "input_text", "text": "listed"}], False, "listed"),
    ],
)
def test_failures_show_in_every_shape_of_output(source, value, failed, text):
    source.write(
        "r.jsonl",
        [meta(), said("user", "go"), call("c"), output("c", value), said("assistant", "k")],
    )
    assert source.counts()[3] == (1, int(failed), 0)
    found = source.session().messages[1].calls[0]
    assert found.arguments == {"a": 1}
    assert found.result == (text if text is not None else value)


def test_other_kinds_of_calls(source):
    source.write(
        "r.jsonl",
        [
            meta(),
            said("user", "go"),
            line(
                "response_item",
                {"type": "local_shell_call", "call_id": "l", "action": {}, "status": "completed"},
            ),
            line(
                "response_item",
                {"type": "web_search_call", "action": {"query": "q"}, "status": "completed"},
            ),
            line(
                "response_item",
                {"type": "web_search_call", "action": {"query": "r"}, "status": "completed"},
            ),
            line(
                "response_item",
                {
                    "type": "custom_tool_call",
                    "name": "apply_patch",
                    "input": "*** x",
                    "call_id": "p",
                },
            ),
            said("assistant", "ok"),
        ],
    )
    assert source.counts()[3] == (4, 0, 1)


def test_calls_without_a_reply_are_kept_and_no_reply_is_made_up(source):
    lines = [meta(), said("user", "go"), call("c1"), output("c1", "x")]
    path = source.write("r.jsonl", lines)
    assert source.counts()[0] == (1, 0)
    assert source.counts()[3] == (1, 0, 0)
    assert [message.n for message in source.session().messages] == [1, 2]
    with path.open("a") as handle:
        handle.write(json.dumps(said("assistant", "done")) + "\n")
    assert source.counts()[0] == (1, 1)
    reply = source.session().messages[1]
    assert (reply.n, reply.text, reply.calls[0].id) == (2, "done", "c1")


def test_injected_texts_and_other_roles_are_no_messages(source):
    source.write(
        "r.jsonl",
        [
            meta(),
            said("developer", "rules"),
            said("user", "<environment_context>x</environment_context>"),
            said("user", "<user_instructions>x</user_instructions>"),
            said("user", "# AGENTS.md instructions for /srv"),
            said("user", "<turn_aborted>x</turn_aborted>"),
            line("compacted", {"message": "sum", "replacement_history": [said("user", "old")]}),
            said("user", "real"),
        ],
    )
    assert source.counts()[0] == (1, 0)


def test_the_live_copy_of_an_archived_rollout_wins(source):
    short = [meta(), said("user", "go")]
    source.write("archived_sessions/r.jsonl", short)
    source.write("sessions/2026/03/10/r.jsonl", [*short, said("assistant", "done")])
    assert source.counts()[0] == (1, 1)
    assert source.total()["sessions"] == 1


def test_compressed_and_oldest_files_are_read(source):
    lines = "".join(json.dumps(item) + "\n" for item in [meta(), said("user", "packed")])
    source.write("r.jsonl.zst", zstandard.compress(lines.encode()))
    old = {
        "session": {"id": CHILD, "timestamp": "2025-04-01T00:00:00Z"},
        "items": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "old"}]}
        ],
    }
    source.write("oldest.json", old)
    assert source.counts()[0] == (2, 0)
    assert source.session(CHILD).messages[0].text == "old"


def test_growth_of_a_turn_is_taken_once_where_the_counter_is_missing(source):
    def turn(out):
        return line("token_usage_record", {"turn_id": "t", "turn_token_usage": usage(10, 0, out)})

    source.write("r.jsonl", [meta(), said("user", "go"), turn(1), turn(5), turn(9)])
    assert source.counts()[4] == (10, 9, 0, None)


def test_what_is_said_again_later_is_no_twin(source):
    source.write(
        "r.jsonl",
        [
            meta(),
            event("user_message", message="go on"),
            said("assistant", "first"),
            said("user", "go on"),
            said("assistant", "second"),
            event("user_message", message="go on"),
            said("assistant", "third"),
        ],
    )
    assert source.counts()[0] == (3, 3)


def test_a_replay_with_one_count_for_the_whole_past_is_its_parents(source):
    parent = [
        meta(),
        said("user", "one", 1),
        said("assistant", "first", 2),
        count((100, 0, 10), (100, 0, 10), 3),
        said("user", "two", 4),
        said("assistant", "second", 5),
        count((300, 0, 30), (200, 0, 20), 6),
    ]
    replay = [line(item["type"], item["payload"], 20) for item in parent[1:] if item != parent[3]]
    own = [
        said("user", "three", 30),
        said("assistant", "third", 31),
        count((450, 0, 40), (150, 0, 10), 32),
    ]
    source.write("a.jsonl", parent)
    source.write("b.jsonl", [meta(CHILD, 20, forked_from_id=PARENT), *replay, *own])
    assert source.counts() == ((3, 3), (0, 0), (0, 0), (0, 0, 0), (450, 40, 0, None))
