"""``markup-from-script``: no script writes markup.

Markup built in a script shows unescaped text as tags, loses what QuickUI and charts hold, and
hides mistakes until a reader meets them. Reported is every write of ``innerHTML``, ``outerHTML``
or ``srcdoc`` (assignment, ``+=``, destructuring, loops, ``Object.assign``, ``Reflect.set``, the
property's setter, bare names in an event handler), every call or hand-over of the methods that
take markup, ``new DOMParser``, jQuery's and d3's ``html()`` and kin, a QUI ``render`` that returns
markup, and the attributes ``:html``, ``q-html`` and ``:srcdoc``. Names are followed through
constants, joined strings, aliases, destructuring and loops over literals.

Left alone: reading these properties, testing for them, clearing with an empty string, the same
names in plain data, ``formatter`` functions of charts. Where an element's property name or a
source of ``Object.assign`` cannot be known, that is a warning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.reports.javascript.scopes import MemberWrite, Program
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.uses import Call
from generator.reports.javascript.values import (
    ElementOf,
    Function,
    Known,
    Native,
    Record,
    Text,
    Unknown,
    Value,
    Values,
    text_of,
)
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.rules.selections import selection_of

_PROPERTIES = frozenset({"innerHTML", "outerHTML", "srcdoc"})
#: Methods that take markup, with the argument that holds it.
_METHODS = {
    "insertAdjacentHTML": 1,
    "createContextualFragment": 0,
    "setHTMLUnsafe": 0,
    "setHTML": 0,
    "parseHTMLUnsafe": 0,
}
_WRITES = frozenset({("document", "write"), ("document", "writeln")})
_TESTS = frozenset({"UnaryExpression", "IfStatement", "LogicalExpression", "BinaryExpression"})
_TAG = re.compile(r"<[a-zA-Z/!]")
_SINGLE_TAG = re.compile(r"\s*<([a-zA-Z][\w-]*)\s*/?>(?:</\1>)?\s*\Z")
#: jQuery methods that read markup from a string.
_JQUERY = frozenset(
    {
        "append",
        "prepend",
        "before",
        "after",
        "replaceWith",
        "wrap",
        "wrapAll",
        "wrapInner",
        "add",
    }
)


def _check(page: Page) -> Iterator[Problem]:
    yield from _attributes(page)
    for program in page.programs:
        for member in program.member_writes:
            yield from _member_write(page, program, member)
        yield from _bare_names(program)
        yield from _references(page, program)
        yield from _subclasses(page, program)
    for call in page.calls:
        yield from _call(page, call)
    yield from _renders(page)


def _problem(offset: int, what: str) -> Problem:
    return Problem(offset=offset, message=f"This script writes markup through {what}.")


def _attributes(page: Page) -> Iterator[Problem]:
    for element in page.document.elements:
        for name in (":html", "q-html", ":srcdoc"):
            if name in element.attributes and not element.inert:
                place = page.document.tag(element).attributes.get(name)
                yield Problem(
                    offset=place.name if place else element.place,
                    message=f"The attribute {name} writes its value as markup.",
                    fix="Write {{ path }} in the text of the element.",
                )


# Properties.


def _member_write(page: Page, program: Program, member: MemberWrite) -> Iterator[Problem]:
    target = member.target
    if not target.computed:
        if target.property.name not in _PROPERTIES:
            return
        names, all_known = [target.property.name], True
    else:
        names, all_known = page.evaluator.key(target)
    hit = next((name for name in names if name in _PROPERTIES), None)
    if hit is None:
        if not all_known and _is_element(page.evaluator.values(target.object)):
            yield _unknown_key(program.offset(target))
        return
    if _all_data(page.evaluator.values(target.object)) or _clears(page, member):
        return
    yield _problem(program.offset(target), hit)


def _unknown_key(offset: int) -> Problem:
    return Problem(
        offset=offset,
        message="Which property of the element is written cannot be known from the page.",
        fix="Write the property by its name, such as element.textContent.",
        severity="warning",
    )


def _clears(page: Page, member: MemberWrite) -> bool:
    return member.operator == "=" and _is_empty(page.evaluator.write(member.write))


def _is_empty(values: Values) -> bool:
    return bool(values) and all(
        isinstance(value, Known) and value.value in {"", None} for value in values
    )


def _all_data(values: Values) -> bool:
    """Tell whether a value is surely a plain object of the page's own."""
    return bool(values) and all(isinstance(value, Record) for value in values)


