"""``fieldguide tools``: the catalog from the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from generator.cli import output
from generator.cli.advice import answer_for_people
from generator.cli.calling import call_tool
from generator.cli.family import Family
from generator.cli.state import State, pass_state

if TYPE_CHECKING:
    from generator.tools.find_tools import FindToolsResult


@click.group(cls=Family, epilog="Example: fieldguide tools search error history")
def command() -> None:
    """Find tools: ours and those of other platforms.

    A catalog of your own is a YAML or JSON file in catalogs/ of the home, in the shape that
    generator/catalog/schema.json describes.
    """


_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_MCP = click.option("--mcp", is_flag=True, help="Only tools that the MCP server exposes.")
_SYSTEM = click.option("--system", is_flag=True, help="Book-keeping tools as well.")


@command.command("list", epilog="Example: fieldguide tools list --platform agenvoy")
@click.option("--platform", help="Only this platform's tools.")
@_MCP
@_SYSTEM
@_JSON
@pass_state
def list_(state: State, platform: str | None, mcp: bool, system: bool, as_json: bool) -> None:
    """List every tool with one line each."""
    from generator.exceptions import UnknownNameError

    result = call_tool(state, "find_tools", mode="list", mcp=mcp, system=system)
    if platform is not None:
        known = list(dict.fromkeys(tool.platform for tool in result.tools))
        if platform not in known:
            raise UnknownNameError("platform", platform, known)
        result.tools = [tool for tool in result.tools if tool.platform == platform]
    _show(result, as_json=as_json)


@command.command(epilog="Example: fieldguide tools search 檔案")
@click.argument("keywords", nargs=-1, required=True)
@_MCP
@_SYSTEM
@_JSON
@pass_state
def search(state: State, keywords: tuple[str, ...], mcp: bool, system: bool, as_json: bool) -> None:
    """Find tools that all KEYWORDS match."""
    result = call_tool(
        state, "find_tools", mode="search", query=" ".join(keywords), mcp=mcp, system=system
    )
    _show(result, as_json=as_json)


@command.command(epilog="Example: fieldguide tools show edit_file find_note")
@click.argument("names", nargs=-1, required=True)
@_JSON
@pass_state
def show(state: State, names: tuple[str, ...], as_json: bool) -> None:
    """Show everything that is known of the tools NAMES."""
    if not any(name.strip(" ,") for name in names):
        raise click.UsageError("Name at least one tool.")
    _show(call_tool(state, "find_tools", query="select:" + ",".join(names)), as_json=as_json)


def _show(result: FindToolsResult, *, as_json: bool) -> None:
    from generator.tools.find_tools import render

    if as_json:
        output.print_json(result.model_dump(mode="json"))
    else:
        output.print_text(answer_for_people(render(result)))
