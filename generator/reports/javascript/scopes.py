"""Which name means what: scopes, bindings, and everything that is written to them.

Classic scripts share one scope, so all scripts of a page are read together. Each node learns its
parent (``node.up``), each identifier its binding (``node.binding``, None for what the browser
supplies). Only loops, no recursion: a page may nest as deep as the parser allows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from generator.reports.javascript.syntax import Node, children
from generator.reports.scripts import Script

WINDOW_NAMES = frozenset({"window", "self", "globalThis", "top", "parent", "frames"})
FUNCTIONS = frozenset({"FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"})
_BLOCKS = frozenset(
    {
        "BlockStatement",
        "ForStatement",
        "ForInStatement",
        "ForOfStatement",
        "SwitchStatement",
        "CatchClause",
        "StaticBlock",
    }
)

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
        declared: Top-level declarations, for clashes between classic scripts.
        body_offset: Characters that were put before the text to parse it.
    """

    script: Script
    tree: Node
    scope: Scope
    nodes: list[Node] = field(default_factory=list)
    member_writes: list[MemberWrite] = field(default_factory=list)
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


def join_scopes(programs: list[Program], page_scope: Scope) -> None:
    """Read all scripts of a page together.

    Args:
        programs: The scripts, with their trees; everything else is filled in here.
        page_scope: The scope that classic scripts share.
    """
    references: list[tuple[Node, Scope]] = []
    for program in programs:
        references.extend(_Reader(program).read())
    assigned = [
        (write.target, scope) for program in programs for write, scope in program_implicit(program)
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
        for write, _ in program_implicit(program):
            binding = write.target.binding
            if binding is not None:
                binding.writes.append(write.write)
        for member in program.member_writes:
            base = member.target.object
            if base.type == "Identifier" and base.binding is not None:
                base.binding.changes.append((member.target, member.write))


def program_implicit(program: Program) -> list[tuple[MemberWrite, Scope]]:
    """Return the assignments to plain names in a script, with the scope they stand in."""
    return program.tree.assignments  # type: ignore[no-any-return]


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


class _Reader:
    """Walks one script: declares names, notes references and writes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.references: list[tuple[Node, Scope]] = []
        self.assignments: list[tuple[MemberWrite, Scope]] = []
        self.stack: list[tuple[Node, Node | None, Scope]] = []

    def read(self) -> list[tuple[Node, Scope]]:
        program = self.program
        program.tree.up = None
        program.tree.owner = program
        program.tree.assignments = self.assignments
        program.tree.awaits = []
        self.stack.append((program.tree, None, program.scope))
        nodes = program.nodes
        while self.stack:
            node, up, scope = self.stack.pop()
            node.up = up
            nodes.append(node)
            kind = node.type
            handler = _HANDLERS.get(kind)
            if handler is not None:
                handler(self, node, scope)
            elif kind in _BLOCKS:
                self._push(node, Scope(scope, kind == "StaticBlock"))
            else:
                self._push(node, scope)
        return self.references

    def _push(self, node: Node, scope: Scope) -> None:
        batch = [(child, node, scope) for child in children(node)]
        batch.reverse()
        self.stack.extend(batch)

    def _push_these(self, node: Node, scope: Scope, chosen: list[Node]) -> None:
        self.stack.extend((child, node, scope) for child in reversed(chosen))

    # Expressions whose children are not all expressions.

    def identifier(self, node: Node, scope: Scope) -> None:
        node.binding = None
        self.references.append((node, scope))

    def member(self, node: Node, scope: Scope) -> None:
        self._push_these(
            node, scope, [node.object, node.property] if node.computed else [node.object]
        )

    def keyed(self, node: Node, scope: Scope) -> None:
        chosen = [node.key] if node.computed else []
        if node.value is not None:
            chosen.append(node.value)
        self._push_these(node, scope, chosen)

    def export(self, node: Node, scope: Scope) -> None:
        if node.source is None:
            self._push(node, scope)
        elif node.declaration is not None:
            self._push_these(node, scope, [node.declaration])

    def awaiting(self, node: Node, scope: Scope) -> None:
        owner = node.up
        while owner.up is not None and owner.type not in FUNCTIONS:
            owner = owner.up
        owner.awaits.append(int(node.range[0]))
        self._push(node, scope)

    def returning(self, node: Node, scope: Scope) -> None:
        owner = node.up
        while owner.up is not None and owner.type not in FUNCTIONS:
            owner = owner.up
        if owner.type in FUNCTIONS and node.argument is not None:
            owner.returns.append(node.argument)
        self._push(node, scope)

    # Declarations.

    def function(self, node: Node, scope: Scope) -> None:
        node.returns = []
        node.awaits = []
        inner = Scope(scope, takes_var=True)
        if node.id is not None:
            home = scope if node.type == "FunctionDeclaration" else inner
            kind = "function"
            self._declare(node.id, kind, home, Write("function", node))
        chosen: list[Node] = []
        for index, param in enumerate(node.params):
            self._pattern(
                param,
                Write("param", node, index=index),
                home=inner,
                kind="param",
                up=node,
                chosen=chosen,
            )
        chosen.append(node.body)
        if node.body.type == "BlockStatement":
            # The body's declarations and the parameters share a scope here; a name declared by
            # both is rare and means the same for what is asked of it.
            node.body.up = node
            self.program.nodes.append(node.body)
            self._push_these(node.body, inner, list(node.body.body))
            chosen.pop()
        self._push_these(node, inner, chosen)

    def class_(self, node: Node, scope: Scope) -> None:
        inner = Scope(scope, takes_var=False)
        if node.id is not None:
            home = scope if node.type == "ClassDeclaration" else inner
            self._declare(node.id, "class", home, Write("class", node))
        chosen = [node.superClass, node.body] if node.superClass is not None else [node.body]
        self._push_these(node, inner, chosen)

    def variables(self, node: Node, scope: Scope) -> None:
        home = scope
        if node.kind == "var":
            while not home.takes_var and home.parent is not None:
                home = home.parent
        loop = node.up if node.up is not None else None
        for declarator in node.declarations:
            declarator.up = node
            self.program.nodes.append(declarator)
            chosen: list[Node] = []
            write: Write | None = None
            if loop is not None and loop.type == "ForOfStatement" and loop.left is node:
                write = Write("each", loop.right)
            elif loop is not None and loop.type == "ForInStatement" and loop.left is node:
                write = Write("keys", loop.right)
            elif declarator.init is not None:
                write = Write("value", declarator.init)
                chosen.append(declarator.init)
            self._pattern(
                declarator.id, write, home=home, kind=node.kind, up=declarator, chosen=chosen
            )
            self._push_these(declarator, scope, chosen)

    def catch(self, node: Node, scope: Scope) -> None:
        inner = Scope(scope, takes_var=False)
        chosen: list[Node] = []
        if node.param is not None:
            self._pattern(
                node.param, Write("opaque", node), home=inner, kind="catch", up=node, chosen=chosen
            )
        chosen.append(node.body)
        self._push_these(node, inner, chosen)

    def imports(self, node: Node, scope: Scope) -> None:
        for specifier in node.specifiers:
            specifier.up = node
            specifier.source = node.source.value
            self._declare(specifier.local, "import", scope, Write("import", specifier))

    # Assignments.

    def assignment(self, node: Node, scope: Scope) -> None:
        chosen: list[Node] = []
        if node.operator in {"=", "||=", "&&=", "??="}:
            write = Write("value", node.right)
        else:
            write = Write("compound", node)
        self._targets(node.left, write, scope, chosen=chosen, operator=node.operator)
        chosen.append(node.right)
        self._push_these(node, scope, chosen)

    def update(self, node: Node, scope: Scope) -> None:
        chosen: list[Node] = []
        self._targets(
            node.argument, Write("opaque", node), scope, chosen=chosen, operator=node.operator
        )
        self._push_these(node, scope, chosen)

    def loop(self, node: Node, scope: Scope) -> None:
        inner = Scope(scope, takes_var=False)
        chosen: list[Node] = []
        if node.left.type == "VariableDeclaration":
            chosen.append(node.left)
        else:
            kind: Literal["each", "keys"] = "each" if node.type == "ForOfStatement" else "keys"
            self._targets(node.left, Write(kind, node.right), inner, chosen=chosen, operator="=")
        chosen += [node.right, node.body]
        self._push_these(node, inner, chosen)

    def _declare(self, identifier: Node, kind: str, scope: Scope, write: Write | None) -> None:
        binding = scope.names.get(identifier.name)
        if binding is None:
            binding = Binding(identifier.name, kind, identifier, scope)
            scope.names[identifier.name] = binding
        identifier.binding = binding
        identifier.up = None  # a declaration is no use of the name
        if write is not None:
            binding.writes.append(write)
        if scope is self.program.scope:
            self.program.declared.append(Binding(identifier.name, kind, identifier, scope))

    def _pattern(
        self,
        pattern: Node,
        write: Write | None,
        *,
        home: Scope,
        kind: str,
        up: Node,
        chosen: list[Node],
    ) -> None:
        """Declare the names of a pattern; expressions inside it are put in ``chosen``."""
        pattern.up = up
        for target, found in _flatten(pattern, write, chosen):
            if target.type == "Identifier":
                self._declare(target, kind, home, found)

    def _targets(
        self,
        pattern: Node,
        write: Write,
        scope: Scope,
        *,
        chosen: list[Node],
        operator: str,
    ) -> None:
        """Note what an assignment writes to; targets are walked as expressions too."""
        for target, found in _flatten(pattern, write, chosen):
            chosen.append(target)
            assert found is not None
            if target.type == "Identifier":
                self.assignments.append((MemberWrite(target, operator, found), scope))
            elif target.type == "MemberExpression":
                self.program.member_writes.append(MemberWrite(target, operator, found))


def _flatten(
    pattern: Node, write: Write | None, expressions: list[Node]
) -> Iterator[tuple[Node, Write | None]]:
    """Yield the targets of a pattern with what is written to each.

    Defaults and computed keys inside the pattern are expressions and are added to
    ``expressions``.
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


_HANDLERS = {
    "Identifier": _Reader.identifier,
    "MemberExpression": _Reader.member,
    "Property": _Reader.keyed,
    "MethodDefinition": _Reader.keyed,
    "PropertyDefinition": _Reader.keyed,
    "ExportNamedDeclaration": _Reader.export,
    "AwaitExpression": _Reader.awaiting,
    "ReturnStatement": _Reader.returning,
    "FunctionDeclaration": _Reader.function,
    "FunctionExpression": _Reader.function,
    "ArrowFunctionExpression": _Reader.function,
    "ClassDeclaration": _Reader.class_,
    "ClassExpression": _Reader.class_,
    "VariableDeclaration": _Reader.variables,
    "CatchClause": _Reader.catch,
    "ImportDeclaration": _Reader.imports,
    "AssignmentExpression": _Reader.assignment,
    "UpdateExpression": _Reader.update,
    "ForInStatement": _Reader.loop,
    "ForOfStatement": _Reader.loop,
}
