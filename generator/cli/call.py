"""``fieldguide call TOOL '{"json": "args"}'``: any tool from the shell."""

from __future__ import annotations

import json
import sys

import click

from generator.cli import output
from generator.cli.state import State, pass_state
from generator.exceptions import UsageError


@click.command(epilog='Example: fieldguide call reasoning_guide \'{"topics": ["tool_error"]}\'')
@click.argument("tool")
@click.argument("arguments", default="{}")
@click.option("--text", is_flag=True, help="Print what an agent reads instead of JSON.")
@pass_state
def command(state: State, tool: str, arguments: str, text: bool) -> None:
    """Call TOOL with ARGUMENTS, a JSON object ('-' reads it from standard input)."""
    from generator.tools import get_tool

    found = get_tool(tool)
    try:
        source = sys.stdin.buffer.read().decode("utf-8-sig") if arguments == "-" else arguments
        raw = json.loads(source)
    except UnicodeDecodeError as error:
        raise UsageError(
            f"The arguments of {tool} are not UTF-8: byte {error.start} is wrong."
        ) from error
    except RecursionError as error:
        raise UsageError(f"The arguments of {tool} are nested too deep.") from error
    except json.JSONDecodeError as error:
        raise UsageError(
            f"The arguments of {tool} are not JSON: line {error.lineno}, column {error.colno}: "
            f"{error.msg}.",
            hint='Give one JSON object in quotes, such as \'{"mode": "list"}\'.',
        ) from error
    if not isinstance(raw, dict):
        raise UsageError(f"The arguments of {tool} must be one JSON object.")
    result = found.call(raw, state.workspace)
    if text:
        output.print_text(found.render(result))
    else:
        output.print_json(result.model_dump(mode="json"))
