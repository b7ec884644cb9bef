"""When code inside a script runs first: what calls its functions, and which branches are taken.

The earliest moment counts: code that runs once too early fails once.
"""

from __future__ import annotations

from generator.reports.javascript.evaluate import Evaluator
from generator.reports.javascript.functions import EACH
from generator.reports.javascript.moments import (
    LOADED,
    NEVER,
    READY,
    SOME_TIME,
    Moment,
    script_moment,
)
from generator.reports.javascript.scopes import FUNCTIONS, Program
from generator.reports.javascript.syntax import Node, children
from generator.reports.javascript.values import Function, Known, Native, is_true

_SYNCHRONOUS = EACH | {"reduce", "reduceRight", "sort", "from", "assign", "keys"}
_TRANSPARENT = frozenset(
    {
        "ConditionalExpression",
        "LogicalExpression",
        "ChainExpression",
        "SequenceExpression",
        "AwaitExpression",
    }
)
_BRANCHES = frozenset({"IfStatement", "ConditionalExpression"})
_READY_CALLS = frozenset({("$",), ("jQuery",)})


class Timing:
    """Answers when a node of any script of the page runs first.

    Args:
        evaluator: Knows what names mean.
        programs: The scripts of the page.
    """

    def __init__(self, evaluator: Evaluator, programs: list[Program]) -> None:
        self.evaluator = evaluator
        self._memo: dict[int, Moment] = {}
        self._busy: set[int] = set()
        self._method_calls: dict[str, list[Node]] | None = None
        self._programs = programs

    def moment(self, node: Node) -> Moment:
        """Return the earliest moment at which a node runs; :data:`NEVER` when nothing runs it."""
        inner, up = node, node.up
        while up is not None and up.type not in FUNCTIONS:
            if up.type == "PropertyDefinition" and not up.static:
                return SOME_TIME
            if up.type in _BRANCHES and up.test is not inner:
                if _asks_ready_state(up.test):
                    # The branch is taken only once the page is parsed.
                    return (READY, 0)
                if self._never_taken(up.test, wanted=inner is up.consequent):
                    return NEVER
            elif (
                up.type == "LogicalExpression"
                and up.right is inner
                and up.operator != "??"
                and self._never_taken(up.left, wanted=up.operator == "&&")
            ):
                return NEVER
            inner = up
            if up.up is None:
                break
            up = up.up
        program_node = up if up is not None else node
        here = int(node.range[0])
        if program_node.type not in FUNCTIONS:
            moment = script_moment(program_node.owner.script)
        else:
            moment = self._function(program_node)
        if moment < SOME_TIME and any(start < here for start in program_node.awaits):
            return SOME_TIME
        return moment

    def _never_taken(self, test: Node, *, wanted: bool) -> bool:
        """Tell whether a test such as ``if (false)`` keeps what needs it ``wanted`` from running."""
        if test.type not in {"Literal", "Identifier", "UnaryExpression"}:
            return False
        values = self.evaluator.values(test)
        return bool(values) and all(
            isinstance(value, Known) and is_true(value) is not wanted for value in values
        )

    def _function(self, function: Node) -> Moment:
        key = id(function)
        if key in self._memo:
            return self._memo[key]
        if key in self._busy:
            return NEVER
        if len(self._busy) > 50:
            return SOME_TIME
        self._busy.add(key)
        try:
            moment = self._of_function(function)
        finally:
            self._busy.discard(key)
        if not self._busy:
            self._memo[key] = moment
        return moment

    def _of_function(self, function: Node) -> Moment:
        if function.type == "FunctionDeclaration" and function.id is not None:
            if function.up is not None and function.up.type.startswith("Export"):
                return SOME_TIME
            return self._uses(function.id.binding.refs)
        return self._use(function)

    def _uses(self, refs: list[Node]) -> Moment:
        """Return the earliest of several uses of a function."""
        best = NEVER
        for ref in refs[:500]:
            best = min(best, self._use(ref))
        return best

    def _use(self, node: Node) -> Moment:
        """Return when a function runs that stands here as a value."""
        up = node.up
        while up is not None and (up.type in _TRANSPARENT or _is_bind(up, node)):
            node = up.up if up.type == "MemberExpression" else up
            up = node.up
        if up is None:
            return NEVER
        kind = up.type
        if kind == "CallExpression":
            return self.moment(up) if up.callee is node else self._argument(up, node)
        if kind == "NewExpression":
            if up.callee is node:
                return self.moment(up)
            return self._constructed(up, node)
        if kind == "VariableDeclarator" and up.init is node:
            if up.id.type == "Identifier":
                return self._uses(up.id.binding.refs)
            return SOME_TIME
        if kind == "AssignmentExpression":
            return self._assigned(up) if up.right is node else NEVER
        if kind in {"Property", "PropertyDefinition", "MethodDefinition"}:
            return self._property(up)
        if kind == "MemberExpression" and up.object is node:
            outer = up.up
            if outer is not None and outer.type == "CallExpression" and outer.callee is up:
                name = up.property.name if not up.computed else ""
                if name in {"call", "apply"}:
                    return self.moment(outer)
            return NEVER if name_only(up) else SOME_TIME
        if kind == "ExpressionStatement":
            # The text of an event handler is the body of a function that the browser calls.
            program = up.up.owner if up.up is not None and up.up.type == "Program" else None
            if program is not None and program.script.kind == "handler":
                return script_moment(program.script)
            return NEVER
        return SOME_TIME

    def _argument(self, call: Node, function: Node) -> Moment:
        """Return when a function runs that is handed to a call."""
        callee = call.callee
        if callee.type == "ChainExpression":
            callee = callee.expression
        index = next((at for at, item in enumerate(call.arguments) if item is function), 0)
        if callee.type == "MemberExpression":
            names, _ = self.evaluator.key(callee)
            name = names[0] if names else ""
            if name == "addEventListener":
                return self._listener(call, callee)
            if name in _SYNCHRONOUS:
                return self.moment(call)
            if name == "ready":
                return (READY, 0)
            if name in {"then", "catch", "finally", "on", "addListener", "one"}:
                return SOME_TIME
        for value in self.evaluator.values(callee):
            if isinstance(value, Native):
                if value.path in _READY_CALLS:
                    return (READY, 0)
                if value.path == ("addEventListener",):
                    return self._listener(call, callee)
                if value.path == ("queueMicrotask",):
                    return self.moment(call)
                return SOME_TIME
            if isinstance(value, Function):
                return self._passed(value.node, index, call)
        return SOME_TIME

    def _passed(self, receiver: Node, index: int, call: Node) -> Moment:
        """Return when a function of the page runs the function it was handed."""
        if index >= len(receiver.params) or receiver.params[index].type != "Identifier":
            return self.moment(call)
        moment = self._uses(receiver.params[index].binding.refs)
        return max(moment, self.moment(call)) if moment is not NEVER else NEVER

    def _listener(self, call: Node, callee: Node) -> Moment:
        events = self.evaluator.texts(call.arguments[0]) if call.arguments else []
        if "DOMContentLoaded" in events:
            return (READY, 0)
        if "load" in events:
            bases = (
                self.evaluator.values(callee.object) if callee.type == "MemberExpression" else ()
            )
            if callee.type == "Identifier" or Native(("window",)) in bases:
                return (LOADED, 0)
        return SOME_TIME

    def _constructed(self, new: Node, function: Node) -> Moment:
        callee = new.callee
        if callee.type == "Identifier" and callee.binding is None and callee.name == "Promise":
            return self.moment(new)
        del function
        return SOME_TIME

    def _assigned(self, assignment: Node) -> Moment:
        left = assignment.left
        if left.type == "Identifier":
            if left.name == "onload":
                return (LOADED, 0)
            return (
                self._uses([ref for ref in left.binding.refs if ref is not left])
                if (left.binding)
                else SOME_TIME
            )
        if left.type != "MemberExpression":
            return SOME_TIME
        names, _ = self.evaluator.key(left)
        name = names[0] if names else ""
        if name == "onload":
            bases = self.evaluator.values(left.object)
            on_window = Native(("window",)) in bases or any(
                getattr(base, "key", "") == "body" for base in bases
            )
            return (LOADED, 0) if on_window else SOME_TIME
        if name.startswith("on"):
            return SOME_TIME
        bound = self.evaluator.page_scope.names.get(name)
        refs = list(bound.refs) if bound is not None else []
        return min(self._uses(refs), self._called_as_method(name))

    def _property(self, prop: Node) -> Moment:
        """Return when a function runs that is a property of an object or a class."""
        if prop.computed or prop.key.type not in {"Identifier", "Literal"}:
            return SOME_TIME
        name = str(prop.key.name if prop.key.type == "Identifier" else prop.key.value)
        if name == "constructor":
            return SOME_TIME
        moment = self._called_as_method(name)
        # Nothing in the page calls it by name: a library does (formatters, hooks, events).
        return SOME_TIME if moment is NEVER else moment

    def _called_as_method(self, name: str) -> Moment:
        if self._method_calls is None:
            self._method_calls = {}
            for program in self._programs:
                for node in program.nodes:
                    if (
                        node.type == "CallExpression"
                        and node.callee.type == "MemberExpression"
                        and not node.callee.computed
                    ):
                        called = node.callee.property.name
                        self._method_calls.setdefault(called, []).append(node)
        best = NEVER
        for call in self._method_calls.get(name, [])[:100]:
            best = min(best, self.moment(call))
        return best


def _asks_ready_state(test: Node) -> bool:
    """Tell whether a test looks at ``document.readyState``."""
    stack = [test]
    for _ in range(30):
        if not stack:
            return False
        node = stack.pop()
        if node.type == "MemberExpression" and not node.computed:
            if node.property.name == "readyState":
                return True
            continue
        stack.extend(children(node))
    return False


def _is_bind(member: Node, function: Node) -> bool:
    """Tell whether ``member`` is the ``function.bind`` of a call."""
    return bool(
        member.type == "MemberExpression"
        and member.object is function
        and not member.computed
        and member.property.name == "bind"
        and member.up is not None
        and member.up.type == "CallExpression"
    )


def name_only(member: Node) -> bool:
    """Tell whether a member expression only reads a property that runs nothing."""
    return not member.computed and member.property.name in {"name", "length", "prototype"}
