"""Which names an interpolation may use: mount data, i18n, and the loops around an element."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, field

from generator.reports.document import Element
from generator.reports.javascript.syntax import Node
from generator.reports.javascript.values import (
    UNDEFINED,
    Known,
    Record,
    Sequence,
    Unknown,
    Value,
    Values,
)
from generator.reports.mounts import Mount
from generator.reports.page import Page

_FOR = re.compile(
    r"\s*\(?\s*(?P<first>\w+)\s*(?:,\s*(?P<second>\w+)\s*)?\)?\s+(?:in|of)\s+(?P<source>[\w.]+)\s*\Z"
)
#: Expressions that give another name to an object which has one already.
_ALIASES = frozenset({"Identifier", "MemberExpression", "ChainExpression"})


@dataclass(frozen=True, slots=True)
class Loop:
    """One ``:for``.

    Attributes:
        names: The variables it binds.
        source: The path it goes over.
        well_formed: It reads as QuickUI reads it.
    """

    names: tuple[str, ...]
    source: str
    well_formed: bool


@dataclass(slots=True, eq=False)
class Reach:
    """What an element's text may name.

    Attributes:
        mounts: The mounts around it.
        loops: The loops around it, innermost first.
    """

    mounts: list[Mount]
    loops: list[Loop] = field(default_factory=list)


class Bindings:
    """Answers what may be named where in a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._mounted: dict[int, list[Mount]] = {}
        for mount in page.mounts:
            for element in mount.elements:
                self._mounted.setdefault(element.order, []).append(mount)
        #: A mount whose element cannot be known may be any part of the page.
        self.unplaced = [
            mount for mount in page.mounts if not mount.ids_known and not mount.elements
        ]
        #: Nothing is mounted, or some mount has no element: missing-quickui says so.
        self.mount_missing = not page.mounts or any(not mount.elements for mount in page.mounts)
        self._reach: dict[int, Reach] = {}
        self._added = _added_names(page)
        self._data = {id(mount): _data_of(mount) for mount in page.mounts}

    def reach(self, element: Element) -> Reach:
        """Return what the text of an element may name."""
        chain: list[Element] = []
        at: Element | None = element
        while at is not None and at.order not in self._reach:
            chain.append(at)
            at = at.parent
        reach = self._reach[at.order] if at is not None else Reach(list(self.unplaced))
        for inner in reversed(chain):
            mounts = self._mounted.get(inner.order)
            loop = read_loop(inner)
            if mounts or loop:
                reach = Reach(
                    reach.mounts + (mounts or []), [loop, *reach.loops] if loop else reach.loops
                )
            self._reach[inner.order] = reach
        return reach

    def missing(self, path: str, reach: Reach) -> str | None:
        """Return why a path shows raw, as the rest of a sentence; None when it is bound."""
        root, _, rest = path.partition(".")
        if reach.loops and root in reach.loops[0].names:
            return self._missing_in_loop(root, rest, reach)
        reasons = [self._missing_in_mount(path, mount) for mount in reach.mounts]
        if any(reason is None for reason in reasons):
            return None
        for loop in reach.loops[1:]:
            if root in loop.names:
                return f"{root} belongs to an outer :for, which an inner :for cannot see"
        return reasons[0]

    def _missing_in_loop(self, root: str, rest: str, reach: Reach) -> str | None:
        """Check the fields of a loop's items where every item stands in the page."""
        loop = reach.loops[0]
        if not loop.well_formed or not rest or root != loop.names[0] or len(loop.names) > 1:
            return None
        items = self.items(loop, Reach(reach.mounts, reach.loops[1:]))
        if not items:
            return None
        if all(_lacks(item, rest.split("."), self._added) for item in items):
            return f"no item of {loop.source} has {rest}"
        return None

    def items(self, loop: Loop, reach: Reach) -> Values:
        """Return the items a loop goes over, () when they cannot be known."""
        found: list[Value] = []
        for value in self.values(loop.source, reach):
            if not isinstance(value, Sequence) or value.open:
                return ()
            for item in value.items[:50]:
                found.extend(item())
        return tuple(found)

    def values(self, path: str, reach: Reach) -> Values:
        """Return what a path may be, () when it cannot be known."""
        root, _, rest = path.partition(".")
        if reach.loops and root in reach.loops[0].names:
            loop = reach.loops[0]
            if root != loop.names[0] or len(loop.names) > 1:
                return ()
            return _walk(self.items(loop, Reach(reach.mounts, reach.loops[1:])), rest)
        if len(reach.mounts) != 1 or root in self._added:
            return ()
        data = self._data[id(reach.mounts[0])]
        return _walk((data,), path) if data is not None else ()

    def source_missing(self, loop: Loop, reach: Reach) -> bool:
        """Tell whether a loop's source is surely not in the data around it."""
        return self.missing(loop.source, reach) is not None

    def _missing_in_mount(self, path: str, mount: Mount) -> str | None:
        parts = path.split(".")
        if parts[0] == "i18n":
            return _missing_translation(mount, parts[1:])
        if parts[0] in self._added:
            return None
        data = self._data[id(mount)]
        if data is None:
            return None
        if _lacks(data, parts, self._added):
            return f"{path} is not in the data of the mount"
        return None


