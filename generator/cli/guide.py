"""``fieldguide guide TOPIC...``: the rules of a kind of work on standard output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli import output
from generator.cli.calling import call_tool
from generator.cli.state import State, pass_state
from generator.exceptions import UsageError

if TYPE_CHECKING:
    from generator.guides.loader import Library


@click.command(epilog="Example: fieldguide guide tool_error recall")
@click.argument("topics", nargs=-1, metavar="TOPIC...")
@click.option("--list", "as_list", is_flag=True, help="List the topics instead.")
@click.option("--no-dispatch", is_flag=True, help="For a reader that cannot dispatch subagents.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def command(
    state: State, topics: tuple[str, ...], as_list: bool, no_dispatch: bool, as_json: bool
) -> None:
    """Print the rules of each TOPIC as one text: the bytes that the site's bundles hold."""
    from generator.guides.loader import load_library

    if as_list:
        if topics:
            raise UsageError("--list takes no topics.", hint="Leave out one of the two.")
        _print_list(load_library(state.workspace), as_json=as_json)
        return
    if not topics:
        raise UsageError(
            "guide needs at least one TOPIC.", hint="'fieldguide guide --list' lists them."
        )
    result = call_tool(state, "reasoning_guide", topics=list(topics), can_dispatch=not no_dispatch)
    if as_json:
        output.print_json(result.model_dump(mode="json"))
    else:
        output.write_raw(result.text)


def _print_list(library: Library, *, as_json: bool) -> None:
    from generator.guides.listing import list_topics

    rows = list_topics(library)
    if as_json:
        problems = {topic: str(problem) for topic, problem in library.problems.items()}
        remarks = list(library.remarks)
        output.print_json({"topics": rows, "problems": problems, "remarks": remarks})
        return
    width = max((len(row["topic"]) for row in rows), default=0)
    for row in rows:
        output.print_text(f"{row['topic']:<{width}}  {row['tokens']:>6,}  {_remark(row)}")
    for problem in (*library.problems.values(), *library.remarks):
        output.note(f"fieldguide: {problem}")


def _remark(row: dict[str, Any]) -> str:
    if row["problem"]:
        return f"broken: {row['problem']}"
    parts = [row["summary"]]
    if row["aliases"]:
        parts.append(f"(also: {', '.join(row['aliases'])})")
    if row["overrides"]:
        parts.append(f"[yours: {row['path']} overrides the shipped guide]")
    elif row["origin"] == "user":
        parts.append(f"[yours: {row['path']}]")
    return " ".join(parts)
