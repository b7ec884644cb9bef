"""Functions of the page: what they return, where they are called, what their parameters may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.reports.javascript.properties import each_item
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    NOTHING,
    UNDEFINED,
    UNKNOWN,
    Function,
    Imported,
    Known,
    Value,
    Values,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator

#: Shift of a call that hands on what a promise gives; see :func:`call_sites`.
_SETTLED = -2
#: Functions of arrays that hand each item to the function they are given.
EACH = frozenset(
    {"forEach", "map", "filter", "some", "every", "find", "findIndex", "findLast", "flatMap"}
)


def call_function(evaluator: Evaluator, callee: Function, arguments: list[Values]) -> Values:
    """Return what a function of the page returns for these arguments."""
    node = callee.node
    if node.isAsync or node.generator:
        return NOTHING
    env = dict(callee.env) if callee.env else {}
    for index, param in enumerate(node.params):
        if param.type == "Identifier":
            env[param.binding] = arguments[index] if index < len(arguments) else (Known(UNDEFINED),)
    results = [node.body] if node.body.type != "BlockStatement" else node.returns
    found: list[Value] = []
    for result in results:
        found.extend(evaluator.values(result, env))
    return tuple(found) if found else (Known(UNDEFINED),)


def parameter(evaluator: Evaluator, function: Node, index: int) -> Values:
    """Return what a parameter may be, from every call of its function in the page."""
    calls, escapes = call_sites(evaluator, function)
    found: list[Value] = []
    for site, shift in calls:
        found.extend(_argument(evaluator, site, index, shift))
    if escapes or not found:
        found.append(UNKNOWN)
    return tuple(found)


def _argument(evaluator: Evaluator, site: Node, index: int, shift: int) -> Values:
    """Return argument ``index`` of a call; see :func:`call_sites` for ``shift``."""
    if shift == _SETTLED:
        promised = evaluator.values(site.callee.object) if index == 0 else NOTHING
        return tuple(value if isinstance(value, Imported) else UNKNOWN for value in promised)
    if shift >= 0:
        arguments = site.arguments[shift:]
        if any(item.type == "SpreadElement" for item in arguments[: index + 1]):
            return NOTHING
        return evaluator.values(arguments[index]) if index < len(arguments) else (Known(UNDEFINED),)
    return each_item(evaluator, site.callee.object, None) if index == 0 else NOTHING


def call_sites(evaluator: Evaluator, function: Node) -> tuple[list[tuple[Node, int]], bool]:
    """Find the calls of a function.

    Returns:
        Pairs of call and shift (how many arguments stand before its own; -1 when the call hands
        it each item of an array, -2 what a promise gives), and whether it also goes where calls
        cannot be seen.
    """
    up = function.up
    uses: list[Node] = []
    if function.type == "FunctionDeclaration":
        uses = list(function.id.binding.refs) if function.id is not None else []
    elif up is not None and up.type == "VariableDeclarator" and up.id.type == "Identifier":
        uses = list(up.id.binding.refs)
    elif up is not None and up.type == "AssignmentExpression" and up.left.type == "Identifier":
        binding = up.left.binding
        uses = [ref for ref in binding.refs if ref is not up.left] if binding else []
    else:
        uses = [function]
    sites: list[tuple[Node, int]] = []
    escapes = False
    for use in uses[:200]:
        site = _site(use)
        if site is None:
            escapes = True
        else:
            sites.append(site)
    return sites, escapes or len(uses) > 200


def _site(use: Node) -> tuple[Node, int] | None:
    call = use.up
    if call is None:
        return None
    if call.type == "CallExpression":
        if call.callee is use:
            return call, 0
        callee = call.callee
        if (
            call.arguments
            and call.arguments[0] is use
            and callee.type == "MemberExpression"
            and not callee.computed
            and callee.property.name in EACH
        ):
            return call, -1
        if (
            call.arguments
            and call.arguments[0] is use
            and callee.type == "MemberExpression"
            and not callee.computed
            and callee.property.name == "then"
        ):
            return call, _SETTLED
    elif call.type == "MemberExpression" and call.object is use and not call.computed:
        outer = call.up
        if (
            call.property.name == "call"
            and outer is not None
            and outer.type == "CallExpression"
            and outer.callee is call
        ):
            return outer, 1
    return None
