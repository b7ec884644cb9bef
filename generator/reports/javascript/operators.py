"""Operators: joining, arithmetic, choices between values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.reports.javascript.joining import joined
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import NOTHING, UNDEFINED, Env, Known, Values, is_text

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator


def binary(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``+`` joins or sums, and what other arithmetic on known numbers gives."""
    if node.operator != "+":
        return _arithmetic(evaluator, node, env)
    terms: list[Node] = []
    while node.type == "BinaryExpression" and node.operator == "+":
        terms.append(node.right)
        node = node.left
    terms.append(node)
    terms.reverse()
    values = [evaluator.values(term, env) for term in terms]
    if not any(is_text(value) for options in values for value in options):
        numbers = [_number(options) for options in values]
        if all(number is not None for number in numbers):
            return (Known(sum(number for number in numbers if number is not None)),)
        return NOTHING
    return joined(values)


def _arithmetic(evaluator: Evaluator, node: Node, env: Env) -> Values:
    left, right = (
        _number(evaluator.values(node.left, env)),
        _number(evaluator.values(node.right, env)),
    )
    if left is None or right is None:
        return NOTHING
    try:
        if node.operator == "-":
            return (Known(left - right),)
        if node.operator == "*":
            return (Known(left * right),)
        if node.operator == "/" and right:
            return (Known(left / right),)
    except OverflowError:
        return NOTHING
    return NOTHING


def conditional(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return both branches of ``test ? a : b``."""
    return evaluator.values(node.consequent, env) + evaluator.values(node.alternate, env)


def logical(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``&&``, ``||`` and ``??`` may hand on."""
    left = evaluator.values(node.left, env)
    if node.operator == "&&":
        return evaluator.values(node.right, env)
    kept = tuple(
        value
        for value in left
        if not (isinstance(value, Known) and (value.value is None or value.value is UNDEFINED))
        and not (node.operator == "||" and isinstance(value, Known) and not value.value)
    )
    return kept + evaluator.values(node.right, env)


def unary(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``void`` and a minus sign give."""
    if node.operator == "void":
        return (Known(UNDEFINED),)
    if node.operator == "-":
        number = _number(evaluator.values(node.argument, env))
        return NOTHING if number is None else (Known(-number),)
    return NOTHING


def sequence(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return the last of ``(a, b, c)``."""
    return evaluator.values(node.expressions[-1], env)


def assignment(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``a = b`` hands on."""
    return evaluator.values(node.right, env) if node.operator == "=" else NOTHING


def inner(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``await x`` and ``a?.b`` are about."""
    return evaluator.values(
        node.expression if node.type == "ChainExpression" else node.argument, env
    )


def _number(values: Values) -> float | None:
    if len(values) != 1 or not isinstance(values[0], Known):
        return None
    plain = values[0].value
    return plain if isinstance(plain, int | float) and not isinstance(plain, bool) else None
