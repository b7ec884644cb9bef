"""``fieldguide usage``: what agents spent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from generator.cli import output
from generator.cli.advice import answer_for_people
from generator.cli.calling import call_tool
from generator.cli.state import State, pass_state

if TYPE_CHECKING:
    from generator.tools.usage_report import UsageReportResult


@click.command(epilog="Example: fieldguide usage --period week --explain")
@click.option(
    "--period",
    type=click.Choice(["today", "yesterday", "week", "month", "all"]),
    default="today",
    show_default=True,
    help="week is the last 7 days, month the last 30.",
)
@click.option("--after", metavar="DAY", help="First day (2026-05-04, last week); for the period.")
@click.option("--before", metavar="DAY", help="Last day, included; for the period.")
@click.option("--explain", is_flag=True, help="Say how the numbers came about.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def command(state: State, /, as_json: bool, **arguments: Any) -> None:
    """Add up tokens and cost of all agents: total, by model, by project, by day."""
    from generator.tools.usage_report import render

    result = call_tool(state, "usage_report", **arguments)
    if as_json:
        output.print_json(result.model_dump(mode="json"))
    elif output.console().is_terminal:
        _print_tables(result)
    else:
        output.print_text(answer_for_people(render(result)))


def _print_tables(result: UsageReportResult) -> None:
    from rich.table import Table

    console = output.console()
    for title, groups in (
        ("Model", result.by_model),
        ("Project", result.by_project),
        ("Day", result.by_day),
    ):
        if not groups:
            continue
        table = Table(title=None, box=None, header_style="bold")
        table.add_column(title)
        for name in ("Requests", "Input", "Output", "Cache read", "Cache write", "Cost"):
            table.add_column(name, justify="right")
        rows = [*groups, *([result.total] if title == "Model" else [])]
        for group in rows:
            tokens = group.tokens
            counts = (tokens.input, tokens.output, tokens.cache_read, tokens.cache_write)
            table.add_row(
                group.name,
                f"{group.requests:,}",
                *("?" if count is None else f"{count:,}" for count in counts),
                "no price" if group.cost is None else f"${group.cost:,.4f}",
            )
        console.print(table)
        console.print()
    from generator.tools.usage_report import render

    tail = render(result.model_copy(update={"by_model": [], "by_project": [], "by_day": []}))
    output.print_text(tail)
