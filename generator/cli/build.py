"""``fieldguide build``: the site and the files agents fetch."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import output
from generator.cli.reference import load_reference
from generator.cli.site_options import builder_options, site_options
from generator.cli.state import State, pass_state
from generator.counting import counted
from generator.exceptions import NotFoundError, UsageError

if TYPE_CHECKING:
    from generator.export.build import BuildReport


@click.command(
    epilog="Example: fieldguide build --with history,errors,reports --since 2026-05-01 --out public"
)
@click.option("--out", default="site", show_default=True, help="Folder the site goes to.")
@click.option("--check", is_flag=True, help="Write nothing; fail when the folder is stale.")
@site_options
@click.option(
    "--fail-on-secrets",
    is_flag=True,
    help="Write nothing and fail when a secret would have to be masked.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def command(
    state: State, /, out: str, check: bool, fail_on_secrets: bool, as_json: bool, **chosen: Any
) -> int:
    """Compile the guides and export the site.

    Your own history, errors and reports are exported only when you name them, with secrets
    masked.
    """
    from generator.export.build import Builder

    if not out.strip():
        raise UsageError("--out needs the name of a folder.", hint="The default is ./site.")
    folder = Path(out).expanduser()
    builder = Builder(
        state.workspace,
        folder,
        reference=load_reference(),
        fail_on_secrets=fail_on_secrets,
        **builder_options(state, **chosen),
    )
    if check and not folder.is_dir():
        raise NotFoundError(
            f"There is no export in {folder}.", hint=f"Run 'fieldguide build --out {out}'."
        )
    report = builder.check() if check else builder.build()
    stale = check and bool(report.written or report.removed)
    if as_json:
        output.print_json(_as_data(report, check=check))
    elif check:
        _print_check(report, out)
    elif not state.quiet:
        _print_report(report)
    if report.refused:
        _print_refused(report)
    for text in (*report.problems, *report.remarks):
        output.print_error(text)
    return 1 if stale or report.problems or report.refused else 0


def _as_data(report: BuildReport, *, check: bool) -> dict[str, Any]:
    names = ("stale", "left_over") if check else ("written", "removed")
    return {
        "out": str(report.out),
        "topics": report.topics,
        names[0]: list(report.written),
        names[1]: list(report.removed),
        "unchanged": report.unchanged,
        "masked": [
            {"section": place.section, "ref": place.ref, "counts": dict(place.counts)}
            for place in report.masked
        ],
        "images": report.images,
        "refused": report.refused,
        "problems": list(report.problems),
        "remarks": list(report.remarks),
    }


def _print_check(report: BuildReport, out: str) -> None:
    if not report.written and not report.removed:
        output.print_text(f"{report.out} is up to date: {counted(report.unchanged, 'file')}.")
        return
    for name in report.written:
        output.print_text(f"stale      {name}")
    for name in report.removed:
        output.print_text(f"left over  {name}")
    output.print_error(f"{report.out} is stale. Run 'fieldguide build --out {out}'.")


def _print_refused(report: BuildReport) -> None:
    told = [place for place in report.masked if place.secrets]
    for place in told:
        kinds = ", ".join(f"{count} {kind}" for kind, count in place.counts.items())
        output.print_error(f"{place.ref}: {kinds}")
    records = counted(len(told), "record holds", "records hold")
    output.print_error(
        f"{records} secrets, so nothing was written. Replace them where they were issued; "
        "what only looks like one goes into site.allow_secrets."
    )


def _print_report(report: BuildReport) -> None:
    if report.refused:
        return
    topics = counted(report.topics, "topic")
    parts = [f"{counted(len(report.written), 'file')} written", f"{report.unchanged:,} unchanged"]
    if report.removed:
        parts.append(f"{len(report.removed):,} removed")
    output.print_text(f"{report.out / 'index.html'}: {topics}, {', '.join(parts)}.")
    places = sum(sum(place.counts.values()) for place in report.masked)
    if places:
        records = counted(len(report.masked), "record")
        output.print_text(
            f"Masked {counted(places, 'place')} in {records}; the page About lists them."
        )
    if report.images:
        shown = counted(
            report.images,
            "image is shown as it is: look at it",
            "images are shown as they are: look at them",
        )
        output.print_text(f"{shown} before you publish, or build with --no-images.")
