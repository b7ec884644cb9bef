"""Which tool to try first for which question: several tools recall, and an agent must choose.

The guide ``recall``, the instructions of the MCP server, the descriptions of the tools and the
reference all read this table.
"""

from __future__ import annotations

# Tool: what it answers best, each with the call.
QUESTIONS: dict[str, dict[str, str]] = {
    "memory_search": {
        "where was this ever mentioned": 'memory_search(query="ferry timetable pdf")',
    },
    "memory_get": {
        "the whole text behind a hit": 'memory_get(ref="conversation:conv-3b70#57")',
    },
    "conversation_read": {
        "the talk around it, with its tool calls": 'conversation_read(id="3b70", from=55, to=60)',
    },
    "conversation_list": {
        "what was talked about, and when": 'conversation_list(query="travel", limit=20)',
    },
    "memory": {
        "what happened on a day": 'memory(mode=read, date="2026-05-03")',
        "a period in brief": 'memory(mode=summarize, since="2026-04-01", until="2026-04-30")',
        'what "my question" or "that file" means': "memory(mode=read, referent=true)",
    },
    "chat_history": {
        "a result already paid for in this session": "chat_history(mode=tool_list)",
    },
    "error_history": {
        "a fix for this error message": 'error_history(keyword="ECONNREFUSED 127.0.0.1:5432")',
    },
    "find_note": {
        "the operator's standing rules": 'find_note(mode=search, keywords="deploy")',
    },
    "usage_report": {
        "what it cost": "usage_report(period=today)",
    },
    "status": {
        "what the index holds, and since when": "status(mode=memory)",
    },
}


def first_for(tool: str) -> str:
    """Say for which questions a tool is the first to try.

    Args:
        tool: Its name.

    Returns:
        The questions with ``; `` between, or "" when the table has none.
    """
    return "; ".join(QUESTIONS.get(tool, {}))


def table_rows() -> list[tuple[str, str]]:
    """Return each question with its call, in table order."""
    return [(question, call) for calls in QUESTIONS.values() for question, call in calls.items()]
