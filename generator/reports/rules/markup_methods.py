"""Calls and hand-overs of methods and constructors that take markup."""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.javascript.scopes import Program
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.uses import Call
from generator.reports.javascript.values import Native
from generator.reports.page import Page
from generator.reports.rules.base import Problem
from generator.reports.rules.markup_properties import assign, reflect_set
from generator.reports.rules.markup_selections import selection_call
from generator.reports.rules.markup_values import (
    PROPERTIES,
    all_data,
    inside_with,
    is_empty,
    problem,
)

#: Methods that take markup, with the argument that holds it.
_METHODS = {
    "insertAdjacentHTML": 1,
    "createContextualFragment": 0,
    "setHTMLUnsafe": 0,
    "setHTML": 0,
    "parseHTMLUnsafe": 0,
}
_WRITES = frozenset({("document", "write"), ("document", "writeln")})
_TESTS = frozenset({"UnaryExpression", "IfStatement", "LogicalExpression", "BinaryExpression"})


def references(page: Page, program: Program) -> Iterator[Problem]:
    """Report methods that take markup where they are called or handed on."""
    for node in program.nodes:
        if node.type != "MemberExpression":
            continue
        if node.computed:
            if node.property.type == "Literal" and not isinstance(node.property.value, str):
                continue
            names = page.evaluator.key(node)[0]
        else:
            names = [node.property.name]
        for name in names:
            if name in _METHODS or name in {"write", "writeln"}:
                yield from _reference(page, program, node, name)


def subclasses(page: Page, program: Program) -> Iterator[Problem]:
    """Report classes that are parsers of markup by another name."""
    for node in program.nodes:
        if (
            node.type in {"ClassDeclaration", "ClassExpression"}
            and node.superClass is not None
            and Native(("DOMParser",)) in page.evaluator.values(node.superClass)
        ):
            yield problem(program.offset(node.superClass), "DOMParser")


def _reference(page: Page, program: Program, node: Node, name: str) -> Iterator[Problem]:
    up = node.up
    outer = up.up if up is not None and up.type == "ChainExpression" else up
    if name in {"write", "writeln"}:
        base = page.evaluator.values(node.object)
        if Native(("document",)) not in base:
            return
        label = f"document.{name}"
    else:
        label = name
        if all_data(page.evaluator.values(node.object)):
            return
        if _adds_nothing(page, node, name):
            return
    if outer is None or outer.type in _TESTS or outer.type == "ExpressionStatement":
        return
    if outer.type == "ConditionalExpression" and outer.test is node:
        return
    if outer.type in {"AssignmentExpression"} and outer.left is node:
        return
    yield problem(program.offset(node), label)


def _adds_nothing(page: Page, method: Node, name: str) -> bool:
    """Tell whether a method is called here with an empty string for its markup."""
    call = method.up
    if call is None or call.type != "CallExpression" or call.callee is not method:
        return False
    at = _METHODS[name]
    return len(call.arguments) > at and is_empty(page.evaluator.values(call.arguments[at]))


def call_problems(page: Page, call: Call) -> Iterator[Problem]:
    """Report a call that takes markup."""
    evaluator = page.evaluator
    natives = call.natives
    if call.new:
        if ("DOMParser",) in natives:
            yield problem(call.offset, "DOMParser")
        return
    if natives & _WRITES and call.base is None:
        yield problem(call.offset, "document.write")
    elif natives & {("write",), ("writeln",)} and (
        call.program.script.kind == "handler" or inside_with(call.node)
    ):
        # Names in an event handler, and in a with, are looked up in the document as well.
        yield problem(call.offset, f"document.{call.names[0]}")
    if ("Object", "assign") in natives:
        yield from assign(page, call)
    elif ("Reflect", "set") in natives:
        yield from reflect_set(page, call)
    elif ("Reflect", "construct") in natives and Native(("DOMParser",)) in evaluator.values(
        call.argument(0)
    ):
        yield problem(call.offset, "DOMParser")
    if call.base is None:
        for name in call.methods & _METHODS.keys():
            yield problem(call.offset, name)
    for name in call.setters & PROPERTIES:
        yield problem(call.offset, f"the setter of {name}")
    names = set(call.names)
    if names & {"setAttribute", "setAttributeNS", "createAttribute"}:
        at = 1 if "setAttributeNS" in names else 0
        keys = [text.lower() for text in evaluator.texts(call.argument(at))]
        value = call.argument(at + 1)
        if "srcdoc" in keys and not (value is not None and is_empty(evaluator.values(value))):
            yield problem(call.offset, "the srcdoc attribute")
    elif "execCommand" in names:
        if any(text.lower() == "inserthtml" for text in evaluator.texts(call.argument(0))):
            yield problem(call.offset, "execCommand('insertHTML')")
    elif "__lookupSetter__" in names and PROPERTIES & set(evaluator.texts(call.argument(0))):
        yield problem(call.offset, "the setter of a markup property")
    yield from selection_call(page, call)
