"""``fieldguide build``: the site and the files agents fetch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import output
from generator.cli.reference import load_reference
from generator.cli.state import State, pass_state

if TYPE_CHECKING:
    from generator.export.build import BuildReport


@click.command(epilog="Example: fieldguide build --out public")
@click.option("--out", default="site", show_default=True, help="Folder the site goes to.")
@click.option("--check", is_flag=True, help="Write nothing; fail when the folder is stale.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def command(state: State, out: str, check: bool, as_json: bool) -> int:
    """Compile the guides and export the site."""
    from generator.export.build import Builder

    builder = Builder(state.workspace, Path(out).expanduser(), reference=load_reference())
    report = builder.check() if check else builder.build()
    stale = check and bool(report.written or report.removed)
    if as_json:
        output.print_json(_as_data(report, check=check))
    elif check:
        _print_check(report, out)
    elif not state.quiet:
        _print_report(report)
    for text in (*report.problems, *report.remarks):
        output.print_error(text)
    return 1 if stale or report.problems else 0


def _as_data(report: BuildReport, *, check: bool) -> dict[str, Any]:
    names = ("stale", "left_over") if check else ("written", "removed")
    return {
        "out": str(report.out),
        "topics": report.topics,
        names[0]: list(report.written),
        names[1]: list(report.removed),
        "unchanged": report.unchanged,
        "problems": list(report.problems),
        "remarks": list(report.remarks),
    }


def _print_check(report: BuildReport, out: str) -> None:
    if not report.written and not report.removed:
        output.print_text(f"{report.out} is up to date: {report.unchanged:,} files.")
        return
    for name in report.written:
        output.print_text(f"stale      {name}")
    for name in report.removed:
        output.print_text(f"left over  {name}")
    output.print_error(f"{report.out} is stale. Run 'fieldguide build --out {out}'.")


def _print_report(report: BuildReport) -> None:
    topics = "1 topic" if report.topics == 1 else f"{report.topics:,} topics"
    parts = [f"{len(report.written):,} files written", f"{report.unchanged:,} unchanged"]
    if report.removed:
        parts.append(f"{len(report.removed):,} removed")
    output.print_text(f"{report.out / 'index.html'}: {topics}, {', '.join(parts)}.")
