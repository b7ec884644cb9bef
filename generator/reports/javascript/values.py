"""What an expression may be, as far as the page itself tells.

A value that depends on anything outside the page (the network, the reader, the clock) is
:data:`UNKNOWN`; nothing is guessed. An expression has a tuple of possible values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from generator.reports.javascript.syntax import Node


class _Undefined:
    def __repr__(self) -> str:
        return "undefined"


#: More possibilities than this count as unknown.
MOST = 24
#: JavaScript's ``undefined``.
UNDEFINED: Final = _Undefined()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that the page does not tell."""


@dataclass(frozen=True, slots=True)
class Known:
    """A string, number, boolean, null (None) or undefined."""

    value: Any


@dataclass(frozen=True, slots=True)
class Text:
    """A string with unknown holes between its known parts."""

    parts: tuple[str, ...]


Values = tuple["Value", ...]
#: Known arguments of the functions around an expression, by binding.
Env = dict[Any, Values] | None
Thunk = Callable[[], Values]


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """An object whose properties stand in the page.

    Attributes:
        props: Each property's possible values, worked out when asked for.
        open: It may have more properties than these.
        node: The literal it comes from, when one.
    """

    props: dict[str, Thunk]
    open: bool = False
    node: Node | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """An array, set or map whose items stand in the page.

    Attributes:
        items: Each item's possible values, worked out when asked for.
        open: It may hold more items, or the same in another order.
    """

    items: tuple[Thunk, ...]
    open: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the page, with the arguments known where it was made."""

    node: Node
    env: dict[Any, Values] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Class:
    """A class of the page."""

    node: Node


@dataclass(frozen=True, slots=True)
class Native:
    """Something the browser or a library supplies, by its path: ``("document", "write")``."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Made:
    """What ``new X(...)`` gives for a native X."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ElementOf:
    """An element of the page.

    Attributes:
        how: ``id``, ``selector``, ``created`` or ``some`` (which one is not known).
        key: The id, the selector or the tag name.
    """

    how: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """What a module exports: ``*`` is the namespace."""

    source: str
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A method taken from a value that is not native: ``"ab".slice``, ``list.map``."""

    base: Any
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Setter:
    """The setter of a property taken from its descriptor."""

    name: str


Value = (
    Unknown
    | Known
    | Text
    | Record
    | Sequence
    | Function
    | Class
    | Native
    | Made
    | ElementOf
    | Imported
    | Method
    | Setter
)

UNKNOWN: Final = Unknown()
NOTHING: Final[Values] = (UNKNOWN,)


def text_of(value: Value) -> str | None:
    """Return a known value as JavaScript would turn it into a string, else None."""
    if not isinstance(value, Known):
        return None
    plain = value.value
    if isinstance(plain, str):
        return plain
    if plain is None:
        return "null"
    if plain is UNDEFINED:
        return "undefined"
    if isinstance(plain, bool):
        return "true" if plain else "false"
    if isinstance(plain, float):
        return str(int(plain)) if plain.is_integer() and abs(plain) < 1e21 else repr(plain)
    return str(plain)


def is_true(value: Known) -> bool:
    """Tell whether JavaScript takes a known value as true."""
    return bool(value.value) and value.value is not UNDEFINED


def is_text(value: Value) -> bool:
    """Tell whether a value is surely a string."""
    return isinstance(value, Text) or (isinstance(value, Known) and isinstance(value.value, str))


def known_texts(values: Values) -> list[str]:
    """Return the known strings among values, numbers written out."""
    found = []
    for value in values:
        if isinstance(value, Known) and isinstance(value.value, str | int | float):
            text = text_of(value)
            if text is not None and not isinstance(value.value, bool):
                found.append(text)
    return found


def sure(values: Values) -> bool:
    """Tell whether every possibility is known."""
    return not any(isinstance(value, Unknown | Text) for value in values)


def bounded(values: Iterable[Value]) -> Values:
    """Drop repeats; too many possibilities are one unknown."""
    kept: dict[Any, Value] = {}
    for value in values:
        kept.setdefault(value, value)
        if len(kept) > 4 * MOST:
            return (*list(kept.values())[: 4 * MOST], UNKNOWN)
    return tuple(kept.values())
