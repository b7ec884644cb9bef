"""The one table of tools. MCP, the command line, Python and the catalog all read it.

A tool is one module here with a ``TOOL``; a line in the table makes it exist. The table holds
module names instead of modules so that a door imports only the tools it calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Any

from generator.exceptions import UnknownNameError
from generator.tools.base import Tool

TOOLS: dict[str, str] = {
    "reasoning_guide": "generator.tools.reasoning_guide",
    "write_result": "generator.tools.write_result",
    "write_report": "generator.tools.write_report",
    "error_history": "generator.tools.error_history",
    "write_error": "generator.tools.write_error",
    "memory_save": "generator.tools.memory_save",
    "find_note": "generator.tools.find_note",
    "find_tools": "generator.tools.find_tools",
    "chat_history": "generator.tools.chat_history",
    "memory": "generator.tools.memory",
    "memory_search": "generator.tools.memory_search",
    "memory_get": "generator.tools.memory_get",
    "conversation_list": "generator.tools.conversation_list",
    "conversation_read": "generator.tools.conversation_read",
    "wolffish_recall": "generator.tools.wolffish_recall",
    "usage_report": "generator.tools.usage_report",
    "status": "generator.tools.status",
}


def get_tool(name: str) -> Tool[Any, Any]:
    """Return a tool by name, importing its module.

    Raises:
        UnknownNameError: There is no such tool.
    """
    if name not in TOOLS:
        raise UnknownNameError("tool", name, list(TOOLS))
    tool = import_module(TOOLS[name]).TOOL
    assert isinstance(tool, Tool)
    return tool


def all_tools() -> Iterator[Tool[Any, Any]]:
    """Yield every tool in table order, importing their modules."""
    for name in TOOLS:
        yield get_tool(name)