def read_loop(element: Element) -> Loop | None:
    """Return the ``:for`` of an element, None when it has none."""
    text = element.attributes.get(":for")
    if text is None:
        return None
    matched = _FOR.match(text)
    if matched is None:
        return Loop(tuple(re.findall(r"\w+", text.partition(" in ")[0])), "", well_formed=False)
    names = tuple(name for name in (matched["first"], matched["second"]) if name)
    return Loop(names, matched["source"], well_formed=True)


def _data_of(mount: Mount) -> Record | None:
    """Return the data of a mount when it is one object of the page."""
    values = mount.option("data")
    if values is None:
        return None
    if values == (Known(UNDEFINED),):
        return Record({})
    if len(values) == 1 and isinstance(values[0], Record):
        return values[0]
    return None


def _lacks(value: Value, parts: list[str], added: Set[str] = frozenset()) -> bool:
    """Tell whether a path is surely missing, null or undefined in a value.

    Args:
        value: Where the path starts.
        parts: The names of the path.
        added: Names that some script writes as a property of something.
    """
    if not parts:
        return isinstance(value, Known) and (value.value is None or value.value is UNDEFINED)
    part, rest = parts[0], parts[1:]
    if part in added:
        return False
    if isinstance(value, Record):
        thunk = value.props.get(part)
        return (
            not value.open if thunk is None else all(_lacks(item, rest, added) for item in thunk())
        )
    if isinstance(value, Sequence):
        if part == "length" and not rest:
            return False
        if part.isdecimal() and len(part) < 9 and int(part) < len(value.items):
            return all(_lacks(item, rest, added) for item in value.items[int(part)]())
        return not value.open
    if isinstance(value, Known) and isinstance(value.value, str):
        return part != "length" and not (part.isdecimal() and int(part) < len(value.value))
    return isinstance(value, Known)


def _walk(values: Values, path: str) -> Values:
    """Follow a path through values, () when it leaves what is known."""
    for part in path.split(".") if path else []:
        found: list[Value] = []
        for value in values:
            if isinstance(value, Record) and part in value.props:
                found.extend(value.props[part]())
            elif isinstance(value, Sequence) and part.isdecimal() and int(part) < len(value.items):
                found.extend(value.items[int(part)]())
            else:
                return ()
        values = tuple(found)
    return () if any(isinstance(value, Unknown) for value in values) else values


def _missing_translation(mount: Mount, parts: list[str]) -> str | None:
    """Check ``i18n.key`` against the translations of the mount's language."""
    values = mount.option("i18n")
    if values is None:
        return None
    if values == (Known(UNDEFINED),):
        return "the mount has no i18n"
    languages = mount.option("i18nLang")
    if len(values) != 1 or not isinstance(values[0], Record) or values[0].open:
        return None
    table = values[0].props
    if languages is None or len(languages) != 1 or not isinstance(languages[0], Known):
        return None
    language = languages[0].value if isinstance(languages[0].value, str) else "zh"
    thunk = table.get(language)
    if thunk is None:
        return f"the i18n of the mount has no language {language!r}"
    if all(isinstance(value, Record) and _lacks(value, parts) for value in thunk()):
        return f"{'.'.join(parts)} is not in the i18n of the mount for {language!r}"
    return None


def _added_names(page: Page) -> set[str]:
    """Return every name that a script writes as a property of something known only later."""
    return {
        member.target.property.name
        for program in page.programs
        for member in program.member_writes
        if not member.target.computed and not _on_plain_name(member.target)
    } | {
        str(member.target.property.value)
        for program in page.programs
        for member in program.member_writes
        if member.target.computed and member.target.property.type == "Literal"
    }


def _on_plain_name(target: Node) -> bool:
    """Tell whether a write is to a name's own object, which the evaluator follows itself."""
    base = target.object
    return (
        base.type == "Identifier"
        and base.binding is not None
        and base.binding.kind
        in {
            "const",
            "let",
            "var",
        }
        and all(
            write.kind == "value" and not write.path and write.node.type not in _ALIASES
            for write in base.binding.writes
        )
    )
