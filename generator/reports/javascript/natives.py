"""What calls of the browser's own functions give, as far as names and elements go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.reports.javascript.json_values import parse_json_value
from generator.reports.javascript.strings import string_function
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    NOTHING,
    UNDEFINED,
    UNKNOWN,
    ElementOf,
    Env,
    Function,
    Known,
    Native,
    Record,
    Sequence,
    Setter,
    Text,
    Thunk,
    Value,
    Values,
    text_of,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator

_SAME = frozenset(
    {("Object", "freeze"), ("Object", "seal"), ("structuredClone",), ("String",), ("Array", "of")}
)
_MANY = frozenset(
    {
        ("document", "querySelectorAll"),
        ("document", "getElementsByClassName"),
        ("document", "getElementsByTagName"),
        ("document", "getElementsByName"),
    }
)


def call_native(evaluator: Evaluator, path: tuple[str, ...], nodes: list[Node], env: Env) -> Values:
    """Return what calling a function of the browser or of a library may give.

    Args:
        evaluator: Works out the arguments.
        path: The function, such as ``("document", "getElementById")``.
        nodes: The arguments.
        env: Known arguments of the functions around the call.
    """
    if path[-1] == "bind" and len(path) > 1:
        return (Native(path[:-1]),)
    if path[-1] == "call" and len(path) > 1:
        return call_native(evaluator, path[:-1], nodes[1:], env)
    first = nodes[0] if nodes else None
    if path == ("document", "getElementById"):
        return _elements(evaluator.texts(first, env), "id")
    if path == ("document", "querySelector"):
        return _elements(evaluator.texts(first, env), "selector")
    if path in {("document", "createElement"), ("document", "createElementNS")}:
        node = nodes[1] if len(nodes) > 1 and path[-1].endswith("NS") else first
        return _elements(evaluator.texts(node, env), "created", otherwise="created")
    if path in _MANY:
        return (Sequence((lambda: (ElementOf("some"),),), open=True),)
    if path in _SAME:
        return evaluator.values(first, env)
    if path in {("Object", "keys"), ("Object", "values"), ("Object", "entries")}:
        return _listed(evaluator, path[1], evaluator.values(first, env))
    if path == ("JSON", "stringify"):
        return (Text(("", "")),)
    if path == ("Object", "assign"):
        return _assigned(evaluator, nodes, env)
    if path == ("Object", "fromEntries"):
        return _from_entries(evaluator, evaluator.values(first, env))
    if path in {("Object", "getPrototypeOf"), ("Reflect", "getPrototypeOf")}:
        # What is asked of the prototype of a function is its constructor, which is the same.
        return tuple(
            value if isinstance(value, Function) else UNKNOWN
            for value in evaluator.values(first, env)
        )
    if path == ("Reflect", "get") and len(nodes) > 1:
        found: list[Value] = []
        for name in evaluator.texts(nodes[1], env):
            for base in evaluator.values(first, env):
                found.extend(evaluator.get(base, name))
        return tuple(found) or NOTHING
    if path == ("Array", "from"):
        return tuple(
            value if isinstance(value, Sequence) else Sequence((lambda: NOTHING,), open=True)
            for value in evaluator.values(first, env)
        )
    if path in {("Object", "getOwnPropertyDescriptor"), ("Reflect", "getOwnPropertyDescriptor")}:
        names = evaluator.texts(nodes[1], env) if len(nodes) > 1 else []
        return tuple(Record({"set": _just(Setter(name))}, open=True) for name in names) or NOTHING
    if path == ("Object", "getOwnPropertyDescriptors"):
        return (_descriptors(),)
    if path == ("JSON", "parse"):
        texts = evaluator.texts(first, env)
        return (parse_json_value(texts[0]),) if len(texts) == 1 else NOTHING
    return _text_call(evaluator, path, nodes, env)


def _text_call(evaluator: Evaluator, path: tuple[str, ...], nodes: list[Node], env: Env) -> Values:
    plain: list[Any] = []
    for node in nodes:
        options = evaluator.values(node, env)
        if len(options) != 1 or not isinstance(options[0], Known):
            return NOTHING
        plain.append(options[0].value)
    try:
        return (Known(string_function(path, plain)),)
    except LookupError:
        return NOTHING


def _elements(keys: list[str], how: str, otherwise: str = "some") -> Values:
    return tuple(ElementOf(how, key) for key in keys) or (ElementOf(otherwise),)


def _just(value: Value) -> Thunk:
    return lambda: (value,)


def _listed(evaluator: Evaluator, what: str, values: Values) -> Values:
    del evaluator
    found: list[Value] = []
    for value in values:
        if not isinstance(value, Record):
            found.append(Sequence((lambda: NOTHING,), open=True))
            continue
        items: list[Thunk] = []
        for name, thunk in value.props.items():
            if what == "keys":
                items.append(_just(Known(name)))
            elif what == "values":
                items.append(thunk)
            else:
                items.append(_just(Sequence((_just(Known(name)), thunk))))
        found.append(Sequence(tuple(items), value.open))
    return tuple(found)


def _descriptors() -> Record:
    """Return the descriptors of an element's markup properties; others are not told."""
    props: dict[str, Thunk] = {
        name: _just(Record({"set": _just(Setter(name))}, open=True))
        for name in ("innerHTML", "outerHTML", "srcdoc")
    }
    return Record(props, open=True)


def _from_entries(evaluator: Evaluator, values: Values) -> Values:
    """Return the objects that ``Object.fromEntries`` makes of lists of pairs."""
    found: list[Value] = []
    for value in values:
        props: dict[str, Thunk] = {}
        is_open = not isinstance(value, Sequence) or value.open
        for item in value.items if isinstance(value, Sequence) else ():
            for pair in item():
                keys = [text_of(key) for key in evaluator.get(pair, "0")]
                is_open = is_open or None in keys
                for key in keys:
                    if key is not None:
                        props[key] = _second_of(evaluator, pair)
        found.append(Record(props, is_open))
    return tuple(found)


def _second_of(evaluator: Evaluator, pair: Value) -> Thunk:
    return lambda: evaluator.get(pair, "1")


def _assigned(evaluator: Evaluator, nodes: list[Node], env: Env) -> Values:
    """Merge the arguments of ``Object.assign`` where all are objects of the page."""
    props: dict[str, Thunk] = {}
    is_open = False
    for index, node in enumerate(nodes):
        values = evaluator.values(node, env)
        if index == 0 and not all(isinstance(value, Record) for value in values):
            return values
        for value in values:
            if isinstance(value, Record):
                props.update(value.props)
                is_open = is_open or value.open
            elif value not in {Known(None), Known(UNDEFINED)}:
                is_open = True
    return (Record(props, is_open),)
