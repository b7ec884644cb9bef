"""Whether an expression is a jQuery or d3 selection: chains and aliases of ``$(...)``, ``d3...``."""

from __future__ import annotations

from typing import Literal

from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import Native
from generator.reports.page import Page

_LONGEST_CHAIN = 500


def selection_of(page: Page, node: Node) -> Literal["jquery", "d3"] | None:
    """Return which library's selection an expression is, None when neither or not known.

    Args:
        page: The page.
        node: What a method is called on, such as ``$("#a").find("b")``.
    """
    for _ in range(_LONGEST_CHAIN):
        if node.type == "CallExpression":
            node = node.callee
        elif node.type in {"MemberExpression"}:
            node = node.object
        elif node.type == "ChainExpression":
            node = node.expression
        elif node.type == "Identifier" and node.binding is not None:
            writes = [write for write in node.binding.writes if write.kind == "value"]
            if len(writes) != 1 or writes[0].path:
                return None
            node = writes[0].node
        else:
            break
    if node.type != "Identifier":
        return None
    for value in page.evaluator.values(node):
        if isinstance(value, Native) and value.path[0] in {"$", "jQuery"}:
            return "jquery"
        if isinstance(value, Native) and value.path[0] == "d3":
            return "d3"
    return None
