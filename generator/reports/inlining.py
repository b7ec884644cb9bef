"""Puts the shipped runtimes into a page, so that it works from disk.

``t.js`` goes into every page that uses ``T`` without defining it. ``quickui.js`` takes the place
of QuickUI's address when ``report.inline_runtime`` is set. Everything else of the page stays
byte for byte, line ends included.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass

from generator.paths import shipped
from generator.reports.document import Document, Element
from generator.reports.javascript.scopes import Program
from generator.reports.javascript.syntax import Node
from generator.reports.libraries import is_quickui, is_quickui_module
from generator.reports.mounts import resolve_import
from generator.reports.page import Page
from generator.reports.rules.chart_runtime import undefined_runtime
from generator.storage import read_text

_SCRIPT_END = re.compile(r"</script[^>]*>", re.IGNORECASE)
# Browsers look for the charset in this many bytes only.
_CHARSET_BYTES = 1024


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str


def runtime(name: str) -> str:
    """Return a shipped runtime, ready to stand in a script element.

    Args:
        name: ``quickui.js`` or ``t.js``.
    """
    return read_text(shipped("templates") / "assets" / name)


def inline_runtimes(text: str, page: Page) -> tuple[str, tuple[str, ...]]:
    """Put the runtimes a page needs into it.

    Args:
        text: The page as it was handed in.
        page: The same page, parsed; its settings say whether QuickUI is inlined.

    Returns:
        The page to save, and the names of what was put into it.
    """
    edits: list[_Edit] = []
    inlined: list[str] = []
    if page.settings.inline_runtime:
        edits += _quickui_edits(page)
        inlined += ["quickui.js"] if edits else []
    if undefined_runtime(page) is not None:
        place = _first_script(page)
        block = f"<script>{runtime('t.js')}</script>\n"
        edits.append(_Edit(place, place, _charset_first(page.document, place) + block))
        inlined.append("t.js")
    return _apply(text, edits), tuple(inlined)


def refer_to_runtime(text: str, page: Page, address: str) -> str:
    """Load ``t.js`` by address where saving would inline it, so that lines stay as they are.

    Args:
        text: The page as it was handed in.
        page: The same page, parsed.
        address: Where the browser that opens the page will find the runtime.
    """
    if undefined_runtime(page) is None:
        return text
    place = _first_script(page)
    return _apply(text, [_Edit(place, place, f'<script src="{address}"></script>')])


def _first_script(page: Page) -> int:
    """Return the offset of the first script that runs by itself."""
    for script in page.scripts:
        if script.kind in {"classic", "module", "external"} and not script.element.svg:
            return script.place
    return page.document.head_place


def _charset_first(document: Document, place: int) -> str:
    """Declare the charset before a block that would push the page's own out of reach."""
    for element in document.named("meta"):
        says = "charset" in element.attributes or (
            element.attributes.get("http-equiv", "").lower() == "content-type"
        )
        if says:
            return '<meta charset="utf-8">\n' if element.place > place else ""
    return '<meta charset="utf-8">\n' if place < _CHARSET_BYTES else ""


def _quickui_edits(page: Page) -> list[_Edit]:
    edits = [
        _Edit(script.place, _element_end(page.document, script.element), _quickui_block())
        for script in page.scripts
        if script.kind == "external" and is_quickui(script.address)
        if not is_quickui_module(script.address)
    ]
    brought = bool(edits)
    for program in page.programs:
        for node in program.nodes:
            if node.type == "ImportDeclaration" and _imports_quickui(page, node):
                edits.append(_import_edit(program, node))
                if not brought:
                    # A classic script before the module: modules run after it.
                    place = program.script.place
                    edits.append(_Edit(place, place, _quickui_block() + "\n"))
                    brought = True
    return edits


def _quickui_block() -> str:
    return f"<script>{runtime('quickui.js')}</script>"


def _element_end(document: Document, element: Element) -> int:
    body = document.tag(element).end
    closing = _SCRIPT_END.search(document.source, body)
    return closing.end() if closing else body


def _imports_quickui(page: Page, node: Node) -> bool:
    address = resolve_import(page, str(node.source.value))
    named = all(
        specifier.type == "ImportSpecifier" and specifier.imported.name == "QUI"
        for specifier in node.specifiers
    )
    return address is not None and named and (is_quickui(address) or is_quickui_module(address))


def _import_edit(program: Program, node: Node) -> _Edit:
    """Take the class from the global instead of importing it."""
    names = [
        "QUI" if specifier.local.name == "QUI" else f"QUI: {specifier.local.name}"
        for specifier in node.specifiers
    ]
    text = f"const {{ {', '.join(names)} }} = globalThis;" if names else ""
    return _Edit(program.offset(node), program.at(int(node.range[1])), text)


def _apply(text: str, edits: list[_Edit]) -> str:
    """Make edits whose offsets count in the text without byte order mark and carriage returns."""
    if not edits:
        return text
    mark = 1 if text.startswith("\ufeff") else 0
    # Offsets, in the plain text, of the line ends that are two characters in the original.
    pairs = [
        found.start() - mark - number for number, found in enumerate(re.finditer("\r\n", text))
    ]

    def original(offset: int) -> int:
        return offset + mark + bisect_left(pairs, offset)

    newline = "\r\n" if pairs else "\n"
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        start = original(edit.start)
        parts += [text[at:start], edit.text.replace("\n", newline)]
        at = original(edit.end)
    return "".join([*parts, text[at:]])