def _is_element(values: Values) -> bool:
    return any(isinstance(value, ElementOf) for value in values)


def _bare_names(program: Program) -> Iterator[Problem]:
    """Report ``innerHTML = x`` in a handler or a ``with``: the name means the element's."""
    for member, _ in program.assignments:
        target = member.target
        if target.name not in _PROPERTIES or not _binding_is_global(target):
            continue
        if program.script.kind == "handler" or _inside_with(target):
            yield _problem(program.offset(target), target.name)


def _binding_is_global(identifier: Node) -> bool:
    return identifier.binding is None or identifier.binding.kind == "implicit"


def _inside_with(node: Node) -> bool:
    while node.up is not None:
        node = node.up
        if node.type == "WithStatement":
            return True
    return False


# Methods.


def _references(page: Page, program: Program) -> Iterator[Problem]:
    """Report methods that take markup where they are called or handed on."""
    for node in program.nodes:
        if node.type != "MemberExpression":
            continue
        if node.computed:
            if node.property.type == "Literal" and not isinstance(node.property.value, str):
                continue
            names = page.evaluator.key(node)[0]
        else:
            names = [node.property.name]
        for name in names:
            if name in _METHODS or name in {"write", "writeln"}:
                yield from _reference(page, program, node, name)


def _subclasses(page: Page, program: Program) -> Iterator[Problem]:
    """Report classes that are parsers of markup by another name."""
    for node in program.nodes:
        if (
            node.type in {"ClassDeclaration", "ClassExpression"}
            and node.superClass is not None
            and Native(("DOMParser",)) in page.evaluator.values(node.superClass)
        ):
            yield _problem(program.offset(node.superClass), "DOMParser")


def _reference(page: Page, program: Program, node: Node, name: str) -> Iterator[Problem]:
    up = node.up
    outer = up.up if up is not None and up.type == "ChainExpression" else up
    if name in {"write", "writeln"}:
        base = page.evaluator.values(node.object)
        if Native(("document",)) not in base:
            return
        label = f"document.{name}"
    else:
        label = name
        if _all_data(page.evaluator.values(node.object)):
            return
        if _adds_nothing(page, node, name):
            return
    if outer is None or outer.type in _TESTS or outer.type == "ExpressionStatement":
        return
    if outer.type == "ConditionalExpression" and outer.test is node:
        return
    if outer.type in {"AssignmentExpression"} and outer.left is node:
        return
    yield _problem(program.offset(node), label)


def _adds_nothing(page: Page, method: Node, name: str) -> bool:
    """Tell whether a method is called here with an empty string for its markup."""
    call = method.up
    if call is None or call.type != "CallExpression" or call.callee is not method:
        return False
    at = _METHODS[name]
    return len(call.arguments) > at and _is_empty(page.evaluator.values(call.arguments[at]))


def _call(page: Page, call: Call) -> Iterator[Problem]:
    evaluator = page.evaluator
    natives = call.natives
    if call.new:
        if ("DOMParser",) in natives:
            yield _problem(call.offset, "DOMParser")
        return
    if natives & _WRITES and call.base is None:
        yield _problem(call.offset, "document.write")
    elif natives & {("write",), ("writeln",)} and (
        call.program.script.kind == "handler" or _inside_with(call.node)
    ):
        # Names in an event handler, and in a with, are looked up in the document as well.
        yield _problem(call.offset, f"document.{call.names[0]}")
    if ("Object", "assign") in natives:
        yield from _assign(page, call)
    elif ("Reflect", "set") in natives:
        yield from _reflect_set(page, call)
    elif ("Reflect", "construct") in natives and Native(("DOMParser",)) in evaluator.values(
        call.argument(0)
    ):
        yield _problem(call.offset, "DOMParser")
    if call.base is None:
        for name in call.methods & _METHODS.keys():
            yield _problem(call.offset, name)
    for name in call.setters & _PROPERTIES:
        yield _problem(call.offset, f"the setter of {name}")
    names = set(call.names)
    if names & {"setAttribute", "setAttributeNS", "createAttribute"}:
        at = 1 if "setAttributeNS" in names else 0
        keys = [text.lower() for text in evaluator.texts(call.argument(at))]
        value = call.argument(at + 1)
        if "srcdoc" in keys and not (value is not None and _is_empty(evaluator.values(value))):
            yield _problem(call.offset, "the srcdoc attribute")
    elif "execCommand" in names:
        if any(text.lower() == "inserthtml" for text in evaluator.texts(call.argument(0))):
            yield _problem(call.offset, "execCommand('insertHTML')")
    elif "__lookupSetter__" in names and _PROPERTIES & set(evaluator.texts(call.argument(0))):
        yield _problem(call.offset, "the setter of a markup property")
    yield from _selection_call(page, call)


