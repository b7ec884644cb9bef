"""A session falls into runs, one a request."""

from datetime import UTC, datetime

import pytest

from generator.history.runs import reusable, reusable_calls, session_runs
from generator.model.session import ActionRecord, Message, Session, Tokens, ToolCall, Usage


def say(n, role, text="", **more):
    return Message(n=n, id=f"m{n}", role=role, text=text, **more)


def session(*messages):
    return Session(id="s1", agent="claude-code", project="boat", messages=messages)


FETCH = ToolCall(id="c1", name="WebFetch", arguments={"url": "x"}, result="tide 05:12", status="ok")


def test_a_run_is_one_request_up_to_the_next():
    noon = datetime(2026, 5, 5, 12, tzinfo=UTC)
    first, second = session_runs(
        session(
            say(1, "user", "when is high tide?", ts=noon),
            say(2, "assistant", "let me look", calls=(FETCH,), model="m1", tokens=Tokens(input=3)),
            say(3, "assistant", "05:12", model="m1", tokens=Tokens(input=4, output=2)),
            say(4, "user", "thanks"),
        )
    )
    assert first.task_id == "s1.1"
    assert [message.n for message in first.messages] == [1, 2, 3]
    assert first.objective == "when is high tide?"
    assert first.reply == "05:12"
    assert first.models == ("m1",)
    assert first.tokens == Tokens(input=7, output=2)
    assert [(item.number, item.message, item.position) for item in first.calls] == [(1, 2, 1)]
    assert first.started == noon
    assert (second.task_id, second.objective, second.reply) == ("s1.4", "thanks", "")
    assert second.tokens.total is None


def test_a_rewound_request_is_a_run_of_its_own_with_its_mark():
    kept, rewound, again = session_runs(
        session(
            say(1, "user", "a"),
            say(2, "user", "b", thread="off"),
            say(3, "assistant", "old", thread="off"),
            say(4, "user", "c"),
            say(5, "assistant", "new"),
        )
    )
    assert [run.thread for run in (kept, rewound, again)] == ["active", "off", "active"]
    assert (rewound.reply, again.reply) == ("old", "new")


def test_a_regenerated_reply_stays_with_its_request_and_the_kept_one_counts():
    (run,) = session_runs(
        session(
            say(1, "user", "price?"),
            say(2, "assistant", "70", thread="off"),
            say(3, "assistant", "68"),
        )
    )
    assert run.reply == "68"
    assert [message.n for message in run.messages] == [1, 2, 3]


def test_the_thread_goes_on_past_a_rewound_branch():
    first, rewound = session_runs(
        session(
            say(1, "user", "a"),
            say(2, "user", "b", thread="off"),
            say(3, "assistant", "answer to a"),
        )
    )
    assert first.reply == "answer to a"
    assert rewound.reply == ""


def test_sidechains_are_not_cut_into_runs():
    (run,) = session_runs(
        session(
            say(1, "user", "a"),
            say(1, "user", "inner", thread="side", agent="x"),
            say(2, "assistant", "done"),
        )
    )
    assert [message.text for message in run.messages] == ["a", "done"]


def test_a_session_that_opens_with_a_reply_loses_nothing():
    first, second = session_runs(session(say(1, "assistant", "hi"), say(2, "user", "hello")))
    assert (first.objective, first.reply) == ("", "hi")
    assert second.objective == "hello"
    assert session_runs(session()) == ()


def test_what_an_agent_recorded_itself_is_the_run_and_keeps_its_id():
    def at(minute, second=0):
        return datetime(2026, 4, 1, 9, minute, second, tzinfo=UTC)

    whole = Session(
        id="s1",
        agent="agenvoy",
        messages=(
            say(1, "user", "earlier, its record is gone", ts=at(1)),
            say(2, "user", "tide?", ts=at(28)),
            say(3, "assistant", "looking", ts=at(29)),
            say(4, "user", "logo", ts=at(45, 30)),
        ),
        actions=(
            ActionRecord(id="b7e1", objective="Resize", calls=(FETCH,), ended=at(45)),
            ActionRecord(id="5f0c-1", objective="Find the tide", reply="05:12", ended=at(30)),
        ),
        usage=(
            Usage(id="u1", tokens=Tokens(input=5), ts=at(29)),
            Usage(id="u2", tokens=Tokens(input=7), ts=at(44)),
            Usage(id="u3", tokens=Tokens(input=9), ts=at(44), copy_of="other"),
        ),
    )
    earlier, tide, logo = session_runs(whole)
    assert [run.task_id for run in (earlier, tide, logo)] == ["s1.1", "5f0c-1", "b7e1"]
    assert (tide.objective, tide.reply) == ("Find the tide", "05:12")
    assert [message.n for message in tide.messages] == [2, 3]
    assert tide.tokens == Tokens(input=5)
    assert logo.tokens == Tokens(input=7)
    assert logo.calls[0].message is None


def test_a_run_costs_what_its_sidechain_and_its_ledger_lines_cost():
    call = ToolCall(id="c1", name="Task", result="done", status="ok", child="x")
    whole = Session(
        id="s1",
        agent="codex",
        messages=(
            say(1, "user", "a"),
            say(2, "assistant", "b", calls=(call,), tokens=Tokens(input=1)),
            say(1, "assistant", "inner", thread="side", agent="x", tokens=Tokens(input=10)),
            say(2, "assistant", "again", thread="side", agent="x", tokens=Tokens(output=1)),
        ),
        usage=(Usage(id="u1", tokens=Tokens(input=100), n=2),),
    )
    (run,) = session_runs(whole)
    assert run.tokens == Tokens(input=111, output=1)


@pytest.mark.parametrize(
    ("name", "status", "result", "expected"),
    [
        ("fetch_page", "ok", "text", True),
        ("WebFetch", "ok", "text", True),
        ("Bash", "ok", "text", True),
        ("Bash", "error", "text", False),
        ("Bash", "ok", "", False),
        ("Bash", "unfinished", None, False),
        ("TodoWrite", "ok", "text", False),
        ("write_file", "ok", "ok: notes.md", False),
        ("apply_patch", "ok", "done", False),
        ("mcp__db__deleteRow", "ok", "1", False),
    ],
)
def test_what_brought_something_back_is_reusable(name, status, result, expected):
    assert reusable(ToolCall(id="c", name=name, status=status, result=result)) is expected


def test_reusable_calls_come_with_their_run():
    runs = session_runs(session(say(1, "user", "a"), say(2, "assistant", calls=(FETCH,))))
    assert [(run.task_id, item.call.name) for run, item in reusable_calls(runs)] == [
        ("s1.1", "WebFetch")
    ]
