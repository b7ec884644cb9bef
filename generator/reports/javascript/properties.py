"""Properties and items of values: ``window.document``, ``options.id``, ``names[0]``, loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.reports.javascript.scopes import WINDOW_NAMES
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    MOST,
    NOTHING,
    UNDEFINED,
    UNKNOWN,
    Class,
    ElementOf,
    Env,
    Function,
    Imported,
    Known,
    Made,
    Method,
    Native,
    Record,
    Sequence,
    Setter,
    Text,
    Value,
    Values,
    text_of,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator

#: Methods that take markup, whatever they are taken from.
MARKUP_METHODS = frozenset(
    {
        "insertAdjacentHTML",
        "createContextualFragment",
        "setHTMLUnsafe",
        "setHTML",
        "parseHTMLUnsafe",
    }
)
_DOCUMENTS = frozenset({"document", "ownerDocument", "contentDocument"})
_NULLISH = (Known(None), Known(UNDEFINED))
_WINDOWS = frozenset({"contentWindow", "defaultView"})
#: Parts of an element that hold plain text under names of the page's choosing.
_PLAIN_PARTS = frozenset({"dataset", "style"})
#: Constructors of the language: their own constructor compiles text.
CONSTRUCTORS = frozenset(
    (name,)
    for name in ("Array", "Boolean", "Date", "Function", "Map", "Number", "Object", "Set", "String")
)


def member(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``base.name`` or ``base[key]`` may be."""
    base = evaluator.values(node.object, env)
    names, all_known = evaluator.key(node, env)
    found: list[Value] = []
    for name in names:
        for value in base:
            if node.optional and value in _NULLISH:
                found.append(Known(UNDEFINED))
            else:
                found.extend(get_property(evaluator, value, name))
    if not all_known:
        for value in base:
            found.extend(anything_in(value))
    return tuple(found) if found else NOTHING


def get_all(evaluator: Evaluator, base: Values, name: str) -> Values:
    """Return a property of each of several values."""
    found: list[Value] = []
    for value in base:
        found.extend(get_property(evaluator, value, name))
    return tuple(found)


def get_property(evaluator: Evaluator, value: Value, name: str) -> Values:
    """Return a property of a value."""
    if isinstance(value, Native):
        if value.path == ("window",):
            bound = evaluator.page_scope.names.get(name)
            if bound is not None and bound.writes:
                return evaluator.binding(bound)
            return global_name(name)
        if name in _DOCUMENTS and value.path != ("document",):
            return (Native(("document",)),)
        if value.path == ("document",) and name in _WINDOWS:
            return (Native(("window",)),)
        if value.path == ("document",) and name in {"body", "head", "documentElement"}:
            return (ElementOf("some", name),)
        if name in MARKUP_METHODS:
            return (Method(value, name),)
        if name == "constructor" and value.path in CONSTRUCTORS:
            return (Native(("Function",)),)
        return (Native((*value.path, name)),)
    if isinstance(value, Record):
        thunk = value.props.get(name)
        if thunk is not None:
            return thunk()
        return NOTHING if value.open else (Known(UNDEFINED),)
    if isinstance(value, Sequence):
        return _item(evaluator, value, name)
    if isinstance(value, Known) and isinstance(value.value, str):
        if name == "length":
            return (Known(len(value.value)),)
        if name.isdecimal():
            at = int(name)
            return (Known(value.value[at] if at < len(value.value) else UNDEFINED),)
        return (Method(value, name),)
    if isinstance(value, Class):
        static = _static(value, name)
        if static is not None:
            return evaluator.values(static)
    if isinstance(value, Imported):
        return (Imported(value.source, name),) if value.name == "*" else NOTHING
    if isinstance(value, ElementOf) and name == "textContent" and value.how == "id":
        text = evaluator.element_text(value.key)
        return NOTHING if text is None else (Known(text),)
    if name in _DOCUMENTS:
        return (Native(("document",)),)
    if name in _WINDOWS:
        return (Native(("window",)),)
    if name == "constructor" and isinstance(value, Function | Class | Method):
        return (Native(("Function",)),)
    if name in _PLAIN_PARTS and isinstance(value, ElementOf):
        return (Record({}, open=True),)
    if isinstance(value, ElementOf | Text | Function | Made | Method | Setter):
        return (Method(value, name),)
    if name in MARKUP_METHODS:
        return (Method(value, name),)
    return NOTHING


def _item(evaluator: Evaluator, value: Sequence, name: str) -> Values:
    if name == "length":
        return NOTHING if value.open else (Known(len(value.items)),)
    if name.isdecimal() and len(name) < 9:
        at = int(name)
        if value.open:
            return anything_in(value)
        return value.items[at]() if at < len(value.items) else (Known(UNDEFINED),)
    return (Method(value, name),)


def iterated(value: Value) -> Values:
    """Return what a loop over a value meets."""
    if isinstance(value, Sequence):
        found: list[Value] = []
        for item in value.items[:200]:
            found.extend(item())
        if value.open or len(value.items) > 200:
            found.append(UNKNOWN)
        return tuple(found)
    if isinstance(value, Known) and isinstance(value.value, str):
        return tuple(Known(char) for char in dict.fromkeys(value.value[:50]))
    return NOTHING


def each_item(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what a loop over an expression meets."""
    found: list[Value] = []
    for value in evaluator.values(node, env):
        found.extend(iterated(value))
    return tuple(found)


def anything_in(value: Value) -> Values:
    """Return every item or property of a value."""
    found: list[Value] = []
    if isinstance(value, Sequence):
        for item in value.items[: 4 * MOST]:
            found.extend(item())
        if value.open or len(value.items) > 4 * MOST:
            found.append(UNKNOWN)
        return tuple(found) or (Known(UNDEFINED),)
    if isinstance(value, Record):
        for thunk in list(value.props.values())[: 4 * MOST]:
            found.extend(thunk())
        if value.open or len(value.props) > 4 * MOST:
            found.append(UNKNOWN)
        return tuple(found) or (Known(UNDEFINED),)
    return NOTHING


def global_name(name: str) -> Values:
    """Return what a name means that the page does not bind."""
    if name == "undefined":
        return (Known(UNDEFINED),)
    if name in WINDOW_NAMES:
        return (Native(("window",)),)
    return (Native((name,)),)


def _static(value: Class, name: str) -> Node | None:
    """Return what a static field of a class is given, None when it has no such field."""
    for item in value.node.body.body:
        if (
            item.type == "PropertyDefinition"
            and item.static
            and not item.computed
            and item.key.type in {"Identifier", "Literal"}
            and plain_key(item.key) == name
        ):
            found: Node | None = item.value
            return found
    return None


def plain_key(key: Node) -> str:
    """Return a key that is no expression, as text."""
    return key.name if key.type == "Identifier" else text_of(Known(key.value)) or ""