def _assign(page: Page, call: Call) -> Iterator[Problem]:
    if not call.arguments:
        return
    evaluator = page.evaluator
    target = evaluator.values(call.arguments[0])
    if _all_data(target):
        return
    for source in call.arguments[1:]:
        for value in evaluator.values(source):
            if isinstance(value, Record):
                for name in _PROPERTIES & set(value.props):
                    if not _is_empty(value.props[name]()):
                        yield _problem(call.offset, f"Object.assign of {name}")
            elif isinstance(value, Unknown) and _is_element(target):
                yield _unknown_key(call.offset)


def _reflect_set(page: Page, call: Call) -> Iterator[Problem]:
    target, key, value = call.argument(0), call.argument(1), call.argument(2)
    if target is None or key is None or _all_data(page.evaluator.values(target)):
        return
    keys = page.evaluator.texts(key)
    for name in _PROPERTIES & set(keys):
        if value is None or not _is_empty(page.evaluator.values(value)):
            yield _problem(call.offset, f"Reflect.set of {name}")
    if not keys and _is_element(page.evaluator.values(target)):
        yield _unknown_key(call.offset)


# jQuery and d3.


def _selection_call(page: Page, call: Call) -> Iterator[Problem]:
    evaluator = page.evaluator
    first = call.argument(0)
    if call.base is None:
        if call.natives & {("$",), ("jQuery",)} and first is not None:
            values = evaluator.values(first)
            if any(_is_markup(value) and not _is_single_tag(value) for value in values):
                yield _problem(call.offset, f"{call.names[0]}('<...>')")
        return
    if not call.names or first is None:
        return
    name = call.names[0]
    if name == "parseHTML" and call.natives & {("$", name), ("jQuery", name)}:
        yield _problem(call.offset, "jQuery's parseHTML")
    elif name == "html" and selection_of(page, call.base):
        if not _is_empty(evaluator.values(first)):
            yield _problem(call.offset, "html()")
    elif name in _JQUERY and selection_of(page, call.base) == "jquery":
        values = evaluator.values(first)
        if any(_is_markup(value) for value in values):
            yield _problem(call.offset, f"jQuery's {name}()")


def _is_markup(value: Value) -> bool:
    """Tell whether a value is text that surely holds a tag."""
    if isinstance(value, Known) and isinstance(value.value, str):
        return bool(_TAG.search(value.value))
    return isinstance(value, Text) and any(_TAG.search(part) for part in value.parts)


def _is_single_tag(value: Value) -> bool:
    """Tell whether text is one bare tag, from which jQuery makes an element without parsing."""
    return _SINGLE_TAG.match(text_of(value) or "") is not None


# QuickUI's render.


def _renders(page: Page) -> Iterator[Problem]:
    for mount in page.mounts:
        render = mount.option("render") if mount.has_render else None
        for value in render or ():
            if not isinstance(value, Function):
                continue
            results = page.evaluator.call(value, (), None)
            if any(_is_markup(result) for result in results):
                yield Problem(
                    offset=mount.program.offset(value.node),
                    message="The render of this mount returns markup.",
                    fix="Write the markup in the page and let {{ path }} and :for fill it.",
                )


RULE = Rule(
    id="markup-from-script",
    severity="error",
    reason="Markup built in a script shows text as tags and breaks without a word.",
    fix="Write the markup in the page and fill it by QuickUI ({{ path }}, :for), or set "
    "textContent.",
    bad='<script>list.innerHTML = "<li>" + name + "</li>"</script>',
    good='<ul id=app><li :for="name in names">{{ name }}</li></ul>',
    check=_check,
)
