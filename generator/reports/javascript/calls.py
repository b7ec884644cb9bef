"""What calls and ``new`` give, whatever is called."""

from __future__ import annotations

from collections.abc import Sequence as Items
from typing import TYPE_CHECKING

from generator.reports.javascript.functions import call_function
from generator.reports.javascript.methods import call_method
from generator.reports.javascript.natives import call_native
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    NOTHING,
    UNKNOWN,
    Env,
    Function,
    Made,
    Method,
    Native,
    Value,
    Values,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator

#: ``new`` of these gives, for what is asked here, what it is given.
_TRANSPARENT = frozenset({("Set",), ("Map",), ("Proxy",), ("String",)})


def call_expression(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what a call may give."""
    found: list[Value] = []
    for callee in evaluator.values(node.callee, env):
        found.extend(call(evaluator, callee, node.arguments, env))
    return tuple(found) if found else NOTHING


def call(evaluator: Evaluator, callee: Value, arguments: Items[Node], env: Env) -> Values:
    """Return what calling a value may give."""
    if isinstance(callee, Native):
        return call_native(evaluator, callee.path, list(arguments), env)
    if isinstance(callee, Method):
        return call_method(evaluator, callee, arguments, env)
    if isinstance(callee, Function):
        return call_function(evaluator, callee, [evaluator.values(item, env) for item in arguments])
    return NOTHING


def new_expression(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``new X(...)`` gives."""
    found: list[Value] = []
    for callee in evaluator.values(node.callee, env):
        if isinstance(callee, Native):
            if callee.path in _TRANSPARENT and node.arguments:
                found.extend(evaluator.values(node.arguments[0], env))
            else:
                found.append(Made(callee.path))
        else:
            found.append(UNKNOWN)
    return tuple(found)
