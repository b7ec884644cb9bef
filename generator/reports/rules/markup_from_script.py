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

from collections.abc import Iterator

from generator.reports.javascript.values import Function
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.rules.markup_methods import call_problems, references, subclasses
from generator.reports.rules.markup_properties import bare_names, member_write
from generator.reports.rules.markup_values import is_markup


def _check(page: Page) -> Iterator[Problem]:
    yield from _attributes(page)
    for program in page.programs:
        for member in program.member_writes:
            yield from member_write(page, program, member)
        yield from bare_names(program)
        yield from references(page, program)
        yield from subclasses(page, program)
    for call in page.calls:
        yield from call_problems(page, call)
    yield from _renders(page)


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


def _renders(page: Page) -> Iterator[Problem]:
    for mount in page.mounts:
        render = mount.option("render") if mount.has_render else None
        for value in render or ():
            if not isinstance(value, Function):
                continue
            results = page.evaluator.call(value, (), None)
            if any(is_markup(result) for result in results):
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
