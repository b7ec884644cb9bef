"""What a name may mean: everything that is written to it, followed to where it comes from."""

from __future__ import annotations

from collections.abc import Sequence as Items
from typing import TYPE_CHECKING, Any

from generator.reports.javascript.changes import changed, escapes, grown, pushed
from generator.reports.javascript.flow import reaching
from generator.reports.javascript.functions import parameter
from generator.reports.javascript.joining import joined
from generator.reports.javascript.properties import each_item, get_all, global_name
from generator.reports.javascript.scopes import REST, Binding, Write
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    NOTHING,
    UNDEFINED,
    UNKNOWN,
    Class,
    Env,
    Function,
    Imported,
    Known,
    Native,
    Record,
    Unknown,
    Value,
    Values,
    is_text,
    text_of,
)

if TYPE_CHECKING:
    from generator.reports.javascript.evaluate import Evaluator


def identifier(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what a name may mean where it is used."""
    binding: Binding | None = node.binding
    if binding is None:
        return global_name(node.name)
    if env and binding in env:
        return env[binding]
    return evaluator.binding(binding, env, reaching(node, binding))


def bound_values(evaluator: Evaluator, binding: Binding, env: Env, writes: Items[Write]) -> Values:
    """Return what a name may mean after the given writes to it."""
    found: list[Value] = []
    for write in writes:
        found.extend(written(evaluator, write, env))
    if binding.kind == "implicit" and not found:
        found.append(UNKNOWN)
    if not binding.writes and binding.kind != "implicit":
        found.append(Known(UNDEFINED))
    if binding.changes:
        found = [changed(evaluator, value, binding, env) for value in found]
    if any(isinstance(value, Record) for value in found) and escapes(binding):
        # A function that is given an object may add to it.
        found = [
            Record(value.props, open=True, node=value.node) if isinstance(value, Record) else value
            for value in found
        ]
    items = pushed(binding)
    if items:
        found = [grown(evaluator, value, items, env) for value in found]
    return tuple(found)


def written(evaluator: Evaluator, write: Write, env: Env = None) -> Values:
    """Return what one write gives."""
    kind = write.kind
    if kind == "value":
        base = evaluator.values(write.node, env)
    elif kind == "each":
        base = each_item(evaluator, write.node, env)
    elif kind == "keys":
        base = _keys(evaluator, write.node, env)
    elif kind == "param":
        base = parameter(evaluator, write.node, write.index)
    elif kind == "function":
        return (Function(write.node, env),)
    elif kind == "class":
        return (Class(write.node),)
    elif kind == "import":
        return (_imported(write.node),)
    elif kind == "compound":
        return _compound(evaluator, write.node, env)
    else:
        return NOTHING
    for step in write.path:
        base = _step(evaluator, base, step, env)
    if write.default is not None and any(
        isinstance(value, Unknown) or value == Known(UNDEFINED) for value in base
    ):
        kept = tuple(value for value in base if value != Known(UNDEFINED))
        base = kept + evaluator.values(write.default, env)
    return base


def _step(evaluator: Evaluator, base: Values, step: Any, env: Env) -> Values:
    if step is REST:
        return NOTHING
    if isinstance(step, int):
        return get_all(evaluator, base, str(step))
    if isinstance(step, str):
        return get_all(evaluator, base, step)
    found: list[Value] = []
    for key in evaluator.values(step, env):
        name = text_of(key)
        found.extend(NOTHING if name is None else get_all(evaluator, base, name))
    return tuple(found)


def _keys(evaluator: Evaluator, node: Node, env: Env) -> Values:
    found: list[Value] = []
    for value in evaluator.values(node, env):
        if isinstance(value, Record):
            found.extend(Known(name) for name in value.props)
            if value.open:
                found.append(UNKNOWN)
        else:
            found.append(UNKNOWN)
    return tuple(found)


def _compound(evaluator: Evaluator, node: Node, env: Env) -> Values:
    if node.operator != "+=":
        return NOTHING
    left = evaluator.values(node.left, env) if node.left.type == "Identifier" else NOTHING
    right = evaluator.values(node.right, env)
    if any(is_text(value) for value in (*left, *right)):
        return joined([left, right])
    return NOTHING


def _imported(specifier: Node) -> Imported:
    source = str(specifier.source)
    if specifier.type == "ImportDefaultSpecifier":
        return Imported(source, "default")
    if specifier.type == "ImportNamespaceSpecifier":
        return Imported(source, "*")
    imported = specifier.imported
    return Imported(source, imported.name if imported.type == "Identifier" else imported.value)


def dynamic_import(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return the module that ``import()`` gives."""
    return tuple(Imported(text, "*") for text in evaluator.texts(node.source, env)) or NOTHING


def this(evaluator: Evaluator, node: Node, env: Env) -> Values:
    """Return what ``this`` is outside functions and classes."""
    up = node.up
    while up.up is not None:
        if up.type in {"FunctionDeclaration", "FunctionExpression", "ClassBody"}:
            return NOTHING
        up = up.up
    return (Native(("window",)),) if up.sourceType == "script" else (Known(UNDEFINED),)
