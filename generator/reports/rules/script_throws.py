"""``script-throws``: no script throws for certain.

Reported is what fails each time it runs, whatever the data: a use of a ``const``, ``let`` or
``class`` before its declaration in straight-line code, or in a script that runs before the one
that declares it, and a new value for a ``const``. Browsers stop the script there, and nothing
after it is mounted or drawn. Uses that a branch, a loop, a ``try`` or a function may keep from
running are left alone, and so is code that never runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.javascript.moments import NEVER, PARSING, script_moment
from generator.reports.javascript.scopes import FUNCTIONS, Binding, Program
from generator.reports.javascript.syntax import Node
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule

_LEXICAL = frozenset({"const", "let", "class"})
#: What may keep code inside it from running, or catches what it throws.
_DOUBTFUL = frozenset(
    {
        "CatchClause",
        "ConditionalExpression",
        "DoWhileStatement",
        "ForInStatement",
        "ForOfStatement",
        "ForStatement",
        "IfStatement",
        "LabeledStatement",
        "LogicalExpression",
        "PropertyDefinition",
        "SwitchStatement",
        "TryStatement",
        "WhileStatement",
        "WithStatement",
        "AssignmentPattern",
        "ChainExpression",
    }
)


def _check(page: Page) -> Iterator[Problem]:
    roots: dict[int, Node | None] = {}
    for program in page.programs:
        yield from _reassigned(page, program)
        for node in program.nodes:
            if not _is_lexical_use(node):
                continue
            binding = node.binding
            if id(binding) not in roots:
                declaration = _declaration(binding)
                roots[id(binding)] = _root(declaration) if declaration is not None else None
            root = roots[id(binding)]
            if (
                root is not None
                and _comes_first(program, node, binding, root)
                and _too_early(page, program, node, root)
            ):
                yield Problem(
                    offset=program.offset(node),
                    message=f"{node.name[:60]} is used before its declaration has run, which "
                    "throws.",
                    fix="Move the declaration above its first use.",
                )


def _is_lexical_use(node: Node) -> bool:
    """Tell whether a node reads or writes a name that is declared by const, let or class."""
    return bool(
        node.type == "Identifier"
        and node.up is not None
        and node.up.type != "ExportSpecifier"
        and node.binding is not None
        and node.binding.kind in _LEXICAL
    )


def _reassigned(page: Page, program: Program) -> Iterator[Problem]:
    for member, _ in program.assignments:
        target = member.target
        binding = target.binding
        if binding is None or binding.kind != "const" or member.operator in {"||=", "&&=", "??="}:
            continue
        if _inside(target, "TryStatement") or page.timing.moment(target) == NEVER:
            continue
        yield Problem(
            offset=program.offset(target),
            message=f"{target.name[:60]} is a const and is given a new value, which throws.",
            fix=f"Declare it with let: let {target.name[:60]} = ...",
        )


def _too_early(page: Page, program: Program, use: Node, root: Node) -> bool:
    """Tell whether a use always runs before the declaration of what it names.

    Args:
        page: The page.
        program: The script of the use.
        use: The identifier.
        root: The function or script around the declaration.
    """
    around = _certain_root(use)
    if around is root:
        return page.timing.moment(use) != NEVER
    # Another script declares it: the earlier one runs to its end before.
    return around is program.tree and root.type == "Program" and page.timing.moment(use) != NEVER


def _certain_root(node: Node) -> Node | None:
    """Return the function or script around a node, None where something may keep it from running."""
    while node.up is not None:
        node = node.up
        if node.type in _DOUBTFUL:
            return None
        if node.type in FUNCTIONS:
            break
    return node


def _comes_first(program: Program, use: Node, binding: Binding, root: Node) -> bool:
    """Tell cheaply whether a use stands before the declaration of what it names."""
    script = root
    while script.up is not None:
        script = script.up
    if script is program.tree:
        return int(use.range[0]) < int(binding.node.range[0])
    moment = script_moment(program.script)
    return moment[0] == PARSING and moment < script_moment(script.owner.script)


def _declaration(binding: Binding) -> Node | None:
    """Return a node inside the declaration of a name, None when it is given no value there."""
    if not binding.writes:
        return None
    write = binding.writes[0]
    if write.kind == "class":
        node: Node = write.node
        return node
    if write.kind != "value" or write.node.up is None:
        return None
    declares = write.node.up.type == "VariableDeclarator"
    return write.node if declares else None


def _root(node: Node) -> Node:
    while node.up is not None:
        node = node.up
        if node.type in FUNCTIONS:
            break
    return node


def _inside(node: Node, kind: str) -> bool:
    while node.up is not None:
        node = node.up
        if node.type == kind:
            return True
    return False


RULE = Rule(
    id="script-throws",
    severity="error",
    reason="A script that throws stops there: nothing after it is mounted or drawn.",
    fix="Declare names above their first use, and with let what changes.",
    bad="<script>draw(option); const option = {}; function draw() {}</script>",
    good="<script>const option = {}; draw(option); function draw() {}</script>",
    check=_check,
)
