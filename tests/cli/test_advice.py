"""Advice on the command line names commands; 'call' keeps the names of tools."""

import pytest


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("chat", "read", "nope"), "'fieldguide chat list'"),
        (("chat", "list", "--session", "nope"), "'fieldguide memory list'"),
        (("memory", "get", "task:nope"), "'fieldguide memory search --sources task WORDS'"),
        (("errors", "read", "deadbeef"), "'fieldguide errors search WORDS'"),
        (("history", "forget", "nope"), "'fieldguide memory list'"),
    ],
)
def test_a_person_is_told_the_command(run, arguments, advice):
    outcome = run(*arguments)
    assert outcome.code == 1
    assert advice in outcome.err
    assert "mode=" not in outcome.err
    assert "memory_search" not in outcome.err


def test_an_agent_is_told_the_tool(run):
    outcome = run("call", "chat_history", '{"task_id": "nope"}')
    assert (outcome.code, outcome.out) == (1, "")
    assert "chat_history(mode=list)" in outcome.err


def test_notes_that_do_not_match_are_not_said_to_be_missing(run):
    run("note", "add", "Release rules", "Ship on Tuesdays.")
    assert "No note holds 'zebra'." in run("note", "search", "zebra").err
