"""Fieldguide: a handbook, a report desk and a memory for AI agents, made of plain files.

The public functions are those of ``__all__``, one for each tool; they are
loaded when first used, so that ``import generator`` stays light.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what type checkers and editors see of the table below
    from generator.tools.error_history import error_history as error_history
    from generator.tools.find_note import find_note as find_note
    from generator.tools.find_tools import find_tools as find_tools
    from generator.tools.functions import chat_history as chat_history
    from generator.tools.functions import conversation_list as conversation_list
    from generator.tools.functions import conversation_read as conversation_read
    from generator.tools.functions import memory as memory
    from generator.tools.functions import memory_get as memory_get
    from generator.tools.functions import memory_search as memory_search
    from generator.tools.functions import status as status
    from generator.tools.functions import wolffish_recall as wolffish_recall
    from generator.tools.functions import write_report as write_report
    from generator.tools.memory_save import memory_save as memory_save
    from generator.tools.reasoning_guide import reasoning_guide as reasoning_guide
    from generator.tools.usage_report import usage_report as usage_report
    from generator.tools.write_error import write_error as write_error
    from generator.tools.write_result import write_result as write_result

__version__ = "0.1.0"

# name: the module that defines it. A new public function is a line here and one above.
_PUBLIC = {
    "reasoning_guide": "generator.tools.reasoning_guide",
    "write_result": "generator.tools.write_result",
    "write_error": "generator.tools.write_error",
    "error_history": "generator.tools.error_history",
    "memory_save": "generator.tools.memory_save",
    "find_note": "generator.tools.find_note",
    "find_tools": "generator.tools.find_tools",
    "usage_report": "generator.tools.usage_report",
    "chat_history": "generator.tools.functions",
    "conversation_list": "generator.tools.functions",
    "conversation_read": "generator.tools.functions",
    "memory": "generator.tools.functions",
    "memory_get": "generator.tools.functions",
    "memory_search": "generator.tools.functions",
    "status": "generator.tools.functions",
    "wolffish_recall": "generator.tools.functions",
    "write_report": "generator.tools.functions",
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604 - names come from the table


def __getattr__(name: str) -> Any:
    """Load a public function on first use."""
    if name in _PUBLIC:
        from importlib import import_module

        value = globals()[name] = getattr(import_module(_PUBLIC[name]), name)
        return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
