"""Finds tools in the catalog: by keywords that must all match, by exact names, or all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from generator.catalog.loader import OWN_PLATFORM, Catalogs
from generator.exceptions import UnknownNameError, UsageError
from generator.model.catalog import CatalogTool

SELECT = "select:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """What ``select:`` gave.

    Attributes:
        tools: The tools of the names asked for, in that order.
        asked_as: Older names that were asked for, with the name that answers now.
        unknown: Names that nothing has, with the nearest one.
    """

    tools: tuple[CatalogTool, ...]
    asked_as: dict[str, str]
    unknown: dict[str, str | None]


def list_tools(catalogs: Catalogs, *, mcp: bool = False, system: bool = False) -> list[CatalogTool]:
    """List tools, our own first.

    Args:
        catalogs: Where to look.
        mcp: Only those that this product's MCP server exposes.
        system: Book-keeping tools as well.
    """
    return [
        tool for tool in catalogs.tools() if (tool.mcp or not mcp) and (system or not tool.system)
    ]


def search_tools(
    catalogs: Catalogs, query: str, *, mcp: bool = False, system: bool = False
) -> list[CatalogTool]:
    """Find the tools that every keyword matches, in name, summary, words or parameters.

    Args:
        catalogs: Where to look.
        query: Keywords with spaces between; case does not matter.
        mcp: As in `list_tools`.
        system: As in `list_tools`.

    Returns:
        The best first: hits in the name before hits elsewhere, our own before others.

    Raises:
        UsageError: The query holds no keyword.
    """
    keywords = query.casefold().split()
    if not keywords:
        raise UsageError(
            "The query is empty.", hint="Give keywords, or leave it out to list every tool."
        )
    scored = []
    for number, tool in enumerate(list_tools(catalogs, mcp=mcp, system=system)):
        scores = [_score(tool, keyword) for keyword in keywords]
        if all(scores):
            scored.append((-sum(scores), tool.platform != OWN_PLATFORM, number, tool))
    return [tool for *_, tool in sorted(scored, key=lambda item: item[:3])]


def select_tools(catalogs: Catalogs, query: str) -> Selected:
    """Give tools by exact name: ``select:edit_file,find_files``.

    A name that was changed answers under the current one.

    Raises:
        UsageError: No name follows ``select:``.
        UnknownNameError: None of the names exists.
    """
    names = [name.strip() for name in query.removeprefix(SELECT).split(",") if name.strip()]
    if not names:
        raise UsageError(
            "select: names no tool.", hint="Write names with commas: select:find_note,memory_get."
        )
    renamed = {
        rename.old: rename.new
        for rename in catalogs.renames()
        if rename.kind == "tool" and rename.new
    }
    known = list(dict.fromkeys(tool.name for tool in catalogs.tools()))
    tools: dict[int, CatalogTool] = {}
    asked_as: dict[str, str] = {}
    unknown: dict[str, str | None] = {}
    for name in names:
        found = catalogs.named(name)
        if name in renamed and not any(tool.platform == OWN_PLATFORM for tool in found):
            asked_as[name] = renamed[name]
            found += catalogs.named(renamed[name])
        for tool in found:
            tools.setdefault(id(tool), tool)
        if not found:
            unknown[name] = next(iter(get_close_matches(name, known, n=1, cutoff=0.5)), None)
    if not tools:
        raise UnknownNameError("tool", next(iter(unknown)), known)
    return Selected(tools=tuple(tools.values()), asked_as=asked_as, unknown=unknown)


def _score(tool: CatalogTool, keyword: str) -> int:
    """Weigh one keyword: 0 is no match."""
    name = tool.name.casefold()
    if keyword == name:
        return 16
    if any(keyword == old.casefold() for old in tool.replaces):
        return 12
    if keyword in re.split(r"[_.]", name):
        return 8
    if keyword in name:
        return 6
    if any(keyword in old.casefold() for old in tool.replaces):
        return 5
    if any(keyword in term.casefold() for term in tool.terms):
        return 4
    if keyword in f"{tool.summary} {tool.group} {tool.platform}".casefold():
        return 3
    return 1 if keyword in _rest(tool).casefold() else 0


def _rest(tool: CatalogTool) -> str:
    pieces = [*tool.modes, *tool.modes.values(), *tool.notes, tool.registered]
    for parameter in tool.parameters:
        pieces += [parameter.name, parameter.summary, *parameter.values]
    return "\n".join(pieces)
