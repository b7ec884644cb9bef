"""Which name means what: joins the scripts of a page and gives each identifier its binding.

Classic scripts share one scope, so all scripts of a page are read together. Each identifier
learns its binding (``node.binding``, None for what the browser supplies).
"""

from __future__ import annotations

from generator.reports.javascript.declarations import read_names
from generator.reports.javascript.scopes import WINDOW_NAMES, Binding, Program, Scope
from generator.reports.javascript.syntax import Node


def join_scopes(programs: list[Program], page_scope: Scope) -> None:
    """Read all scripts of a page together.

    Args:
        programs: The scripts, with their trees; everything else is filled in here.
        page_scope: The scope that classic scripts share.
    """
    references: list[tuple[Node, Scope]] = []
    for program in programs:
        references.extend(read_names(program))
    assigned = [
        (write.target, scope) for program in programs for write, scope in program.assignments
    ]
    for identifier, scope in assigned:
        if _look_up(identifier.name, scope) is None:
            page_scope.names.setdefault(
                identifier.name, Binding(identifier.name, "implicit", identifier, page_scope)
            )
    for program in programs:
        _window_properties(program, page_scope)
    for identifier, scope in references:
        identifier.binding = _look_up(identifier.name, scope)
        if identifier.binding is not None:
            identifier.binding.refs.append(identifier)
    for program in programs:
        for write, _ in program.assignments:
            binding = write.target.binding
            if binding is not None:
                binding.writes.append(write.write)
        for member in program.member_writes:
            base = member.target.object
            if base.type == "Identifier" and base.binding is not None:
                base.binding.changes.append((member.target, member.write))


def _look_up(name: str, scope: Scope | None) -> Binding | None:
    while scope is not None:
        found = scope.names.get(name)
        if found is not None:
            return found
        scope = scope.parent
    return None


def _window_properties(program: Program, page_scope: Scope) -> None:
    """Make globals of ``window.name = value``."""
    for member in program.member_writes:
        target = member.target
        if target.computed or target.object.type != "Identifier":
            continue
        base = target.object.name
        if base not in WINDOW_NAMES or base in page_scope.names or member.operator != "=":
            continue
        name = target.property.name
        binding = page_scope.names.get(name)
        if binding is None:
            binding = Binding(name, "implicit", target.property, page_scope)
            page_scope.names[name] = binding
        binding.writes.append(member.write)
