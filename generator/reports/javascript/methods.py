"""What methods of strings, arrays, elements and functions of the page give."""

from __future__ import annotations

from collections.abc import Sequence as Items
from typing import TYPE_CHECKING, Any

from generator.reports.javascript.functions import call_function
from generator.reports.javascript.joining import joined
from generator.reports.javascript.literals import constant
from generator.reports.javascript.properties import anything_in
from generator.reports.javascript.strings import string_method
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    NOTHING,
    ElementOf,
    Env,
    Function,
    Known,
    Method,
    Sequence,
    Text,
    Thunk,
    Values,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator


def call_method(evaluator: Evaluator, method: Method, arguments: Items[Node], env: Env) -> Values:
    """Return what a method gives that was taken from a value of the page."""
    base, name = method.base, method.name
    if isinstance(base, Known) and isinstance(base.value, str):
        return _call_on_string(
            base.value, name, [evaluator.values(item, env) for item in arguments]
        )
    if isinstance(base, Text):
        return (Text(("", "")),) if name not in {"split", "match", "indexOf"} else NOTHING
    if isinstance(base, Sequence):
        return _call_on_sequence(evaluator, base, name, arguments, env)
    if isinstance(base, ElementOf):
        if name in {"querySelector", "closest"} and arguments:
            found = evaluator.texts(arguments[0], env)
            return tuple(ElementOf("selector", text) for text in found) or (ElementOf("some"),)
        if name in {"appendChild", "insertBefore", "cloneNode", "append"}:
            if name == "cloneNode" or not arguments:
                return (ElementOf("created"),)
            return evaluator.values(arguments[0], env)
        if name in {"getContext"}:
            return NOTHING
        return NOTHING
    if isinstance(base, Function) and name in {"call", "bind"}:
        rest = list(arguments)[1:]
        if name == "bind":
            return (base,) if not rest else NOTHING
        return evaluator.call(base, rest, env)
    return NOTHING


def _call_on_sequence(
    evaluator: Evaluator, base: Sequence, name: str, arguments: Items[Node], env: Env
) -> Values:
    if name == "join":
        separators = evaluator.texts(arguments[0], env) if arguments else [","]
        if not separators or base.open:
            return (Text(("", "")),)
        pieces: list[Values] = []
        for index, item in enumerate(base.items):
            if index:
                pieces.append((Known(separators[0]),))
            pieces.append(item())
        return joined(pieces)
    if name == "reverse":
        return (Sequence(base.items[::-1], base.open),)
    if name in {"filter", "sort", "slice", "flat", "toSorted", "toReversed", "values"}:
        return (Sequence(base.items, open=base.open or name != "values"),)
    if name in {"at", "find", "pop", "shift", "findLast"}:
        return anything_in(base)
    if name == "concat":
        items = list(base.items)
        is_open = base.open
        for argument in arguments:
            for value in evaluator.values(argument, env):
                if isinstance(value, Sequence):
                    items.extend(value.items)
                    is_open = is_open or value.open
                else:
                    is_open = True
        return (Sequence(tuple(items), is_open),)
    if name == "map" and arguments:
        return _mapped(evaluator, base, evaluator.values(arguments[0], env))
    return NOTHING


def _mapped(evaluator: Evaluator, base: Sequence, functions: Values) -> Values:
    if len(functions) != 1 or not isinstance(functions[0], Function):
        return (Sequence((), open=True),)
    function = functions[0]

    def of(item: Thunk) -> Thunk:
        return lambda: call_function(evaluator, function, [item(), NOTHING])

    return (Sequence(tuple(of(item) for item in base.items), base.open),)


def _call_on_string(text: str, name: str, arguments: list[Values]) -> Values:
    plain: list[Any] = []
    for options in arguments:
        if len(options) != 1 or not isinstance(options[0], Known):
            return (Text(("", "")),) if name in {"concat", "padEnd", "replace"} else NOTHING
        plain.append(options[0].value)
    try:
        result = string_method(text, name, plain)
    except LookupError:
        return NOTHING
    if isinstance(result, list):
        return (Sequence(tuple(constant(part) for part in result)),)
    return (Known(result),)
