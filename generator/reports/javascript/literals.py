"""Literals: text, numbers, templates, objects, arrays, functions and classes as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.reports.javascript.functions import call_function
from generator.reports.javascript.joining import joined
from generator.reports.javascript.properties import plain_key
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    MOST,
    NOTHING,
    Class,
    Env,
    Function,
    Known,
    Native,
    Record,
    Sequence,
    Thunk,
    Values,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator


def literal(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return a string, number, boolean or null; regular expressions and big integers are unknown."""
    if getattr(node, "regex", None) is not None or (node.raw or "").endswith("n"):
        return NOTHING
    return (Known(node.value),)


def template(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return the text of a template literal."""
    pieces: list[Values] = []
    for index, quasi in enumerate(node.quasis):
        pieces.append((Known(quasi.value.cooked or ""),))
        if index < len(node.expressions):
            pieces.append(evaluator.values(node.expressions[index], env))
    return joined(pieces)


def tagged_template(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``String.raw`` gives; other tags are unknown."""
    if Native(("String", "raw")) in evaluator.values(node.tag, env) and not node.quasi.expressions:
        return (Known(node.quasi.quasis[0].value.raw),)
    return NOTHING


def object_literal(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return an object literal, its values worked out when asked for."""
    props: dict[str, Thunk] = {}
    is_open = False
    for item in node.properties:
        if item.type == "SpreadElement":
            for value in evaluator.values(item.argument, env):
                if isinstance(value, Record):
                    props.update(value.props)
                    is_open = is_open or value.open
                else:
                    is_open = True
            continue
        names = [plain_key(item.key)] if not item.computed else evaluator.texts(item.key, env)
        if item.computed and not names:
            is_open = True
        for name in names:
            if item.kind == "get":
                props[name] = _got(evaluator, Function(item.value, env))
            elif item.kind == "set":
                props.setdefault(name, lambda: NOTHING)
            else:
                props[name] = later(evaluator, item.value, env)
    return (Record(props, is_open, node),)


def _got(evaluator: Evaluator, getter: Function) -> Thunk:
    return lambda: call_function(evaluator, getter, [])


def array_literal(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return an array literal, its items worked out when asked for."""
    items: list[Thunk] = []
    is_open = False
    for item in node.elements:
        if item is not None and item.type == "SpreadElement":
            for value in evaluator.values(item.argument, env):
                if isinstance(value, Sequence):
                    items.extend(value.items)
                    is_open = is_open or value.open
                elif isinstance(value, Known) and isinstance(value.value, str):
                    items.extend(constant(char) for char in value.value[: 4 * MOST])
                    is_open = is_open or len(value.value) > 4 * MOST
                else:
                    is_open = True
        else:
            items.append(later(evaluator, item, env))
    return (Sequence(tuple(items), is_open),)


def later(evaluator: Evaluator, node: Node | None, env: Env) -> Thunk:
    """Put off working an expression out until it is asked for."""
    return lambda: evaluator.values(node, env)


def function(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return a function expression with the arguments known around it."""
    return (Function(node, env),)


def class_(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return a class expression."""
    return (Class(node),)


def constant(text: str) -> Thunk:
    """Return known text as something to be asked for later."""
    return lambda: (Known(text),)
