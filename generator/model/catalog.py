"""Tools as a catalog describes them: ours from the registry, those of other platforms from data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

RenameKind = Literal["tool", "mode", "argument", "topic", "command", "marker"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a tool, as far as it is known.

    Attributes:
        name: Its name; ``files[].path`` is a field of the items of ``files``.
        summary: What it is, in one line.
        type: JSON type, None when not known.
        required: None when not known.
        values: The values it takes, when they are few.
        default: What it is when left out; None when not known.
        max: The highest number it takes.
    """

    name: str
    summary: str = ""
    type: str | None = None
    required: bool | None = None
    values: tuple[str, ...] = ()
    default: Any = None
    max: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One limit of a tool: what it bounds, the number and its unit."""

    what: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogTool:
    """One tool of one platform.

    Attributes:
        name: The name agents call.
        platform: Whose it is; ``fieldguide`` for our own.
        version: The platform's version described, when it has one.
        group: Where the platform lists it.
        summary: What it does, in one line.
        terms: Further words to find it by, in any language.
        modes: What its ``mode`` argument may be, with what each does.
        mode_inferred: What decides the mode when it is left out.
        parameters: Its parameters, as far as they are known.
        limits: Its limits.
        notes: Sentences to know before calling it.
        full_schema: Its schema comes with the first payload; None when not known.
        concurrent: Calls of it run at once; None when not known.
        registered: When it exists: ``always`` or a condition; empty when not known.
        since: The version that brought it.
        replaces: Older names it took over.
        system: A book-keeping tool.
        mcp: MCP exposes it.
        schema: JSON Schema of its arguments; None when not known.
    """

    name: str
    platform: str
    version: str = ""
    group: str = ""
    summary: str = ""
    terms: tuple[str, ...] = ()
    modes: Mapping[str, str] = field(default_factory=dict)
    mode_inferred: str = ""
    parameters: tuple[Parameter, ...] = ()
    limits: tuple[Limit, ...] = ()
    notes: tuple[str, ...] = ()
    full_schema: bool | None = None
    concurrent: bool | None = None
    registered: str = ""
    since: str = ""
    replaces: tuple[str, ...] = ()
    system: bool = False
    mcp: bool = False
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """A prefix of tools that exist only at run time."""

    prefix: str
    platform: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """A name that is no longer right.

    Attributes:
        kind: ``tool``, ``mode`` or ``argument`` of a tool, ``topic``, ``command`` or ``marker``.
        old: The old name alone: ``write_report``; ``write`` for ``error_history(mode=write)``.
        new: The name that took its place; None when nothing did.
        platform: Whose name it is.
        tool: The tool, for modes and arguments.
        with_: What to add to a call under the new name: ``mode=write``.
        since: The version of the change.
        note: A sentence for whoever still writes the old name.
    """

    kind: RenameKind
    old: str
    new: str | None
    platform: str
    tool: str = ""
    with_: str = ""
    since: str = ""
    note: str = ""

    @property
    def fixable(self) -> bool:
        """Whether putting the new name where the old one stood is always right."""
        return self.kind in {"tool", "topic", "command"} and bool(self.new) and not self.with_


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalog:
    """Everything one catalog file holds; ``shipped`` says that it comes with the package."""

    platform: str
    version: str
    title: str
    summary: str
    tools: tuple[CatalogTool, ...]
    prefixes: tuple[Prefix, ...] = ()
    renames: tuple[Rename, ...] = ()
    shipped: bool = False
