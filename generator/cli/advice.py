"""What to do next, worded for people: services advise tool calls, a person types commands."""

from __future__ import annotations

import re

# In order: what advice may name, and the command that does the same.
_COMMANDS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), command)
    for pattern, command in (
        (r"chat_history\(mode=list\)", "'fieldguide chat list'"),
        (r"\bwith mode=tool_list", "with 'fieldguide chat tools'"),
        (r"\bwith mode=list", "with 'fieldguide chat list'"),
        (r"conversation_list\b", "'fieldguide memory list'"),
        (r"conversation_read\(id='([^']*)'\)", r"'fieldguide memory read \1'"),
        (r"memory_search\(sources='([^']*)'\)", r"'fieldguide memory search --sources \1 WORDS'"),
        (r"memory_get\(ref='([^']*)'\)", r'"fieldguide memory get \'\1\'"'),
        (r"error_history\(keyword=\.\.\.\)", "'fieldguide errors search WORDS'"),
        (r"find_note\(keywords=\.\.\.\)", "'fieldguide note search WORDS'"),
        (r"memory_get\('([^']*)'\)", r"'fieldguide memory get \1'"),
        (r"\bmemory_search for\b", "'fieldguide memory search' for"),
        (r"\bmemory_save or memory_search printed it\b", "it was printed"),
        (r"\bwith write_error\b", "with 'fieldguide errors write'"),
        (r"usage_report\(period=all\)", "'fieldguide usage --period all'"),
        (r"\blook at status\(\)", "look at 'fieldguide history status'"),
        (r"\bmode=list for every tool", "'fieldguide tools list' for every tool"),
        (r"\bmemory_get with offset=", "the same command with --offset "),
        (r"\bthe same call with (offset|from|to)=", r"the same command with --\1 "),
        (r"\bread on with offset=", "read on with --offset "),
        (r"\bscope=full cuts\b", "--scope full cuts"),
    )
)

# The lines of an answer that advise; all others are what was found.
_ADVICE = re.compile(r"(?m)^(?:next:|note:|More:|Later:|Earlier:|No |\[\.\.\. ).*$")


def for_people(text: str) -> str:
    """Name commands where a message names tool calls.

    Args:
        text: A message with its advice.
    """
    for pattern, command in _COMMANDS:
        text = pattern.sub(command, text)
    return text


def answer_for_people(text: str) -> str:
    """Name commands in the advice of an answer, and leave what was found as it stands.

    Args:
        text: What a tool's rendering gave.
    """
    return _ADVICE.sub(lambda line: for_people(line.group()), text)
