"""``missing-quickui``: the page loads QuickUI and mounts it, in an order that works.

QuickUI is there when a script loads a file named ``QuickUI[.min].js`` (any case), when an inlined
script defines ``QUI``, or through a named ESM import. It is mounted by ``new QUI({...})`` in code
that runs after the library is there, with an ``id`` of an element that is parsed by then, or with
a ``render``. Each mount that cannot work is reported on its own: its part of the page stays raw.

What is left alone, because the page does not tell: options that come from elsewhere, ids that are
worked out at run time, mounts in timers and promises. An ``async`` library is reported for mounts
that run while the page is parsed (they nearly always come first) and as a warning for later ones.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.javascript.moments import LATER, LOADED, NEVER, PARSING, READY
from generator.reports.javascript.values import Made, Record, Sequence, Values
from generator.reports.libraries import is_quickui, is_quickui_module
from generator.reports.mounts import Library, Mount, find_libraries, resolve_import
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule

#: How much of a mount's data is looked through for what QuickUI cannot take.
_MOST_LOOKED_AT = 500
_DEEPEST_LOOKED_AT = 4

_LOAD = (
    'Write <script src="https://cdn.jsdelivr.net/npm/@pardnchiu/quickui@0.6.17/dist/QuickUI.js">'
    '</script> and, after the element, <script>new QUI({id: "app", data: {...}})</script>.'
)


def _check(page: Page) -> Iterator[Problem]:
    libraries = find_libraries(page)
    mounts = page.mounts
    modules = [mount for mount in mounts if mount.source == "module"]
    local = [mount for mount in mounts if mount.source == "local"]
    loads = list(_wrong_loads(page))
    yield from loads
    if not libraries and not modules and not _inlined_locally(local):
        if not loads:
            yield Problem(
                offset=page.document.head_place,
                message="The page does not load QuickUI.",
                fix=_LOAD,
            )
        return
    if not mounts:
        where = libraries[0].script.place if libraries else page.document.head_place
        yield Problem(
            offset=where,
            message="The page loads QuickUI and never mounts it.",
            fix='Write new QUI({id: "app", data: {...}}) in a script after the element.',
        )
    for mount in mounts:
        problem = _judge(page, mount, libraries)
        if problem is not None:
            yield problem


def _inlined_locally(mounts: list[Mount]) -> bool:
    """Tell whether a module brings QuickUI along in its own text."""
    return any("quickui" in mount.program.script.text.lower() for mount in mounts)


def _wrong_loads(page: Page) -> Iterator[Problem]:
    """Report loads of QuickUI that give no ``QUI``."""
    for script in page.scripts:
        if script.kind != "external" or not is_quickui(script.address):
            continue
        if not is_quickui_module(script.address):
            continue
        if any(mount.source == "module" for mount in page.mounts):
            continue
        if script.module:
            message = "QuickUI's module build is loaded and not imported: it defines no QUI."
        else:
            message = "QuickUI's module build is loaded as a classic script: it does not parse."
        yield Problem(
            offset=script.place,
            message=message,
            fix='Load QuickUI.js instead, or write import { QUI } from "..." in a module.',
        )


def _judge(page: Page, mount: Mount, libraries: list[Library]) -> Problem | None:
    """Return what is wrong with one mount, None when it works or cannot be known."""
    return (
        _wrong_call(page, mount)
        or _too_early(mount, libraries)
        or _wrong_target(page, mount)
        or _dates(mount)
    )


def _wrong_call(page: Page, mount: Mount) -> Problem | None:
    if mount.called_plainly:
        return Problem(
            offset=mount.offset,
            message="QUI is called without new, which throws.",
            fix="Write new QUI({...}).",
        )
    if mount.imported is not None:
        if resolve_import(page, mount.imported.source) is None:
            return Problem(
                offset=mount.offset,
                message=f"QUI is imported from {mount.imported.source!r}, which no browser can "
                "resolve without an import map.",
                fix="Import it from its full address.",
            )
        if mount.imported.name != "QUI":
            what = "the default" if mount.imported.name == "default" else mount.imported.name
            return Problem(
                offset=mount.offset,
                message=f"QuickUI exports QUI by name only; this imports {what}.",
                fix='Write import { QUI } from "...QuickUI.esm.js".',
            )
    if mount.moment == NEVER and not _mounted_otherwise(page, mount):
        return Problem(
            offset=mount.offset,
            message="This mount never runs: nothing calls its function, or its branch is never "
            "taken.",
            fix="Call the function, or mount at the top of the script.",
        )
    return None


def _mounted_otherwise(page: Page, mount: Mount) -> bool:
    """Tell whether other mounts, which do run, take every element of one that never runs."""
    taken = {
        element.order
        for other in page.mounts
        if other.moment != NEVER
        for element in other.elements
    }
    return bool(mount.elements) and all(element.order in taken for element in mount.elements)


def _too_early(mount: Mount, libraries: list[Library]) -> Problem | None:
    if mount.source != "global":
        return None
    if not libraries:
        return Problem(
            offset=mount.offset,
            message="This mount needs a global QUI, which no script of the page defines.",
            fix=_LOAD,
        )
    if any(not library.racing and library.moment <= mount.moment for library in libraries):
        return None
    racing = [library for library in libraries if library.racing]
    if racing and mount.moment[0] >= LOADED:
        return None
    if racing and mount.moment[0] >= READY:
        return Problem(
            offset=mount.offset,
            message="QuickUI is loaded async, so it may come after this mount.",
            fix="Load QuickUI without async.",
            severity="warning",
        )
    deferred = any(library.moment[0] > PARSING for library in libraries)
    how = " (a deferred, async or module script runs after the page is parsed)" if deferred else ""
    return Problem(
        offset=mount.offset,
        message=f"This mount runs before QuickUI is loaded{how}, so it throws.",
        fix="Put the plain <script src=...QuickUI.js> before it, or mount in DOMContentLoaded.",
    )


def _wrong_target(page: Page, mount: Mount) -> Problem | None:
    if mount.options is None:
        if mount.has_id or not mount.node.arguments:
            if not mount.node.arguments:
                return Problem(
                    offset=mount.offset,
                    message="new QUI() is given no options, so nothing is mounted.",
                    fix='Write new QUI({id: "app", data: {...}}).',
                )
            if mount.no_object:
                return Problem(
                    offset=mount.offset,
                    message="QUI takes one object of options, so nothing is mounted.",
                    fix='Write new QUI({id: "app", data: {...}}).',
                )
            return _unclear(mount, "The options of this mount cannot be known from the page.")
        return None
    if mount.has_render and not mount.ids:
        return None
    if not mount.has_id:
        other = "el" if "el" in mount.options.props else ""
        hint = " (QuickUI does not know el)" if other else ""
        return Problem(
            offset=mount.offset,
            message=f"This mount has no id{hint}, so nothing is mounted.",
            fix='Give the id of an element in the page: id: "app".',
        )
    missing = [name for name in mount.ids if page.element(name.strip()) is None]
    if missing and not _made_in_script(page, missing):
        return _missing(mount, missing)
    late = [element for element in mount.elements if not page.parsed_by(element, mount.moment)]
    if late and mount.moment[0] < LATER:
        return Problem(
            offset=mount.offset,
            message=f"This mount runs before the element #{late[0].id} is parsed, so it finds "
            "nothing.",
            fix="Move the script after the element, or mount in DOMContentLoaded.",
        )
    if not mount.ids and not mount.has_render:
        if mount.ids_known:
            return _missing(mount, ["undefined"])
        return _unclear(mount, "The id of this mount cannot be known from the page.")
    return None


def _dates(mount: Mount) -> Problem | None:
    """Report a ``Date`` in the data, on which QuickUI throws."""
    data = mount.option("data")
    if data is None or len(data) != 1:
        return None
    stack: list[tuple[str, Values]] = [("data", data)]
    for _ in range(_MOST_LOOKED_AT):
        if not stack:
            return None
        path, values = stack.pop()
        if values == (Made(("Date",)),):
            return Problem(
                offset=mount.offset,
                message=f"{path[:60]} is a Date, on which QuickUI throws, so nothing is filled in.",
                fix="Give the date as text: date.toISOString().slice(0, 10).",
            )
        value = values[0] if len(values) == 1 else None
        if path.count(".") > _DEEPEST_LOOKED_AT:
            continue
        if isinstance(value, Record):
            stack += [(f"{path}.{name}", thunk()) for name, thunk in value.props.items()]
        elif isinstance(value, Sequence):
            stack += [(f"{path}.{at}", item()) for at, item in enumerate(value.items[:20])]
    return None


def _made_in_script(page: Page, names: list[str]) -> bool:
    from generator.reports.charts import scripted_ids

    made, unclear = scripted_ids(page)
    return unclear or all(name in made for name in names)


def _missing(mount: Mount, names: list[str]) -> Problem:
    name = names[0]
    if name.startswith(("#", ".")):
        message = f"The id {name!r} is a selector; QuickUI takes the bare id."
        fix = f"Write id: {name[1:]!r}."
    else:
        message = f"No element of the page has the id {name!r}, so nothing is mounted."
        fix = f'Write <div id="{name}">...</div> before the script, or correct the id.'
    return Problem(offset=mount.offset, message=message, fix=fix)


def _unclear(mount: Mount, message: str) -> Problem:
    return Problem(
        offset=mount.offset,
        message=message,
        fix="Give the options as a literal object with a literal id.",
        severity="warning",
    )


RULE = Rule(
    id="missing-quickui",
    severity="error",
    reason="Without a QuickUI mount that works, the page shows raw braces and every branch.",
    fix=_LOAD,
    bad="<div id=app>{{ total }}</div><script>new QUI({id: 'app', data: {total: 3}})</script>",
    good='<div id=app>{{ total }}</div><script src=".../QuickUI.js"></script>'
    "<script>new QUI({id: 'app', data: {total: 3}})</script>",
    check=_check,
)
