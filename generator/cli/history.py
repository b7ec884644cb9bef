"""``fieldguide history``: bring in what agents left behind, and say what was read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import output
from generator.cli.family import Family
from generator.cli.state import State, pass_state

if TYPE_CHECKING:
    from generator.workspace import Workspace


@click.group(cls=Family, epilog="Example: fieldguide history add ~/.claude/projects")
def command() -> None:
    """Import exported history of any agent into one archive, and keep it up to date."""


@command.command(epilog="Example: fieldguide history add ~/.codex/sessions chatgpt-export.zip")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the status as JSON.")
@pass_state
def add(state: State, paths: tuple[Path, ...], as_json: bool) -> None:
    """Remember PATHS (files or folders) as sources and import them."""
    from dataclasses import replace

    from generator.history.intake import register, status

    workspace = state.workspace
    register(workspace, [workspace.cwd / path.expanduser() for path in paths])
    fresh = replace(workspace)  # the settings were changed and are read anew
    _take_in(state, fresh, strict=True)
    report = status(fresh)
    if as_json:
        output.print_json(report)
    else:
        _print_total(report)


@command.command(epilog="Example: fieldguide history index")
@pass_state
def index(state: State) -> None:
    """Import what changed in the sources and bring the search index up to date."""
    from generator.history.intake import status
    from generator.recall.meaning import bring_up_to_date
    from generator.recall.store import open_recall

    _take_in(state, state.workspace, strict=True)
    recall = open_recall(state.workspace)
    recall.refresh()
    bring_up_to_date(recall)
    _print_total(status(state.workspace))


@command.command(epilog="Example: fieldguide history status --json")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def status(state: State, as_json: bool) -> None:
    """Say for each file what was read, kept opaque and skipped, and what the archive holds."""
    from generator.history.intake import status as report_of

    _take_in(state, state.workspace)
    report = report_of(state.workspace)
    if as_json:
        output.print_json(report)
        return
    for row in report["files"]:
        output.print_text(_row_text(row))
        for skipped in row["skipped"][:5]:
            output.print_text(f"    line {skipped['line']}: {skipped['reason']}")
        if len(row["skipped"]) > 5:
            output.print_text(f"    ... and {len(row['skipped']) - 5} more (see --json)")
        for warning in row["warnings"]:
            output.print_text(f"    warning: {warning}")
    _print_total(report)


@command.command(epilog="Example: fieldguide history export --out ~/backup")
@click.argument("sessions", nargs=-1)
@click.option(
    "--out",
    "folder",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that the canonical files are written to.",
)
@pass_state
def export(state: State, sessions: tuple[str, ...], folder: Path) -> None:
    """Write canonical files of SESSIONS (without any: of everything) to another folder."""
    from generator.history.exporting import export_files

    _take_in(state, state.workspace)
    written = export_files(state.workspace, folder.expanduser(), sessions)
    if not state.quiet:
        output.note(f"{written} files were written to {folder}.")


@command.command(epilog="Example: fieldguide history forget --before 2025-01-01")
@click.argument("session", required=False)
@click.option(
    "--source", type=click.Path(path_type=Path), help="Forget all that came from this path."
)
@click.option(
    "--before",
    metavar="DAY",
    help="Forget all that is older than this day: YYYY-MM-DD or in words.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was forgotten as JSON.")
@pass_state
def forget(
    state: State, session: str | None, source: Path | None, before: str | None, as_json: bool
) -> None:
    """Forget SESSION, a source, or what is older than a day; it stays forgotten."""
    from generator.exceptions import UsageError
    from generator.history.forgetting import forget_before, forget_session, forget_source
    from generator.recall.days import named_days

    workspace = state.workspace
    if sum(choice is not None for choice in (session, source, before)) != 1:
        raise UsageError(
            "Say what to forget: a session, --source PATH or --before DAY, and only one of them."
        )
    if session is not None:
        done = forget_session(workspace, session)
    elif source is not None:
        done = forget_source(workspace, workspace.cwd / source.expanduser())
    else:
        assert before is not None
        done = forget_before(workspace, named_days(before, workspace, "--before").first)
    if as_json:
        output.print_json(done)
    elif not state.quiet:
        output.note(
            f"Forgotten: {done['sessions']} sessions, {done['messages']} single messages, "
            f"{done['documents']} documents. They stay forgotten when their sources are "
            "imported again."
        )


def _take_in(state: State, workspace: Workspace, *, strict: bool = False) -> None:
    from generator.history.intake import take_in

    done = take_in(
        workspace,
        strict=strict,
        progress=lambda path, number, count: workspace.progress(
            f"Reading {Path(path).name}", number, count
        ),
    )
    if state.quiet:
        return
    for path, reason in done.problems[:10]:
        output.note(f"Not read: {path} ({reason}).")
    if len(done.problems) > 10:
        output.note(f"Not read: {len(done.problems) - 10} more paths.")
    for path in done.unknown[:10]:
        output.note(f"No importer knows {path}.")


def _row_text(row: dict[str, Any]) -> str:
    return f"{row['path']} ({row['format']}): {_numbers(row)}"


def _numbers(row: dict[str, Any]) -> str:
    calls = row["tool_calls"]
    parts = [
        f"{row['sessions']} sessions",
        f"{row['messages']['user']}+{row['messages']['assistant']} messages",
        f"{calls['total']} calls ({calls['errors']} failed, {calls['unfinished']} unfinished)",
    ]
    for name, word in (("off_thread", "off the thread"), ("sidechain", "in sidechains")):
        if any(row[name].values()):
            parts.append(f"{row[name]['user']}+{row[name]['assistant']} {word}")
    total = row["tokens"]["total"]
    parts.append("tokens unknown" if total is None else f"{total:,} tokens")
    parts.append(f"{row['records']} records")
    if row["opaque"]:
        parts.append(f"{row['opaque']} opaque")
    if row["skipped"]:
        parts.append(f"{len(row['skipped'])} skipped")
    return ", ".join(parts)


def _print_total(report: dict[str, Any]) -> None:
    output.print_text(f"{len(report['files'])} files; the archive: {_numbers(report['total'])}")
