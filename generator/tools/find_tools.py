"""``find_tools``: the catalog of tools, searched, listed, or given by exact name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from generator.tools.base import Arguments, ModeResult, Tool
from generator.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from generator.catalog.loader import Catalogs
    from generator.model.catalog import CatalogTool

_UNKNOWN_SCHEMA = "The schema of this tool is not known; what stands here is all that is."


class FindToolsArguments(Arguments):
    """What to look for."""

    mode: Literal["search", "list"] | None = Field(
        None, description="search or list; left out, a query gives search, else list"
    )
    query: str | None = Field(
        None,
        description="keywords that must all match, or select:name,name for exact schemas",
    )
    mcp: bool = Field(False, description="only tools that this product's MCP server exposes")
    system: bool = Field(False, description="book-keeping tools as well")


class FoundParameter(ModeResult):
    """One parameter, as far as it is known."""

    name: str = Field(description="its name")
    summary: str = Field(description="what it is")
    type: str | None = Field(None, description="JSON type")
    required: bool | None = Field(None, description="whether it must be given")
    values: list[str] | None = Field(None, description="the values it takes")
    default: Any = Field(None, description="what it is when left out")
    max: float | None = Field(None, description="the highest number it takes")


class FoundTool(ModeResult):
    """One tool; a list gives the first three fields only."""

    name: str = Field(description="the name agents call")
    platform: str = Field(description="whose tool it is; fieldguide for ours")
    summary: str = Field(description="what it does, in one line")
    version: str | None = Field(None, description="the version of the platform described")
    group: str | None = Field(None, description="where the platform lists it")
    modes: dict[str, str] | None = Field(None, description="values of mode, with what each does")
    mode_inferred: str | None = Field(None, description="what decides a mode left out")
    parameters: list[FoundParameter] | None = Field(None, description="its parameters")
    limits: list[str] | None = Field(None, description="its limits")
    notes: list[str] | None = Field(None, description="what to know before calling it")
    full_schema: bool | None = Field(None, description="its schema comes with the first payload")
    concurrent: bool | None = Field(None, description="calls of it may run at once")
    registered: str | None = Field(None, description="always, or when it exists")
    since: str | None = Field(None, description="the version that brought it")
    replaces: list[str] | None = Field(None, description="older names it took over")
    input_schema: dict[str, Any] | None = Field(
        None,
        description="JSON Schema of the arguments; null when it is not known",
    )


class FindToolsResult(ModeResult):
    """The tools found."""

    tools: list[FoundTool] = Field(description="the best first, ours before others")
    asked_as: dict[str, str] | None = Field(
        None, description="older names that were asked for, with the current one"
    )
    unknown: dict[str, str | None] | None = Field(
        None, description="names that do not exist, with the nearest one"
    )
    problems: list[str] | None = Field(None, description="catalog files that could not be read")


def load_all(workspace: Workspace) -> Catalogs:
    """Load every catalog with our own tools from the registry."""
    from generator.catalog.loader import load_catalogs
    from generator.catalog.own import describe_own
    from generator.tools import all_tools

    return load_catalogs(
        workspace.home,
        (
            describe_own(
                name=tool.name,
                group=tool.group,
                summary=tool.what,
                notes=(tool.when, tool.precondition),
                schema=tool.arguments.model_json_schema(),
                system=tool.system,
                mcp=tool.mcp,
            )
            for tool in all_tools()
        ),
    )


def _handle(arguments: FindToolsArguments, workspace: Workspace) -> FindToolsResult:
    from generator.catalog.find import SELECT, list_tools, search_tools, select_tools
    from generator.exceptions import UsageError

    query = (arguments.query or "").strip()
    mode = arguments.mode or ("search" if query else "list")
    if mode == "search" and not query:
        raise UsageError(
            "A search needs a query.", hint="Give keywords, or mode=list for every tool."
        )
    catalogs = load_all(workspace)
    more: dict[str, Any] = {}
    if catalogs.problems:
        more["problems"] = [str(problem) for problem in catalogs.problems]
    if query.startswith(SELECT):
        selected = select_tools(catalogs, query)
        if selected.asked_as:
            more["asked_as"] = selected.asked_as
        if selected.unknown:
            more["unknown"] = selected.unknown
        return FindToolsResult(tools=[_whole(tool) for tool in selected.tools], **more)
    if query:
        found = search_tools(catalogs, query, mcp=arguments.mcp, system=arguments.system)
        show = _line if mode == "list" else _brief
        return FindToolsResult(tools=[show(tool) for tool in found], **more)
    listed = list_tools(catalogs, mcp=arguments.mcp, system=arguments.system)
    return FindToolsResult(tools=[_line(tool) for tool in listed], **more)


def _line(tool: CatalogTool) -> FoundTool:
    return FoundTool(name=tool.name, platform=tool.platform, summary=tool.summary)


def _known(tool: CatalogTool, fields: Sequence[str]) -> dict[str, Any]:
    """Return the named fields as far as they say something."""
    return {
        name: value for name in fields if (value := getattr(tool, name)) not in ("", (), {}, None)
    }


def _brief(tool: CatalogTool) -> FoundTool:
    fields = _known(tool, ("version", "group", "registered"))
    if tool.modes:
        fields["modes"] = dict(tool.modes)
    if tool.parameters:
        fields["parameters"] = _parameters(tool)
    return FoundTool(name=tool.name, platform=tool.platform, summary=tool.summary, **fields)


def _whole(tool: CatalogTool) -> FoundTool:
    fields = _known(
        tool,
        (
            "version", "group", "mode_inferred", "full_schema", "concurrent", "registered", "since",
        ),
    )  # fmt: skip
    if tool.modes:
        fields["modes"] = dict(tool.modes)
    if tool.parameters:
        fields["parameters"] = _parameters(tool)
    if tool.limits:
        fields["limits"] = [
            f"{limit.what}: {limit.value:g} {limit.unit}".strip() for limit in tool.limits
        ]
    if tool.replaces:
        fields["replaces"] = list(tool.replaces)
    notes = [*tool.notes, *([] if tool.schema else [_UNKNOWN_SCHEMA])]
    return FoundTool(
        name=tool.name,
        platform=tool.platform,
        summary=tool.summary,
        notes=notes,
        input_schema=dict(tool.schema) if tool.schema else None,
        **fields,
    )


def _parameters(tool: CatalogTool) -> list[FoundParameter]:
    shown = []
    for parameter in tool.parameters:
        fields = {
            name: value
            for name in ("type", "required", "default", "max")
            if (value := getattr(parameter, name)) is not None
        }
        if parameter.values:
            fields["values"] = list(parameter.values)
        shown.append(FoundParameter(name=parameter.name, summary=parameter.summary, **fields))
    return shown


def render(result: FindToolsResult) -> str:
    """Return the tools as an agent reads them: a line each, details indented below."""
    lines: list[str] = []
    for old, new in (result.asked_as or {}).items():
        lines.append(f"{old} is now named {new}.")
    for tool in result.tools:
        platform = f"{tool.platform} {tool.version}" if tool.version else tool.platform
        lines.append(f"{tool.name} ({platform}): {tool.summary}")
        lines += [f"  {line}" for line in _details(tool)]
    if not result.tools:
        lines.append(
            "No tool matches all of these keywords; try fewer, or mode=list for every tool."
        )
    for name, nearest in (result.unknown or {}).items():
        lines.append(f"There is no tool {name}." + (f" Did you mean {nearest}?" if nearest else ""))
    lines += [f"problem: {problem}" for problem in result.problems or ()]
    return "\n".join(lines)


def _details(tool: FoundTool) -> list[str]:
    from json import dumps

    lines = []
    if tool.registered not in (None, "always"):
        lines.append(f"exists {tool.registered}")
    for name, what in (tool.modes or {}).items():
        lines.append(f"mode={name}: {what}" if what else f"mode={name}")
    if tool.mode_inferred:
        lines.append(tool.mode_inferred)
    for parameter in tool.parameters or ():
        marks = [
            mark for mark in (parameter.type, "required" if parameter.required else None) if mark
        ]
        if parameter.values:
            marks.append("one of " + ", ".join(parameter.values))
        if parameter.default is not None:
            marks.append(f"default {parameter.default}")
        if parameter.max is not None:
            marks.append(f"at most {parameter.max:g}")
        about = f" ({'; '.join(marks)})" if marks else ""
        lines.append(f"{parameter.name}{about}: {parameter.summary}")
    lines += [f"limit, {limit}" for limit in tool.limits or ()]
    lines += tool.notes or ()
    if tool.replaces:
        lines.append(f"took over {', '.join(tool.replaces)}")
    if tool.input_schema:
        lines.append(f"schema: {dumps(tool.input_schema, ensure_ascii=False)}")
    return lines


TOOL = Tool(
    name="find_tools",
    group="catalog",
    what="Finds tools of this product and of the platforms its catalogs describe.",
    when="Call it when a capability seems to be missing, or a parameter is not known.",
    precondition="None; a tool of another platform is described here and called there.",
    arguments=FindToolsArguments,
    result=FindToolsResult,
    handler=_handle,
    render=render,
    read_only=True,
    idempotent=True,
    seed="agenvoy",
    example={"query": "select:find_note"},
)


def find_tools(
    query: str | None = None,
    *,
    mode: Literal["search", "list"] | None = None,
    mcp: bool = False,
    system: bool = False,
) -> FindToolsResult:
    """Find tools in the catalog.

    Args:
        query: Keywords that must all match, or ``select:name,name``; None lists every tool.
        mode: ``search`` or ``list``; a query gives search, else list.
        mcp: Only tools that this product's MCP server exposes.
        system: Book-keeping tools as well.

    Raises:
        UsageError: A search without a query.
        UnknownNameError: ``select:`` names no tool that exists.
    """
    given = {"query": query, "mode": mode, "mcp": mcp, "system": system}
    return TOOL.call(given, open_workspace())
