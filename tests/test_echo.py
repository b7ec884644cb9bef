"""What a caller gave comes back short and harmless, whichever tool or command refuses it."""

import re

import pytest

from generator.echo import SENTENCE_MAX, harmless, quoted, shown
from generator.exceptions import FieldguideError
from generator.tools import TOOLS, get_tool

HUGE = "Q" * 50_000
STEERING = "\x1b[31mred\x07\r\u202ex\x9b"
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def test_a_value_is_cut_and_escaped():
    assert quoted("tea") == "'tea'"
    assert quoted(HUGE, 10) == "'QQQQQQQQQ…'"
    assert shown("a\nnext: do\x1b[2J") == r"a\nnext: do\x1b[2J"
    assert shown("茶 ☕") == "茶 ☕"


def test_a_sentence_keeps_both_ends():
    whole = harmless(f"{HUGE} could not be read: no such file.")
    assert len(whole) < SENTENCE_MAX + 10
    assert whole.endswith("could not be read: no such file.")
    assert str(FieldguideError("a\x1b[2Jb\nc", hint="d\u202ee")) == "a\\x1b[2Jb\nc d\\u202ee"


def refusals(tool, workspace):
    """Call a tool with each argument wrong in turn; yield what it answers on each."""
    names = tool.arguments.model_json_schema().get("properties", {})
    for name in [*names, f"{STEERING}{HUGE}"]:
        for value in (HUGE, STEERING, [HUGE], {HUGE: HUGE}, {STEERING: 1}, [[STEERING]]):
            try:
                tool.call({**tool.example, name: value}, workspace)
            except FieldguideError as error:
                yield name, tool.failure_text(error)


@pytest.mark.parametrize("name", TOOLS)
def test_no_tool_repeats_a_huge_argument_or_one_that_steers_a_terminal(name, workspace):
    count = 0
    for argument, text in refusals(get_tool(name), workspace):
        count += 1
        assert "Q" * 400 not in text, argument
        assert not _STEERING.search(text), (argument, text[:300])
        assert len(text) < 3_000, argument
    assert count


@pytest.mark.parametrize(
    "arguments",
    [
        ("frob@",),
        ("guide", "@"),
        ("memory", "search", "--limit", "@", "tea"),
        ("check", "--@"),
        ("check", "@"),
        ("report", "check", "@"),
        ("config", "get", "@"),
        ("config", "set", "timezone", "@"),
        ("history", "forget", "@"),
        ("history", "add", "@"),
        ("tools", "list", "@"),
        ("note", "read", "@"),
        ("usage", "--after", "@"),
        ("call", "@"),
    ],
)
@pytest.mark.parametrize("value", [HUGE, STEERING], ids=["huge", "steering"])
def test_no_command_repeats_it_either(run, arguments, value):
    outcome = run(*(argument.replace("@", value) for argument in arguments))
    assert outcome.code in (1, 2)
    assert len(outcome.err) < 2_000
    assert not _STEERING.search(outcome.err)
