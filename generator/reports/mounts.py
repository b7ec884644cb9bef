"""Every place where a page starts QuickUI: which element, which data, and whether it can work."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from urllib.parse import urljoin

from generator.reports.document import Element
from generator.reports.javascript.moments import LATER, Moment
from generator.reports.javascript.scopes import Program
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    UNDEFINED,
    Class,
    ElementOf,
    Function,
    Imported,
    Known,
    Native,
    Record,
    Sequence,
    Text,
    Unknown,
    Values,
    known_texts,
    sure,
)
from generator.reports.libraries import is_quickui, is_quickui_module
from generator.reports.scripts import Script

if TYPE_CHECKING:
    from generator.reports.page import Page


@dataclass(slots=True, eq=False)
class Library:
    """QuickUI as the page loads it.

    Attributes:
        script: The script that loads or holds it.
        moment: When ``QUI`` is there.
        racing: It is loaded ``async``: the moment cannot be known.
    """

    script: Script
    moment: Moment
    racing: bool = False


@dataclass(slots=True, eq=False)
class Mount:
    """One ``new QUI({...})``.

    Attributes:
        program: The script it stands in.
        node: The expression.
        source: Where its QUI comes from: the ``global``, a ``module`` import, or ``local`` when
            the class stands in the same script.
        imported: The import behind it, for ``module``.
        called_plainly: It lacks ``new``.
        moment: When it runs first.
        options: The object it is given; None when that cannot be known.
        ids: The ids it may be given.
        ids_known: Every possibility of the id is in ``ids``.
        has_id: An ``id`` option is there.
        has_render: A ``render`` option is there.
        elements: The page's elements of those ids.
        no_object: What it is given is surely no object.
    """

    program: Program
    node: Node
    source: Literal["global", "module", "local"]
    imported: Imported | None
    called_plainly: bool
    moment: Moment
    options: Record | None = None
    ids: list[str] = field(default_factory=list)
    ids_known: bool = True
    has_id: bool = False
    has_render: bool = False
    elements: list[Element] = field(default_factory=list)
    no_object: bool = False

    @property
    def offset(self) -> int:
        """Where it stands in the page."""
        return self.program.offset(self.node)

    def option(self, name: str) -> Values | None:
        """Return what an option may be, None when the options or this one cannot be known."""
        if self.options is None:
            return None
        thunk = self.options.props.get(name)
        if thunk is None:
            return None if self.options.open else (Known(UNDEFINED),)
        return thunk()


def find_mounts(page: Page) -> list[Mount]:
    """Return every mount of a page, in page order of its scripts."""
    mounts = []
    for program in page.programs:
        for node in program.nodes:
            if node.type in {"NewExpression", "CallExpression"} and may_be_quickui(node.callee):
                mount = _mount(page, program, node)
                if mount is not None:
                    mounts.append(mount)
    return mounts


def may_be_quickui(callee: Node) -> bool:
    """Tell cheaply whether a callee is worth working out."""
    return callee.type in {"Identifier", "MemberExpression"}


def _mount(page: Page, program: Program, node: Node) -> Mount | None:
    plain = node.type == "CallExpression"
    callee = node.callee
    name = _last_name(callee)
    if plain and name != "QUI":
        return None
    found = _origin(page, callee, name)
    if found is None:
        return None
    source, imported = found
    mount = Mount(program, node, source, imported, plain, page.timing.moment(node))
    _read_options(page, mount)
    return mount


def _last_name(callee: Node) -> str:
    if callee.type == "Identifier":
        return str(callee.name)
    return "" if callee.computed else str(callee.property.name)


def _origin(
    page: Page, callee: Node, name: str
) -> tuple[Literal["global", "module", "local"], Imported | None] | None:
    for value in page.evaluator.values(callee):
        if isinstance(value, Native) and value.path == ("QUI",):
            return "global", None
        if isinstance(value, Imported) and _resolves_to_quickui(page, value.source):
            return "module", value
        if name != "QUI":
            continue
        if isinstance(value, Class | Function):
            own = callee.type == "Identifier" and callee.binding is not None
            shared = own and callee.binding.scope is page.page_scope
            return ("global" if shared or not own else "local"), None
        if isinstance(value, Unknown):
            return "global", None
    return None


def resolve_import(page: Page, source: str) -> str | None:
    """Return the address behind an import's name, None when a browser could not resolve it.

    Bare names go through the page's import map; addresses stand for themselves.
    """
    mapped = _import_map(page)
    if source in mapped:
        return mapped[source]
    for prefix in sorted((key for key in mapped if key.endswith("/")), key=len, reverse=True):
        if source.startswith(prefix):
            return urljoin(mapped[prefix], source[len(prefix) :]) or source
    if source.startswith(("./", "../", "/", "data:")) or "://" in source:
        return source
    return None


def _import_map(page: Page) -> dict[str, str]:
    found: dict[str, str] = {}
    for script in page.scripts:
        if script.kind == "importmap" and script not in page.failures:
            try:
                imports = json.loads(script.text).get("imports", {})
                found.update(
                    {key: value for key, value in imports.items() if isinstance(value, str)}
                )
            except (ValueError, AttributeError, RecursionError):
                continue
    return found


def _resolves_to_quickui(page: Page, source: str) -> bool:
    address = resolve_import(page, source)
    if address is None:
        return "quickui" in source.lower()
    return is_quickui(address) or is_quickui_module(address)


def _read_options(page: Page, mount: Mount) -> None:
    arguments = mount.node.arguments
    values = page.evaluator.values(arguments[0]) if arguments else ()
    records = [value for value in values if isinstance(value, Record)]
    if len(values) != 1 or not records:
        mount.ids_known = False
        mount.has_id = mount.has_render = bool(arguments)
        mount.no_object = bool(values) and all(
            isinstance(value, Known | Text | Sequence | ElementOf | Function) for value in values
        )
        return
    mount.options = records[0]
    props = records[0].props
    mount.has_render = "render" in props
    mount.has_id = "id" in props or records[0].open
    if "id" in props:
        ids = props["id"]()
        mount.ids = list(dict.fromkeys(known_texts(ids)))
        mount.ids_known = sure(ids)
    elif records[0].open:
        mount.ids_known = False
    for identity in mount.ids:
        element = page.element(identity.strip())
        if element is not None:
            mount.elements.append(element)


def find_libraries(page: Page) -> list[Library]:
    """Return every way in which a page makes ``QUI`` global."""
    found = []
    for script in page.scripts:
        if script.kind == "external" and is_quickui(script.address):
            if is_quickui_module(script.address):
                continue
            racing = "async" in script.element.attributes and not script.module
            found.append(Library(script, page.moment_of(script), racing))
        elif script in page.builds and "QUI" in page.builds[script].globals:
            found.append(Library(script, page.moment_of(script)))
    found.extend(_inlined(page))
    found.extend(_loaded_by_script(page))
    return found


def _inlined(page: Page) -> list[Library]:
    """Find scripts that hold QuickUI themselves: they define a global QUI and name QuickUI."""
    binding = page.page_scope.names.get("QUI")
    if binding is None:
        return []
    found = []
    for write in binding.writes:
        if write.kind == "import":
            continue
        node = write.node
        while node.up is not None:
            node = node.up
        program = getattr(node, "owner", None)
        if program is None:
            continue
        values = page.evaluator.write(write)
        exposed = any(
            isinstance(value, Imported) and _resolves_to_quickui(page, value.source)
            for value in values
        )
        # An alias such as ``const QUI = window.QUI`` makes no library of a script.
        made = write.node.type in {"CallExpression", "ClassDeclaration"} or any(
            isinstance(value, Class | Function) for value in values
        )
        if exposed or (made and "quickui" in program.script.text.lower()):
            found.append(Library(program.script, page.moment_of(program.script)))
    return found


def _loaded_by_script(page: Page) -> list[Library]:
    """Find scripts that add a script element with QuickUI's address."""
    found = []
    for program in page.programs:
        for member in program.member_writes:
            target = member.target
            if target.computed or target.property.name != "src":
                continue
            addresses = known_texts(page.evaluator.write(member.write))
            if any(is_quickui(address) and not is_quickui_module(address) for address in addresses):
                found.append(Library(program.script, (LATER, 0), racing=True))
    return found
