"""``fieldguide doctor``: what is installed, where things are, how to get what is missing."""

from __future__ import annotations

from dataclasses import asdict

import click

from generator.cli import output
from generator.cli.state import State, pass_state

_MARKS = {"ok": "ok", "missing": "-", "broken": "!!"}


@click.command(epilog="Example: fieldguide doctor --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def command(state: State, as_json: bool) -> int:
    """Say what is installed, where the home is, what is missing and how to get it.

    Exits with 1 when something is broken; optional parts that are missing are fine.
    """
    from generator.doctor import examine

    checks = examine(state.workspace)
    if as_json:
        output.print_json({"checks": [asdict(check) for check in checks]})
    else:
        width = max(len(check.name) for check in checks)
        for check in checks:
            output.print_text(f"{_MARKS[check.state]:<2}  {check.name:<{width}}  {check.detail}")
            if check.fix:
                output.print_text(f"{'':<4}{'':<{width}}  -> {check.fix}")
    return 1 if any(check.state == "broken" for check in checks) else 0
