"""Destructuring patterns: which targets they write to, and which part of the value each gets."""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.javascript.scopes import REST, Step, Write
from generator.reports.javascript.syntax import Node


def targets_of(
    pattern: Node, write: Write | None, expressions: list[Node]
) -> Iterator[tuple[Node, Write | None]]:
    """Yield the targets of a pattern with what is written to each.

    Args:
        pattern: A name, a member expression, or a destructuring pattern of them.
        write: What is written to the whole, None when nothing is.
        expressions: Defaults and computed keys inside the pattern are expressions and are added
            here.
    """
    stack: list[tuple[Node, Write | None]] = [(pattern, write)]
    while stack:
        target, found = stack.pop()
        kind = target.type
        if kind == "AssignmentPattern":
            expressions.append(target.right)
            if found is not None:
                found = Write(found.kind, found.node, found.path, target.right, found.index)
            stack.append((target.left, found))
        elif kind == "ObjectPattern":
            for item in reversed(target.properties):
                if item.type == "RestElement":
                    stack.append((item.argument, _step(found, REST)))
                    continue
                key: Step = item.key
                if item.computed:
                    expressions.append(item.key)
                else:
                    key = item.key.name if item.key.type == "Identifier" else str(item.key.value)
                stack.append((item.value, _step(found, key)))
        elif kind == "ArrayPattern":
            for index in range(len(target.elements) - 1, -1, -1):
                item = target.elements[index]
                if item is None:
                    continue
                if item.type == "RestElement":
                    stack.append((item.argument, _step(found, REST)))
                else:
                    stack.append((item, _step(found, index)))
        elif kind == "RestElement":
            stack.append((target.argument, _step(found, REST)))
        else:
            yield target, found


def _step(write: Write | None, step: Step) -> Write | None:
    if write is None:
        return None
    return Write(write.kind, write.node, (*write.path, step), None, write.index)
