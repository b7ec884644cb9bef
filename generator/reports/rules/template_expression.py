"""``template-expression``: only plain data paths stand in ``{{ }}``, and no ``{% %}``.

QuickUI fills ``{{ a.b }}`` and leaves everything else on the page as raw braces, without a word.
Inside a mount a path is fine when the mount's ``data`` or ``i18n`` or the innermost ``:for``
around it binds it; when the data is a literal, a path missing from it is reported, and so is a
``:for`` over one. An outer loop's variable is reported inside an inner loop: QuickUI does not see
it there.

Where braces may stand: in the text of a mount (``textarea`` and ``style`` too) and in its bound
attributes (``:href``, ``:src``, ``:id`` and kin). Elsewhere (ordinary attributes, ``pre`` and
``code`` inside a mount, the title, text outside every mount) even a path is reported. Code samples
(``pre``, ``code``, ``samp``, ``kbd``, a ``textarea`` with more than a lone path) outside every
mount may show what they like. Braces in several text nodes (``split_braces.py``) are left as they
are everywhere, which is how a code sample inside a mount shows them. Comments, ``<template>`` and scripts are left alone. Where a mount
is missing, or its element is, plain paths outside every mount are not reported on top of
``missing-quickui``: mounting fills them. ``report.interpolation = "none"`` reports paths as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.reports.document import Element, Text
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.rules.bindings import Bindings, Reach, read_loop
from generator.reports.rules.split_braces import split_braces

_OPENING = re.compile(r"\{[{%]")
_PATH = re.compile(r"\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\Z", re.ASCII)
_SILENT = frozenset({"script", "template", "noscript", "iframe", "noembed", "noframes"})
_UNBOUND = frozenset({":if", ":else-if", ":elif", ":else", ":for", ":model", ":path"})
_CALL = re.compile(r"\s*[A-Za-z_]\w*\s*\(")
_LONGEST_SHOWN = 60


def _check(page: Page) -> Iterator[Problem]:
    bindings = Bindings(page)
    for element in page.document.elements:
        if element.inert:
            continue
        yield from _loop(page, bindings, element)
        for name, value in element.attributes.items():
            if "{{" in value or "{%" in value:
                yield from _attribute(page, bindings, element, name, value)
    for text in page.document.texts:
        if ("{{" in text.data or "{%" in text.data) and not text.parent.inert:
            yield from _text(page, bindings, text)
    shown = [text for text in page.document.texts if _is_shown(text)]
    for text, start, braces in split_braces(shown):
        if bindings.reach(text.parent).mounts or not bindings.mount_missing:
            yield Problem(
                offset=page.document.in_text(text, start),
                message=f"{_shown(braces)} stands in several pieces of text, so QuickUI leaves the "
                "braces on the page.",
                fix="Put the braces with all between them inside one element: <b>{{ total }}</b>.",
            )


def _is_shown(text: Text) -> bool:
    element = text.parent
    return not (element.inert or element.in_code or element.name in _SILENT | {"style", "title"})


def find_braces(text: str) -> Iterator[tuple[int, str, str | None]]:
    """Yield each ``{{ }}`` and ``{% %}``: where it starts, how it reads, what stands inside.

    The inside of a ``{% %}`` is None. One pass: what is never closed is looked for once.
    """
    at = 0
    closed = {"{{": True, "{%": True}
    while (matched := _OPENING.search(text, at)) is not None:
        mark, start = matched.group(), matched.start()
        at = start + 2
        if not closed[mark]:
            continue
        end = text.find("}}" if mark == "{{" else "%}", at)
        if end < 0:
            closed[mark] = False
            if not any(closed.values()):
                return
            continue
        yield start, text[start : end + 2], text[at:end] if mark == "{{" else None
        at = end + 2


def _loop(page: Page, bindings: Bindings, element: Element) -> Iterator[Problem]:
    loop = read_loop(element)
    if loop is None or element.parent is None:
        return
    offset = page.document.attribute_offset(element, ":for")
    reach = bindings.reach(element.parent)
    if not reach.mounts:
        return
    if not loop.well_formed:
        yield Problem(
            offset=offset,
            message=f'QuickUI cannot read :for="{element.attributes[":for"][:_LONGEST_SHOWN]}".',
            fix='Write :for="item in list" or :for="(key, value) in object" with a plain path.',
        )
    elif bindings.source_missing(loop, reach):
        yield Problem(
            offset=offset,
            message=f"The :for goes over {loop.source}, which nothing around it binds, so one raw "
            "row is shown.",
            fix="Put the list into the data of the mount.",
        )


def _text(page: Page, bindings: Bindings, text: Text) -> Iterator[Problem]:
    element = text.parent
    if element.name in _SILENT:
        return
    reach = bindings.reach(element)
    if element.in_code and (not reach.mounts or reach.mounts == bindings.unplaced):
        return
    if not reach.mounts and (element.name == "style" or _is_sample_box(element, text)):
        return
    for start, shown, inner in find_braces(text.data):
        offset = page.document.in_text(text, start)
        if inner is None:
            if not element.in_code and element.name != "style":
                yield _template_mark(offset, shown)
        elif element.name == "title":
            yield _misplaced(offset, shown, "the title")
        elif not reach.mounts:
            if not bindings.mount_missing:
                yield _misplaced(offset, shown, "text outside every mount")
            elif _PATH.match(inner) is None:
                yield _no_path(offset, inner)
        elif element.in_code:
            yield Problem(
                offset=offset,
                message=f"QuickUI replaces {_shown(shown)} in this code sample.",
                fix="Move the code sample out of the mount.",
            )
        else:
            yield from _interpolation(page, bindings, reach, inner, offset)


def _is_sample_box(element: Element, text: Text) -> bool:
    """Tell whether a text box shows a sample: one that holds a lone path was meant to be filled."""
    if element.name != "textarea":
        return False
    only = text.data.strip()
    return not (only.startswith("{{") and only.find("}}") == len(only) - 2)


def _attribute(
    page: Page, bindings: Bindings, element: Element, name: str, value: str
) -> Iterator[Problem]:
    reach = bindings.reach(element)
    if element.in_code and not reach.mounts:
        return
    if name in {":if", ":else-if", ":elif"}:
        return  # reported by if-operand
    bound = name[0] == ":" and name not in _UNBOUND
    for start, shown, inner in find_braces(value):
        offset = page.document.in_attribute(element, name, start)
        if inner is None:
            yield _template_mark(offset, shown)
        elif not bound:
            yield _misplaced(offset, shown, f"the attribute {name}")
        elif not reach.mounts:
            if not bindings.mount_missing:
                yield _misplaced(offset, shown, "an attribute outside every mount")
            elif _PATH.match(inner) is None:
                yield _no_path(offset, inner)
        else:
            yield from _interpolation(page, bindings, reach, inner, offset)


def _interpolation(
    page: Page, bindings: Bindings, reach: Reach, inner: str, offset: int
) -> Iterator[Problem]:
    shown = _shown("{{" + inner + "}}")
    matched = _PATH.match(inner)
    if matched is None:
        yield _no_path(offset, inner)
        return
    if page.settings.interpolation == "none":
        yield Problem(
            offset=offset,
            message=f"{shown} stands in the page, and report.interpolation is none.",
            fix="Write the value itself.",
        )
        return
    reason = bindings.missing(matched.group(1), reach)
    if reason is not None:
        yield Problem(
            offset=offset,
            message=f"{shown} stays on the page as raw braces: {reason}.",
            fix="Add the path to data with a value that is not null, or correct its spelling.",
        )


def _no_path(offset: int, inner: str) -> Problem:
    what = "calls a function" if _CALL.match(inner) else "is no plain data path"
    shown = _shown("{{" + inner + "}}")
    return Problem(
        offset=offset, message=f"{shown} {what}, so QuickUI may leave the braces on the page."
    )


def _template_mark(offset: int, shown: str) -> Problem:
    return Problem(
        offset=offset,
        message=f"{_shown(shown)} is a template mark that no browser works out.",
        fix="Write the finished text, or use :for and :if of QuickUI.",
    )


def _misplaced(offset: int, shown: str, where: str) -> Problem:
    return Problem(
        offset=offset,
        message=f"{_shown(shown)} stands in {where}, where QuickUI does not fill it.",
        fix="Write the value itself, or move it into the text of the mount (for attributes: "
        ":href, :src and kin).",
    )


def _shown(text: str) -> str:
    flat = " ".join(text.split())
    return flat[:_LONGEST_SHOWN] + "..." if len(flat) > _LONGEST_SHOWN else flat


RULE = Rule(
    id="template-expression",
    severity="error",
    reason="QuickUI leaves expressions on the page as raw braces, without a word.",
    fix="Work the value out in data and write its path: {{ total }}.",
    bad="<p>{{ price * count }}</p>",
    good="<p>{{ total }}</p>",
    check=_check,
)
