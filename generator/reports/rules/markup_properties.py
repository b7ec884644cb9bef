"""Writes to properties that take markup, however they are spelled."""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.javascript.scopes import MemberWrite, Program
from generator.reports.javascript.uses import Call
from generator.reports.javascript.values import Record, Unknown
from generator.reports.page import Page
from generator.reports.rules.base import Problem
from generator.reports.rules.markup_values import (
    PROPERTIES,
    all_data,
    binding_is_global,
    inside_with,
    is_element,
    is_empty,
    problem,
    unknown_key,
)


def member_write(page: Page, program: Program, member: MemberWrite) -> Iterator[Problem]:
    """Report an assignment to a property that takes markup, or may be one."""
    target = member.target
    if not target.computed:
        if target.property.name not in PROPERTIES:
            return
        names, all_known = [target.property.name], True
    else:
        names, all_known = page.evaluator.key(target)
    hit = next((name for name in names if name in PROPERTIES), None)
    if hit is None:
        if not all_known and is_element(page.evaluator.values(target.object)):
            yield unknown_key(program.offset(target))
        return
    if all_data(page.evaluator.values(target.object)) or _clears(page, member):
        return
    yield problem(program.offset(target), hit)


def bare_names(program: Program) -> Iterator[Problem]:
    """Report ``innerHTML = x`` in a handler or a ``with``: the name means the element's."""
    for member, _ in program.assignments:
        target = member.target
        if target.name not in PROPERTIES or not binding_is_global(target):
            continue
        if program.script.kind == "handler" or inside_with(target):
            yield problem(program.offset(target), target.name)


def assign(page: Page, call: Call) -> Iterator[Problem]:
    """Report ``Object.assign`` of markup onto an element."""
    if not call.arguments:
        return
    evaluator = page.evaluator
    target = evaluator.values(call.arguments[0])
    if all_data(target):
        return
    for source in call.arguments[1:]:
        for value in evaluator.values(source):
            if isinstance(value, Record):
                for name in PROPERTIES & set(value.props):
                    if not is_empty(value.props[name]()):
                        yield problem(call.offset, f"Object.assign of {name}")
            elif isinstance(value, Unknown) and is_element(target):
                yield unknown_key(call.offset)


def reflect_set(page: Page, call: Call) -> Iterator[Problem]:
    """Report ``Reflect.set`` of a property that takes markup."""
    target, key, value = call.argument(0), call.argument(1), call.argument(2)
    if target is None or key is None or all_data(page.evaluator.values(target)):
        return
    keys = page.evaluator.texts(key)
    for name in PROPERTIES & set(keys):
        if value is None or not is_empty(page.evaluator.values(value)):
            yield problem(call.offset, f"Reflect.set of {name}")
    if not keys and is_element(page.evaluator.values(target)):
        yield unknown_key(call.offset)


def _clears(page: Page, member: MemberWrite) -> bool:
    return member.operator == "=" and is_empty(page.evaluator.write(member.write))
