"""The shape of a catalog file, read strictly: every problem is named with its line.

`schema.json` beside this module describes the same shape for people and editors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml

from generator.model.catalog import (
    Catalog,
    CatalogTool,
    Limit,
    Parameter,
    Prefix,
    Rename,
    RenameKind,
)
from generator.model.problem import FileProblem

_CATALOG_KEYS = (
    "platform",
    "version",
    "title",
    "summary",
    "defaults",
    "tools",
    "prefixes",
    "renames",
)
_TOOL_KEYS = (
    "name", "group", "summary", "terms", "modes", "mode_inferred", "parameters", "limits", "notes",
    "full_schema", "concurrent", "registered", "since", "replaces", "system", "mcp", "schema",
)  # fmt: skip
_DEFAULT_KEYS = ("group", "full_schema", "concurrent", "registered")
_PARAMETER_KEYS = ("type", "required", "values", "default", "max", "summary")
_RENAME_KEYS = ("kind", "old", "new", "tool", "with", "since", "note")

_Where = tuple[str | int, ...]
_T = TypeVar("_T")
# The C loader is eight times faster and not in every build of PyYAML.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_catalog(text: str, path: Path) -> tuple[Catalog | None, list[FileProblem]]:
    """Read one catalog file.

    Args:
        text: Its content, YAML or JSON.
        path: Where it stands, for problems.

    Returns:
        The catalog, or None when anything is wrong with it, and every problem found.
    """
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        data = loader.construct_document(node) if node is not None else None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return None, [_syntax_problem(error, path)]
    finally:
        loader.dispose()
    reader = _Reader(path, _line_table(node))
    catalog = reader.catalog(data)
    return (None if reader.problems else catalog), reader.problems


def _syntax_problem(error: Exception, path: Path) -> FileProblem:
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or "it is nested too deep or holds a wrong value"
    return FileProblem(
        path=path, line=mark.line + 1 if mark else 0, message=f"It is not YAML or JSON: {what}."
    )


def _line_table(root: yaml.Node | None) -> dict[_Where, int]:
    """Map each key and item to its line; walked with a list, so depth costs no recursion."""
    lines: dict[_Where, int] = {}
    waiting: list[tuple[_Where, yaml.Node]] = [((), root)] if root is not None else []
    while waiting:
        where, node = waiting.pop()
        lines.setdefault(where, node.start_mark.line + 1)
        if len(where) > 6:
            continue
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                lines[(*where, str(key.value))] = key.start_mark.line + 1
                waiting.append(((*where, str(key.value)), value))
        elif isinstance(node, yaml.SequenceNode):
            waiting.extend(((*where, number), item) for number, item in enumerate(node.value))
    return lines


@dataclass
class _Reader:
    """Typed getters that know where they are; problems gather instead of being raised."""

    path: Path
    lines: Mapping[_Where, int]
    problems: list[FileProblem] = field(default_factory=list)

    def catalog(self, data: Any) -> Catalog | None:
        top = self._mapping(data, (), _CATALOG_KEYS)
        if top is None:
            return None
        platform = self._text(top, "platform", (), required=True)
        defaults = self._mapping(top.get("defaults", {}), ("defaults",), _DEFAULT_KEYS) or {}
        version = self._text(top, "version", ())

        def tool(item: Any, where: _Where) -> CatalogTool | None:
            values = self._mapping(item, where, _TOOL_KEYS)
            return self._tool({**defaults, **values}, where, platform, version) if values else None

        def prefix(item: Any, where: _Where) -> Prefix | None:
            values = self._mapping(item, where, ("prefix", "summary"))
            if values is None:
                return None
            return Prefix(
                prefix=self._text(values, "prefix", where, required=True),
                platform=platform,
                summary=self._text(values, "summary", where),
            )

        return Catalog(
            platform=platform,
            version=version,
            title=self._text(top, "title", ()) or platform,
            summary=self._text(top, "summary", ()),
            tools=self._items(top, "tools", (), tool),
            prefixes=self._items(top, "prefixes", (), prefix),
            renames=self._items(
                top, "renames", (), lambda item, where: self._rename(item, where, platform)
            ),
        )

    def _tool(
        self, values: Mapping[str, Any], where: _Where, platform: str, version: str
    ) -> CatalogTool:
        modes = self._mapping(values.get("modes", {}), (*where, "modes"), None) or {}
        schema = values.get("schema")
        if schema is not None and not isinstance(schema, dict):
            self._complain((*where, "schema"), "takes a JSON Schema, as a mapping")
        return CatalogTool(
            name=self._text(values, "name", where, required=True),
            platform=platform,
            version=version,
            group=self._text(values, "group", where),
            summary=self._text(values, "summary", where, required=True),
            terms=self._texts(values, "terms", where),
            modes={name: self._text(modes, name, (*where, "modes")) for name in modes},
            mode_inferred=self._text(values, "mode_inferred", where),
            parameters=self._parameters(values.get("parameters", {}), (*where, "parameters")),
            limits=self._items(values, "limits", where, self._limit),
            notes=self._texts(values, "notes", where),
            full_schema=self._flag(values, "full_schema", where),
            concurrent=self._flag(values, "concurrent", where),
            registered=self._text(values, "registered", where),
            since=self._text(values, "since", where),
            replaces=self._texts(values, "replaces", where),
            system=self._flag(values, "system", where) or False,
            mcp=self._flag(values, "mcp", where) or False,
            schema=schema if isinstance(schema, dict) else None,
        )

    def _parameters(self, data: Any, where: _Where) -> tuple[Parameter, ...]:
        found = []
        for name, item in (self._mapping(data, where, None) or {}).items():
            if isinstance(item, str):
                found.append(Parameter(name=name, summary=item))
                continue
            at = (*where, name)
            values = self._mapping(item, at, _PARAMETER_KEYS)
            if values is not None:
                found.append(
                    Parameter(
                        name=name,
                        summary=self._text(values, "summary", at),
                        type=self._text(values, "type", at) or None,
                        required=self._flag(values, "required", at),
                        values=self._texts(values, "values", at),
                        default=values.get("default"),
                        max=self._number(values, "max", at),
                    )
                )
        return tuple(found)

    def _limit(self, item: Any, where: _Where) -> Limit | None:
        values = self._mapping(item, where, ("what", "value", "unit"))
        if values is None:
            return None
        number = self._number(values, "value", where)
        if number is None and "value" not in values:
            self._complain(where, "needs a value")
        return Limit(
            what=self._text(values, "what", where, required=True),
            value=number or 0,
            unit=self._text(values, "unit", where),
        )

    def _rename(self, item: Any, where: _Where, platform: str) -> Rename | None:
        values = self._mapping(item, where, _RENAME_KEYS)
        if values is None:
            return None
        kind = self._text(values, "kind", where, required=True)
        if kind and kind not in get_args(RenameKind):
            self._complain((*where, "kind"), f"is one of {', '.join(get_args(RenameKind))}")
        return Rename(
            kind=kind,  # type: ignore[arg-type]  # judged just above
            old=self._text(values, "old", where, required=True),
            new=self._text(values, "new", where) or None,
            platform=platform,
            tool=self._text(values, "tool", where),
            with_=self._text(values, "with", where),
            since=self._text(values, "since", where),
            note=self._text(values, "note", where),
        )

    def _mapping(
        self, data: Any, where: _Where, known: tuple[str, ...] | None
    ) -> dict[str, Any] | None:
        if not isinstance(data, dict):
            self._complain(where, "must be a mapping of names to values")
            return None
        named = {str(key): value for key, value in data.items()}
        for key in named:
            if known is not None and key not in known:
                close = get_close_matches(key, known, n=1)
                hint = f"did you mean {close[0]}?" if close else f"known: {', '.join(known)}"
                self._complain((*where, key), f"is not a known key ({hint})")
        return named

    def _items(
        self,
        values: Mapping[str, Any],
        key: str,
        where: _Where,
        read: Callable[[Any, _Where], _T | None],
    ) -> tuple[_T, ...]:
        data = values.get(key, [])
        if not isinstance(data, list):
            self._complain((*where, key), "must be a list")
            return ()
        items = [read(item, (*where, key, number)) for number, item in enumerate(data)]
        return tuple(item for item in items if item is not None)

    def _text(
        self, values: Mapping[str, Any], key: str, where: _Where, *, required: bool = False
    ) -> str:
        value = values.get(key)
        if value is None or value == "":
            if required:
                self._complain(where, f"needs {key}")
            return ""
        if isinstance(value, dict | list):
            self._complain((*where, key), "must be text")
            return ""
        return str(value)

    def _texts(self, values: Mapping[str, Any], key: str, where: _Where) -> tuple[str, ...]:
        return self._items(
            {key: values.get(key) or []},
            key,
            where,
            lambda item, _: None if item is None else str(item),
        )

    def _flag(self, values: Mapping[str, Any], key: str, where: _Where) -> bool | None:
        value = values.get(key)
        if value is None or isinstance(value, bool):
            return value
        self._complain((*where, key), "must be true or false")
        return None

    def _number(self, values: Mapping[str, Any], key: str, where: _Where) -> float | None:
        value = values.get(key)
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            return value
        self._complain((*where, key), "must be a number")
        return None

    def _complain(self, where: _Where, what: str) -> None:
        line = next(
            (
                self.lines[where[:size]]
                for size in range(len(where), -1, -1)
                if where[:size] in self.lines
            ),
            0,
        )
        name = ".".join(str(part + 1) if isinstance(part, int) else part for part in where)
        self.problems.append(
            FileProblem(path=self.path, line=line, message=f"{name or 'The file'} {what}.")
        )
