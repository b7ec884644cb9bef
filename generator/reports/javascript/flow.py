"""Which writes to a name can be what a use of it reads.

Followed is straight-line code: a statement that always runs before the use, in a block around it,
replaces what was written earlier in the same function, and what stands after a use is not read by
it unless a loop leads back. Everything else, writes in other functions above all, may be read.
"""

from __future__ import annotations

from generator.reports.javascript.scopes import FUNCTIONS, Binding, Write
from generator.reports.javascript.syntax import Node

#: Names with more writes are not followed: looking at each for each use would take too long.
_MOST_WRITES = 50
_LOOPS = frozenset(
    {"ForStatement", "ForInStatement", "ForOfStatement", "WhileStatement", "DoWhileStatement"}
)


def reaching(use: Node, binding: Binding) -> list[Write]:
    """Return the writes to a name that one use of it may read.

    Args:
        use: The identifier.
        binding: What it means.
    """
    writes = binding.writes
    if not 1 < len(writes) <= _MOST_WRITES:
        return writes
    around, root, looped = _surroundings(use)
    here = use.range[0]
    last: Write | None = None
    for write in writes:
        statement = _plain_statement(write)
        if statement is None or id(statement.up) not in around or statement.range[1] > here:
            continue
        if last is None or write.node.range[0] > last.node.range[0]:
            last = write
    kept = []
    for write in writes:
        if write is last:
            kept.append(write)
            continue
        if last is not None and _declares(write):
            # What a name starts with is gone once a write before the use has run, wherever that is.
            continue
        if _root(write.node) is root:
            at = write.node.range[0]
            replaced = last is not None and at < last.node.range[0]
            later = not looped and write.node.range[1] > here
            if replaced or later:
                continue
        kept.append(write)
    return kept


def _surroundings(use: Node) -> tuple[set[int], Node, bool]:
    """Return the blocks around a use inside its function, the function, whether a loop is among."""
    around: set[int] = set()
    looped = False
    node = use
    while node.up is not None and node.type not in FUNCTIONS:
        node = node.up
        around.add(id(node))
        looped = looped or node.type in _LOOPS
    return around, node, looped


def _root(node: Node) -> Node:
    """Return the function or program around a node, the node itself when it is a function."""
    while node.up is not None and node.type not in FUNCTIONS:
        node = node.up
    return node


def _declares(write: Write) -> bool:
    """Tell whether a write is the start value of a declaration."""
    up = write.node.up
    return write.kind == "value" and up is not None and up.type == "VariableDeclarator"


def _plain_statement(write: Write) -> Node | None:
    """Return the statement that does nothing but this write, None when it is part of more."""
    if write.path or write.kind not in {"value", "compound", "opaque"}:
        return None
    inner = write.node.up if write.kind == "value" else write.node
    if inner is None or inner.up is None:
        return None
    if inner.type in {"AssignmentExpression", "UpdateExpression"}:
        if write.kind == "value" and inner.operator != "=":
            return None
        if inner.up.type != "ExpressionStatement":
            return None
    elif inner.type != "VariableDeclarator" or inner.up.type != "VariableDeclaration":
        return None
    statement: Node = inner.up
    block = statement.up
    return statement if block is not None and block.type in {"Program", "BlockStatement"} else None
