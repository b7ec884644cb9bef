"""Reads one script: declares its names, notes references to names and writes to anything.

Each node learns its parent (``node.up``). Only loops, no recursion: a page may nest as deep as
the parser allows.
"""

from __future__ import annotations

from typing import Literal

from generator.reports.javascript.patterns import targets_of
from generator.reports.javascript.scopes import (
    FUNCTIONS,
    Binding,
    MemberWrite,
    Program,
    Scope,
    Write,
)
from generator.reports.javascript.syntax import Node, children

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


def read_names(program: Program) -> list[tuple[Node, Scope]]:
    """Read a script: fills its nodes, writes, assignments and declarations.

    Args:
        program: The script, with its tree.

    Returns:
        Every use of a name, with the scope it stands in.
    """
    return _Reader(program).read()


class _Reader:
    """Walks one script: declares names, notes references and writes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.references: list[tuple[Node, Scope]] = []
        self.stack: list[tuple[Node, Node | None, Scope]] = []

    def read(self) -> list[tuple[Node, Scope]]:
        program = self.program
        program.tree.up = None
        program.tree.owner = program
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
        for target, found in targets_of(pattern, write, chosen):
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
        for target, found in targets_of(pattern, write, chosen):
            chosen.append(target)
            assert found is not None
            if target.type == "Identifier":
                self.program.assignments.append((MemberWrite(target, operator, found), scope))
            elif target.type == "MemberExpression":
                self.program.member_writes.append(MemberWrite(target, operator, found))


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
