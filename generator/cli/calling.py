"""Calls a tool for a command; what does not fit is said in the words of the command."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from generator.exceptions import ArgumentsError, UsageError

if TYPE_CHECKING:
    from generator.cli.state import State


def call_tool(state: State, name: str, /, **arguments: Any) -> Any:
    """Call a tool with the options that were given.

    Args:
        state: The global options.
        name: The tool.
        arguments: Its arguments; those that are None are left out.

    Raises:
        UsageError: They do not fit; the message names options where the tool names arguments.
        FieldguideError: The work could not be done.
    """
    from generator.tools import get_tool

    given = {key: value for key, value in arguments.items() if value is not None}
    try:
        return get_tool(name).call(given, state.workspace)
    except ArgumentsError as error:
        context = click.get_current_context()
        worded = (f"{_typed(context, argument)} {clause}" for argument, clause in error.problems)
        raise UsageError(
            f"{'; '.join(worded)}.", hint=f"Try '{context.command_path} --help'."
        ) from error
    except UsageError as error:
        raise UsageError(in_options(error.message), hint=error.hint) from error


def in_options(message: str) -> str:
    """Name the options of the running command where a sentence names days by their argument.

    Args:
        message: A sentence such as ``after takes a day``.
    """
    context = click.get_current_context()
    options = [item for item in context.command.params if isinstance(item, click.Option)]
    for option in options:
        name = (option.name or "").rstrip("_")
        message = re.sub(rf"(?<![\w-]){name} (?=\(|takes |lies )", f"{option.opts[0]} ", message)
    return message


def _typed(context: click.Context, argument: str) -> str:
    """Say what a person types for an argument of a tool: an option, or a word in capitals."""
    first = argument.partition(".")[0]
    for parameter in context.command.params:
        if first in (parameter.name, (parameter.name or "").rstrip("_")):
            if isinstance(parameter, click.Option):
                return max(parameter.opts, key=len)
            return parameter.make_metavar(context).strip("[].")
    return argument
