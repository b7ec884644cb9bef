"""Advice on the command line names commands; 'call' keeps the names of tools."""

import re

import pytest

from generator.tools import TOOLS


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


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("errors", "write"), ("--tool is required", "--keyword must not be empty", "--action")),
        (("errors", "write", "--tool", " ", "--keyword", "a"), ("--tool must not be empty",)),
        (("errors", "write", "--outcome", "odd"), ("--outcome should be",)),
        (("errors", "search", "a", "--limit", "0"), ("--limit",)),
        (("errors", "read", "nope"), ("'nope' is not the hash",)),
        (("memory", "save", " "), ("FACT",)),
        (("memory", "search", " "), ("The query is empty",)),
        (("memory", "search", "a", "--sources", "moon"), ("no source named 'moon'",)),
        (("memory", "search", "a", "--after", "someday"), ("--after takes a day",)),
        (("memory", "search", "a", "--after", "2026-05-02", "--before", "2026-05-01"),
         ("--before (2026-05-01) lies before --after (2026-05-02)",)),
        (("memory", "read", "--date", "someday"), ("--date takes a day",)),
        (("memory", "summarize", "--since", "2026-05-02", "--until", "2026-05-01"), ("--until",)),
        (("memory", "list", "--before", "someday"), ("--before takes",)),
        (("memory", "read", "nope", "--from", "3", "--to", "2"), ()),
        (("memory", "get", ""), ("REF",)),
        (("memory", "forget", "file:knowledge/people.md#9"), ()),
        (("memory", "forget", "run:x"), ()),
        (("chat", "tool", "a", "b"), ("'fieldguide chat list'",)),
        (("chat", "search", " "), ()),
        (("usage", "--after", "someday"), ("--after takes a day",)),
        (("usage", "--after", "2026-05-02", "--before", "2026-05-01"), ("--before (2026-05-01)",)),
        (("note", "read", "nope"), ("There is no note",)),
        (("tools", "search", " "), ()),
        (("tools", "show", ","), ()),
        (("history", "forget", "--before", "someday"), ("--before takes a day",)),
    ],
)  # fmt: skip
def test_a_wrong_use_is_said_in_the_words_of_the_command(run, arguments, named):
    outcome = run(*arguments)
    assert outcome.code in (1, 2)
    assert outcome.out == ""
    for words in named:
        assert words in outcome.err
    for tool in TOOLS:
        assert "_" not in tool or tool not in outcome.err, outcome.err
    assert not re.search(
        r"mode=|tool_name|session_id|task_id|date_range|(?<!-)keywords? must", outcome.err
    )


@pytest.mark.parametrize(
    "arguments",
    [("errors", "search", "zebra"), ("memory", "search", "zebra"), ("chat", "list"),
     ("memory", "list"), ("chat", "search", "zebra"), ("memory", "read"), ("usage",)],
)  # fmt: skip
def test_an_answer_without_hits_names_commands_as_well(run, arguments):
    outcome = run(*arguments)
    text = outcome.out + outcome.err
    assert text
    for tool in TOOLS:
        assert "_" not in tool or tool not in text, text
    assert "mode=" not in text


@pytest.mark.parametrize(
    ("arguments", "then"),
    [
        (("chat", "list"), "history add"),
        (("memory", "list"), "history add"),
        (("memory", "search", "tea"), "history add"),
        (("note", "list"), "note add"),
        (("errors", "list"), "errors write"),
        (("errors", "mine"), "history add"),
        (("usage",), "usage --period all"),
        (("history", "status"), "history add"),
    ],
)
def test_an_empty_home_says_what_to_type_next(run, arguments, then):
    outcome = run(*arguments)
    assert outcome.code == 0
    assert f"'fieldguide {then}" in outcome.out + outcome.err
