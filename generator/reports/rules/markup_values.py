"""What the checks of written markup share: which values are markup, empty, data or elements."""

from __future__ import annotations

import re

from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import ElementOf, Known, Record, Text, Value, Values
from generator.reports.rules.base import Problem

#: Properties whose text becomes markup.
PROPERTIES = frozenset({"innerHTML", "outerHTML", "srcdoc"})
_TAG = re.compile(r"<[a-zA-Z/!]")


def problem(offset: int, what: str) -> Problem:
    """Return the problem of a write through ``what``."""
    return Problem(offset=offset, message=f"This script writes markup through {what}.")


def unknown_key(offset: int) -> Problem:
    """Return the warning that a property's name cannot be known."""
    return Problem(
        offset=offset,
        message="Which property of the element is written cannot be known from the page.",
        fix="Write the property by its name, such as element.textContent.",
        severity="warning",
    )


def is_empty(values: Values) -> bool:
    """Tell whether a value is surely empty text or null, which clears."""
    return bool(values) and all(
        isinstance(value, Known) and value.value in {"", None} for value in values
    )


def all_data(values: Values) -> bool:
    """Tell whether a value is surely a plain object of the page's own."""
    return bool(values) and all(isinstance(value, Record) for value in values)


def is_element(values: Values) -> bool:
    """Tell whether a value may be an element."""
    return any(isinstance(value, ElementOf) for value in values)


def is_markup(value: Value) -> bool:
    """Tell whether a value is text that surely holds a tag."""
    if isinstance(value, Known) and isinstance(value.value, str):
        return bool(_TAG.search(value.value))
    return isinstance(value, Text) and any(_TAG.search(part) for part in value.parts)


def binding_is_global(identifier: Node) -> bool:
    """Tell whether a name is bound nowhere in the page."""
    return identifier.binding is None or identifier.binding.kind == "implicit"


def inside_with(node: Node) -> bool:
    """Tell whether a node stands in a ``with``."""
    while node.up is not None:
        node = node.up
        if node.type == "WithStatement":
            return True
    return False
