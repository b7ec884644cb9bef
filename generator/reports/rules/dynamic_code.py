"""``dynamic-code``: no text is run as code.

``eval``, ``new Function`` and kin, timers that are given text, event handler attributes and
``javascript:`` addresses set from a script, script elements filled by a script, ``:onclick`` and
kin. Such code cannot be judged, fails under a content policy, and breaks on the first quote in
the data. Timers that are given a function are fine, and so is a local name that only looks alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.javascript.scopes import MemberWrite, Program
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.uses import Call
from generator.reports.javascript.values import (
    ElementOf,
    Function,
    Native,
    Record,
    Text,
    Values,
    is_text,
    known_texts,
    text_of,
)
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.scripts import HANDLERS

_COMPILERS = frozenset({("eval",), ("Function",), ("execScript",)})
_TIMERS = frozenset({("setTimeout",), ("setInterval",), ("setImmediate",)})
#: Functions that run the template they are the tag of; eval gives it back untouched.
_TAGS = _TIMERS | {("Function",)}
_APPENDS = frozenset({"append", "prepend", "replaceChildren"})
_SCRIPT_TEXT = frozenset({"text", "textContent", "innerText", "innerHTML"})
_ADDRESSES = frozenset({"href", "src", "action", "location", "formAction"})


def _check(page: Page) -> Iterator[Problem]:
    for element in page.document.elements:
        for name in element.attributes:
            if name[0] == ":" and name[1:] in HANDLERS and not element.inert:
                place = page.document.tag(element).attributes.get(name)
                yield Problem(
                    offset=place.name if place else element.place,
                    message=f"The attribute {name} runs its text as code.",
                    fix=f'Write @{name[3:]}="name" and give the function in the mount\'s event.',
                )
    for call in page.calls:
        yield from _call(page, call)
    for program in page.programs:
        for member in program.member_writes:
            yield from _write(page, program, member)
        for member, _ in program.assignments:
            yield from _location(page, program, member)
        for node in program.nodes:
            if node.type == "ImportExpression" and _starts(
                page.evaluator.values(node.source), "data:"
            ):
                yield _problem(program.offset(node), "import() of a data: address")
            elif node.type == "TaggedTemplateExpression":
                for value in page.evaluator.values(node.tag):
                    if isinstance(value, Native) and value.path in _TAGS:
                        yield _problem(program.offset(node), value.path[0])


def _problem(offset: int, what: str) -> Problem:
    return Problem(offset=offset, message=f"This runs text as code through {what}.")


def _call(page: Page, call: Call) -> Iterator[Problem]:
    evaluator = page.evaluator
    compiler = call.natives & _COMPILERS
    if compiler:
        yield _problem(call.offset, next(iter(sorted(compiler)))[0])
        return
    if ("Reflect", "construct") in call.natives and any(
        isinstance(value, Native) and value.path in _COMPILERS
        for value in evaluator.values(call.argument(0))
    ):
        yield _problem(call.offset, "Reflect.construct")
    if any(_is_eval(page, item) for item in call.arguments or []):
        yield _problem(call.offset, "eval")
        return
    timer = call.natives & _TIMERS
    if timer:
        first = call.argument(0)
        if first is not None and any(is_text(value) for value in evaluator.values(first)):
            yield _problem(call.offset, f"{next(iter(sorted(timer)))[0]} with text")
        return
    names = set(call.names)
    if "constructor" in names and call.base is not None and _compiles(page, call.base):
        texts = [page.evaluator.values(item) for item in call.arguments or []]
        if texts and any(is_text(value) for value in texts[-1]):
            yield _problem(call.offset, "a function's constructor")
    elif names & {"setAttribute", "setAttributeNS"}:
        at = 1 if "setAttributeNS" in names else 0
        for key in evaluator.texts(call.argument(at)):
            if key.lower() in HANDLERS:
                yield _problem(call.offset, f"setAttribute('{key.lower()}')")
            elif key.lower() in {"href", "src", "action", "formaction", "xlink:href"}:
                value = call.argument(at + 1)
                if value is not None and _starts(evaluator.values(value), "javascript:"):
                    yield _problem(call.offset, "a javascript: address")
    elif any(_opens(path) for path in call.natives) and _starts(
        evaluator.values(call.argument(0)), "javascript:"
    ):
        yield _problem(call.offset, "a javascript: address")
    yield from _fills_script(page, call)


def _opens(path: tuple[str, ...]) -> bool:
    """Tell whether a function of the browser goes to the address it is given."""
    return path == ("open",) or path[-2:] in {("location", "assign"), ("location", "replace")}


def _fills_script(page: Page, call: Call) -> Iterator[Problem]:
    """Report calls that put text into a script element which a script made."""
    evaluator = page.evaluator
    if ("Object", "assign") in call.natives and call.arguments:
        if not _made_script(evaluator.values(call.arguments[0])):
            return
        for source in call.arguments[1:]:
            for value in evaluator.values(source):
                if isinstance(value, Record) and _SCRIPT_TEXT & set(value.props):
                    yield _problem(call.offset, "a script element")
    elif (
        set(call.names) & _APPENDS
        and call.base is not None
        and call.arguments
        and any(is_text(value) for value in evaluator.values(call.arguments[0]))
        and _made_script(evaluator.values(call.base))
        and not _typed_as_data(page, call.base)
    ):
        yield _problem(call.offset, "a script element")


def _made_script(values: Values) -> bool:
    return any(
        isinstance(value, ElementOf) and value.how == "created" and value.key.lower() == "script"
        for value in values
    )


def _typed_as_data(page: Page, base: Node) -> bool:
    """Tell whether the script element that a name holds is given a type that nothing runs."""
    binding = base.binding if base.type == "Identifier" else None
    if binding is None:
        return False
    kinds = [
        text
        for member, write in binding.changes
        if not member.computed and member.property.name == "type"
        for text in known_texts(page.evaluator.write(write))
    ]
    return bool(kinds) and not any(
        kind == "module" or "javascript" in kind or "ecmascript" in kind for kind in kinds
    )


def _is_eval(page: Page, argument: Node | None) -> bool:
    """Tell whether a call is handed ``eval`` itself, as in ``texts.map(eval)``."""
    return (
        argument is not None
        and argument.type in {"Identifier", "MemberExpression"}
        and Native(("eval",)) in page.evaluator.values(argument)
    )


def _compiles(page: Page, base: Node) -> bool:
    """Tell whether ``base.constructor`` is surely ``Function``."""
    if base.type == "MemberExpression":
        return page.evaluator.key(base)[0] == ["constructor"]
    return any(isinstance(value, Function) for value in page.evaluator.values(base))


def _write(page: Page, program: Program, member: MemberWrite) -> Iterator[Problem]:
    target = member.target
    names = set(page.evaluator.key(target)[0]) if target.computed else {target.property.name}
    if names & _SCRIPT_TEXT:
        made = _made_script(page.evaluator.values(target.object))
        if made and not _typed_as_data(page, target.object):
            yield _problem(program.offset(target), "a script element")
            return
    if names & _ADDRESSES and _starts(page.evaluator.write(member.write), "javascript:"):
        yield _problem(program.offset(target), "a javascript: address")


def _location(page: Page, program: Program, member: MemberWrite) -> Iterator[Problem]:
    """Report ``location = "javascript:..."``, written by the bare name."""
    target = member.target
    is_global = target.binding is None or target.binding.kind == "implicit"
    if (
        target.name == "location"
        and is_global
        and _starts(page.evaluator.write(member.write), "javascript:")
    ):
        yield _problem(program.offset(target), "a javascript: address")


def _starts(values: Values, scheme: str) -> bool:
    for value in values:
        text = value.parts[0] if isinstance(value, Text) else text_of(value)
        if text and text.lstrip().lower().startswith(scheme):
            if scheme == "javascript:" and text.strip().lower().rstrip(";") in {
                "javascript:",
                "javascript:void(0)",
                "javascript:void 0",
            }:
                continue
            return True
    return False


RULE = Rule(
    id="dynamic-code",
    severity="error",
    reason="Text that is run as code cannot be judged and breaks on the first quote in the data.",
    fix="Write the code as a function; read data with JSON.parse.",
    bad="<script>setTimeout('draw()', 100)</script>",
    good="<script>setTimeout(() => draw(), 100)</script>",
    check=_check,
)
