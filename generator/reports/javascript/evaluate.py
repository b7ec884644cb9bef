"""Works out what expressions may be: constants, aliases, loops over literals, wrappers.

Follows constants, template literals, concatenation, aliases (``const d = document``), bracket
access, destructuring, ``Object.assign`` onto literals, loops and ``forEach`` over literal arrays,
and parameters of functions whose every call is in the page. The work is bounded: each expression
is worked out once where no arguments matter, nesting past a depth and work past a budget are
unknown. What each kind of expression gives stands in a module of its own; the table below names
them.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Items

from generator.reports.javascript import calls, literals, names, operators, properties
from generator.reports.javascript.scopes import Binding, Scope, Write
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    NOTHING,
    UNDEFINED,
    Env,
    Known,
    Value,
    Values,
    bounded,
    known_texts,
    text_of,
)

_DEEPEST = 60
#: Steps that one question may cost, and all questions of a page together.
_BUDGET = 20_000
_PAGE_BUDGET = 1_000_000


class Evaluator:
    """Works out the possible values of expressions of one page.

    Args:
        page_scope: The scope that classic scripts share.
        element_text: Returns the text of the page's element of an id, None when unknown; data
            blocks are read through it.
    """

    def __init__(
        self,
        page_scope: Scope,
        element_text: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self.page_scope = page_scope
        self.element_text = element_text
        self._memo: dict[int, Values] = {}
        self._bindings: dict[tuple[int, ...], Values] = {}
        self._busy: set[int] = set()
        self._depth = 0
        self._budget = _BUDGET
        self._left = _PAGE_BUDGET
        self._cuts = 0

    def values(self, node: Node | None, env: Env = None) -> Values:
        """Return what an expression may be.

        Args:
            node: The expression; None counts as undefined.
            env: Known arguments of the functions around it, by binding.
        """
        if node is None:
            return (Known(UNDEFINED),)
        key = id(node)
        if not env:
            cached = self._memo.get(key)
            if cached is not None:
                return cached
        if not self._busy:
            self._budget = min(_BUDGET, self._left)
        self._budget -= 1
        self._left -= 1
        if key in self._busy or self._depth > _DEEPEST or self._budget < 0:
            self._cuts += 1
            return NOTHING
        self._busy.add(key)
        cuts = self._cuts
        self._depth += 1
        try:
            method = _EXPRESSIONS.get(node.type)
            result = bounded(method(self, node, env)) if method is not None else NOTHING
        finally:
            self._depth -= 1
            self._busy.discard(key)
        # What was cut short inside a larger question may be known when asked on its own.
        if not env and (self._cuts == cuts or not self._busy):
            self._memo[key] = result
        return result

    def texts(self, node: Node | None, env: Env = None) -> list[str]:
        """Return the known strings an expression may be, without repeats."""
        return list(dict.fromkeys(known_texts(self.values(node, env))))

    def key(self, member: Node, env: Env = None) -> tuple[list[str], bool]:
        """Return the property names a member expression may mean, and whether all are known."""
        if not member.computed:
            return [member.property.name], member.property.type == "Identifier"
        values = self.values(member.property, env)
        keys = [name for name in map(text_of, values) if name is not None]
        return list(dict.fromkeys(keys)), len(keys) == len(values)

    def binding(
        self, binding: Binding, env: Env = None, writes: Items[Write] | None = None
    ) -> Values:
        """Return what a name may mean: anywhere in its scope, or after the given writes to it."""
        writes = binding.writes if writes is None else writes
        if env:
            return names.bound_values(self, binding, env, writes)
        # Every use asks again: without this a name with many uses and writes costs their product.
        key = (id(binding), *map(id, writes)) if writes is not binding.writes else (id(binding),)
        cached = self._bindings.get(key)
        if cached is not None:
            return cached
        cuts = self._cuts
        found = bounded(names.bound_values(self, binding, env, writes))
        if self._cuts == cuts:
            self._bindings[key] = found
        return found

    def write(self, write: Write, env: Env = None) -> Values:
        """Return what one write gives."""
        return names.written(self, write, env)

    def get(self, value: Value, name: str) -> Values:
        """Return a property of a value."""
        return properties.get_property(self, value, name)

    def call(self, callee: Value, arguments: Items[Node], env: Env) -> Values:
        """Return what calling a value may give."""
        return calls.call(self, callee, arguments, env)


_EXPRESSIONS: dict[str, Callable[[Evaluator, Node, Env], Values]] = {
    "ArrayExpression": literals.array_literal,
    "ArrowFunctionExpression": literals.function,
    "AssignmentExpression": operators.assignment,
    "AwaitExpression": operators.inner,
    "BinaryExpression": operators.binary,
    "CallExpression": calls.call_expression,
    "ChainExpression": operators.inner,
    "ClassExpression": literals.class_,
    "ConditionalExpression": operators.conditional,
    "FunctionDeclaration": literals.function,
    "FunctionExpression": literals.function,
    "Identifier": names.identifier,
    "ImportExpression": names.dynamic_import,
    "Literal": literals.literal,
    "LogicalExpression": operators.logical,
    "MemberExpression": properties.member,
    "NewExpression": calls.new_expression,
    "ObjectExpression": literals.object_literal,
    "SequenceExpression": operators.sequence,
    "TaggedTemplateExpression": literals.tagged_template,
    "TemplateLiteral": literals.template,
    "ThisExpression": names.this,
    "UnaryExpression": operators.unary,
}
