"""Printing what recall tools give: JSON, the agent's text in a pipe, tables on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli import output
from generator.cli.advice import answer_for_people

if TYPE_CHECKING:
    from pydantic import BaseModel

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def print_result(tool: str, result: BaseModel, *, as_json: bool) -> None:
    """Print a result as JSON, else as the text an agent reads.

    Args:
        tool: Name of the tool it came from.
        result: The structured result.
        as_json: Whether JSON is wanted.
    """
    from generator.tools import get_tool

    if as_json:
        output.print_json(result.model_dump(mode="json"))
    else:
        output.print_text(answer_for_people(get_tool(tool).render(result)))


def print_hits(tool: str, result: Any, *, as_json: bool) -> None:
    """Print hits: a table on a terminal, else as :func:`print_result` does.

    Args:
        tool: Name of the tool they came from.
        result: A result with ``hits``, ``total`` and ``searched``.
        as_json: Whether JSON is wanted.
    """
    if as_json or not output.on_terminal() or not result.hits:
        print_result(tool, result, as_json=as_json)
        return
    output.print_table(
        ("when", "who", "found"),
        [
            (
                (hit.ts or "")[:16].replace("T", " "),
                "\n".join(part for part in (hit.agent or hit.source, hit.role) if part),
                f"{hit.snippet}\n{hit.ref}",
            )
            for hit in result.hits
        ],
    )
    output.note(f"{len(result.hits)} of {result.total} hits.")
    for note in result.searched.notes:
        output.note(note)
