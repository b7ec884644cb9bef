"""What becomes of an object or array that a name holds: properties set, items pushed, calls given it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator.reports.javascript.literals import later
from generator.reports.javascript.scopes import Binding, Write
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    MOST,
    NOTHING,
    Env,
    Record,
    Sequence,
    Thunk,
    Value,
    Values,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator

#: Calls that change nothing of what they are given.
_PURE = frozenset({"console", "JSON", "structuredClone", "Number", "String", "Math", "isNaN"})
_PURE_METHODS = frozenset({"keys", "values", "entries", "freeze", "isArray", "stringify"})


def changed(evaluator: Evaluator, value: Value, binding: Binding, env: Env) -> Value:
    """Add what is later written to the properties of an object that a name holds."""
    if not isinstance(value, Record):
        return value
    added: dict[str, list[Thunk]] = {}
    is_open = value.open
    for member, write in binding.changes:
        if member.computed:
            # Worked out only for literal keys: others would chase their own tail.
            if member.property.type != "Literal":
                is_open = True
                continue
            name = str(member.property.value)
        else:
            name = member.property.name
        added.setdefault(name, []).append(_later(evaluator, write, env))
    props = dict(value.props)
    for name, thunks in added.items():
        before = props.get(name)
        props[name] = _either([before, *thunks] if before is not None else thunks)
    return Record(props, is_open, value.node)


def grown(evaluator: Evaluator, value: Value, pushed: list[Node], env: Env) -> Value:
    """Add what is pushed onto an array that a name holds."""
    if not isinstance(value, Sequence):
        return value
    added = tuple(later(evaluator, node, env) for node in pushed if node.type != "SpreadElement")
    unclear = any(node.type == "SpreadElement" for node in pushed)
    return Sequence(value.items + added, open=True if unclear else value.open)


def pushed(binding: Binding) -> list[Node]:
    """Return what is pushed onto the array that a name holds."""
    found: list[Node] = []
    for ref in binding.refs:
        member = ref.up
        if (
            member is not None
            and member.type == "MemberExpression"
            and member.object is ref
            and not member.computed
            and member.property.name in {"push", "unshift"}
            and member.up is not None
            and member.up.type == "CallExpression"
            and member.up.callee is member
        ):
            found.extend(member.up.arguments)
    return found


def escapes(binding: Binding) -> bool:
    """Tell whether the object that a name holds is given to a call that may change it."""
    for ref in binding.refs:
        call = ref.up
        if call is None or call.type != "CallExpression" or call.callee is ref:
            continue
        callee = call.callee
        if callee.type == "Identifier" and callee.name in _PURE:
            continue
        if callee.type == "MemberExpression" and not callee.computed:
            base = callee.object
            if base.type == "Identifier" and (
                base.name in _PURE or callee.property.name in _PURE_METHODS
            ):
                continue
        return True
    return False


def _later(evaluator: Evaluator, write: Write, env: Env) -> Thunk:
    return lambda: evaluator.write(write, env)


def _either(thunks: list[Thunk]) -> Thunk:
    def all_of() -> Values:
        found: list[Value] = []
        for thunk in thunks[: 4 * MOST]:
            found.extend(thunk())
        return tuple(found) + (NOTHING if len(thunks) > 4 * MOST else ())

    return all_of
