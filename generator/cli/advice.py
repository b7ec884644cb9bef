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
    )
)


def for_people(text: str) -> str:
    """Name commands where a message names tool calls.

    Args:
        text: A message with its advice.
    """
    for pattern, command in _COMMANDS:
        text = pattern.sub(command, text)
    return text
