"""Scopes, the names bound in them, and everything that is written to those names."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from generator.reports.javascript.syntax import Node
from generator.reports.scripts import Script

WINDOW_NAMES = frozenset({"window", "self", "globalThis", "top", "parent", "frames"})
FUNCTIONS = frozenset({"FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"})
#: One step from a value into it: a known key, a key to be evaluated, or the rest.
Step = str | int | Node
REST = object()


@dataclass(slots=True, eq=False)
class Write:
    """One place that gives a value to a binding or a property.

    Attributes:
        kind: ``value`` of an expression, ``each`` item or ``keys`` of one, ``param`` of a
            function, ``import``, ``function`` or ``class`` declaration, ``compound`` (``+=`` and
            kin), ``opaque`` for what cannot be followed.
        node: The expression, the function, the import's specifier or the assignment.
        path: Steps from that value to the one written, for destructuring.
        default: The expression that serves when the value is undefined.
        index: Which parameter.
    """

    kind: Literal[
        "value", "each", "keys", "param", "import", "function", "class", "compound", "opaque"
    ]
    node: Node
    path: tuple[Step, ...] = ()
    default: Node | None = None
    index: int = 0


@dataclass(slots=True, eq=False)
class Binding:
    """One name in one scope.

    Attributes:
        name: The name.
        kind: ``var``, ``let``, ``const``, ``function``, ``class``, ``param``, ``import``,
            ``catch``, or ``implicit`` for globals made by assignment.
        node: The identifier that declares it.
        scope: Where it was declared.
        writes: Everything that gives it a value.
        refs: Every identifier that means it, declarations left out.
        changes: Writes to its properties: (member node, write).
    """

    name: str
    kind: str
    node: Node
    scope: Scope
    writes: list[Write] = field(default_factory=list)
    refs: list[Node] = field(default_factory=list)
    changes: list[tuple[Node, Write]] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Scope:
    """Names that are visible together.

    Attributes:
        parent: The scope around it.
        takes_var: ``var`` declarations stop here.
        names: Bindings by name.
    """

    parent: Scope | None
    takes_var: bool
    names: dict[str, Binding] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class MemberWrite:
    """A write to a property, however it is spelled.

    Attributes:
        target: The member expression.
        operator: ``=``, ``+=``, ``??=``, ``++``, ...; ``=`` for destructuring and loops.
        write: What is written.
    """

    target: Node
    operator: str
    write: Write


@dataclass(slots=True, eq=False)
class Program:
    """One parsed script.

    Attributes:
        script: Where it stands.
        tree: Its syntax tree.
        scope: Its top-level scope; shared by all classic scripts.
        nodes: Every node, parents before children, in source order.
        member_writes: Every write to a property.
        assignments: Every write to a plain name that is no declaration, with its scope.
        declared: Top-level declarations, for clashes between classic scripts.
        body_offset: Characters that were put before the text to parse it.
    """

    script: Script
    tree: Node
    scope: Scope
    nodes: list[Node] = field(default_factory=list)
    member_writes: list[MemberWrite] = field(default_factory=list)
    assignments: list[tuple[MemberWrite, Scope]] = field(default_factory=list)
    declared: list[Binding] = field(default_factory=list)
    body_offset: int = 0

    def offset(self, node: Node) -> int:
        """Return where a node starts in the page."""
        return self.at(int(node.range[0]))

    def at(self, index: int) -> int:
        """Return where a character of the parsed text stands in the page."""
        return self.script.locate(max(0, index - self.body_offset))


def opaque_global(name: str, scope: Scope) -> Binding:
    """Return a global of which nothing but its name is known."""
    binding = Binding(name, "implicit", None, scope)
    binding.writes.append(Write("opaque", None))
    return binding
