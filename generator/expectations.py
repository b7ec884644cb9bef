"""What a value should have been, in our words, from an item that a model's validation reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from generator.counting import counted
from generator.echo import shown

_SEEN = 60


def _items(context: Mapping[str, Any], bound: str) -> str:
    count = context[bound]
    return counted(count, "item")


_TEXT = "should be text"
_LIST = "should be a list"
_OBJECT = "should be an object"
_FLAG = "should be true or false"
_WHOLE = "should be a whole number"
_NUMBER = "should be a number"

# pydantic's kind of error: our clause; what is missing here keeps pydantic's wording.
_CLAUSES: dict[str, str | Callable[[Mapping[str, Any]], str]] = {
    "string_type": _TEXT,
    "string_unicode": _TEXT,
    "list_type": _LIST,
    "tuple_type": _LIST,
    "dict_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "bool_type": _FLAG,
    "bool_parsing": _FLAG,
    "int_type": _WHOLE,
    "int_parsing": _WHOLE,
    "int_parsing_size": _WHOLE,
    "int_from_float": _WHOLE,
    "finite_number": _NUMBER,
    "float_type": _NUMBER,
    "float_parsing": _NUMBER,
    "literal_error": lambda context: f"should be {context['expected']}",
    "greater_than": lambda context: f"should be more than {context['gt']}",
    "greater_than_equal": lambda context: f"should be at least {context['ge']}",
    "less_than": lambda context: f"should be less than {context['lt']}",
    "less_than_equal": lambda context: f"should be at most {context['le']}",
    "too_short": lambda context: f"should hold at least {_items(context, 'min_length')}",
    "too_long": lambda context: f"should hold at most {_items(context, 'max_length')}",
    "string_too_short": lambda context: f"should have at least {context['min_length']} characters",
    "string_too_long": lambda context: f"should have at most {context['max_length']} characters",
}


def expectation(item: Mapping[str, Any]) -> str:
    """Say what a value should have been.

    Args:
        item: One item of ``ValidationError.errors()``.

    Returns:
        A clause that continues the value's name, such as ``should be at least 1``.
    """
    clause = _CLAUSES.get(item["type"])
    if isinstance(clause, str):
        return clause
    if clause is not None:
        return clause(item["ctx"])
    message = str(item["msg"]).removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return message.removeprefix("Input ")


def seen(item: Mapping[str, Any]) -> str:
    """Show the value that did not fit as JSON, shortened to one line.

    Args:
        item: One item of ``ValidationError.errors()``.
    """
    return shown(json.dumps(item.get("input"), ensure_ascii=False, default=str), _SEEN)
