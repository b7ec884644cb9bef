"""Every call of a page with what is really called, through aliases, ``call``, ``apply``, ``bind``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.reports.javascript.evaluate import Evaluator
from generator.reports.javascript.scopes import Program
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import Method, Native, Setter, Value

_INDIRECT = frozenset({"call", "apply", "bind"})


@dataclass(slots=True, eq=False)
class Call:
    """One call or construction.

    Attributes:
        program: The script it stands in.
        node: The expression.
        new: It is a ``new``.
        names: The last names of what is called: ``write`` of ``document.write``.
        base: What the method is taken from, None for plain names.
        natives: Paths of the browser's functions that it may call.
        setters: Properties whose setter it calls.
        methods: Names of methods it may call, through aliases.
        arguments: The arguments as the called function gets them; None when that is not known.
    """

    program: Program
    node: Node
    new: bool
    names: list[str]
    base: Node | None
    natives: frozenset[tuple[str, ...]]
    setters: frozenset[str]
    methods: frozenset[str]
    arguments: list[Node] | None

    @property
    def offset(self) -> int:
        """Where it stands in the page."""
        return self.program.offset(self.node)

    def argument(self, index: int) -> Node | None:
        """Return an argument, None when it is missing or not known."""
        if self.arguments is None or index >= len(self.arguments):
            return None
        return self.arguments[index]


def find_calls(evaluator: Evaluator, programs: list[Program]) -> Iterator[Call]:
    """Yield every call and construction of a page.

    Args:
        evaluator: Knows what names mean.
        programs: The scripts.
    """
    for program in programs:
        for node in program.nodes:
            if node.type in {"CallExpression", "NewExpression"}:
                yield _call(evaluator, program, node)


def _call(evaluator: Evaluator, program: Program, node: Node) -> Call:
    callee = node.callee
    if callee.type == "ChainExpression":
        callee = callee.expression
    arguments: list[Node] | None = list(node.arguments)
    names, base = _names(evaluator, callee)
    values = evaluator.values(callee) if _worth(callee) else ()
    # Reflect.apply is no apply of something called Reflect.
    reflects = Native(("Reflect", "apply")) in values
    if base is not None and len(names) == 1 and names[0] in _INDIRECT and not reflects:
        inner = base.expression if base.type == "ChainExpression" else base
        values = evaluator.values(inner) if _worth(inner) else ()
        how = names[0]
        names, base = _names(evaluator, inner)
        arguments = _shifted(arguments or [], how)
        return _made(program, node, names=names, base=base, values=values, arguments=arguments)
    call = _made(program, node, names=names, base=base, values=values, arguments=arguments)
    if reflects and len(node.arguments) > 1:
        target = node.arguments[0]
        names, base = _names(evaluator, target)
        shifted = _shifted(node.arguments[1:], "apply")
        return _made(
            program,
            node,
            names=names,
            base=base,
            values=evaluator.values(target),
            arguments=shifted,
        )
    return call


def _made(
    program: Program,
    node: Node,
    *,
    names: list[str],
    base: Node | None,
    values: tuple[Value, ...],
    arguments: list[Node] | None,
) -> Call:
    natives = frozenset(value.path for value in values if isinstance(value, Native))
    setters = frozenset(value.name for value in values if isinstance(value, Setter))
    methods = frozenset(value.name for value in values if isinstance(value, Method))
    new = node.type == "NewExpression"
    return Call(program, node, new, names, base, natives, setters, methods, arguments)


def _names(evaluator: Evaluator, callee: Node) -> tuple[list[str], Node | None]:
    if callee.type == "Identifier":
        return [callee.name], None
    if callee.type == "MemberExpression":
        return evaluator.key(callee)[0], callee.object
    return [], None


def _worth(callee: Node) -> bool:
    """Tell whether working a callee out can show anything but a function of the page."""
    if callee.type == "Identifier":
        binding = callee.binding
        return binding is None or binding.kind not in {"function", "class"}
    return callee.type in {
        "MemberExpression",
        "SequenceExpression",
        "CallExpression",
        "ConditionalExpression",
        "LogicalExpression",
    }


def _shifted(arguments: list[Node], how: str) -> list[Node] | None:
    """Return the arguments that ``f.call(this, ...)`` and kin hand on."""
    if how in {"call", "bind"}:
        return arguments[1:]
    if len(arguments) > 1 and arguments[1].type == "ArrayExpression":
        elements: list[Node] = list(arguments[1].elements)
        return elements
    return None
