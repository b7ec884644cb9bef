"""``fieldguide history``: bring in what agents left behind, and say what was read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from generator.cli import output
from generator.cli.family import Family
from generator.cli.state import State, pass_state
from generator.counting import counted

if TYPE_CHECKING:
    from generator.history.forgotten import Forgotten
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
        output.note(f"{counted(written, 'file')} written to {folder}.")


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
@click.option("--dry-run", is_flag=True, help="Only say what would be forgotten.")
@click.option("--yes", is_flag=True, help="Do not ask (asked is only on a terminal).")
@click.option("--json", "as_json", is_flag=True, help="Print what was forgotten as JSON.")
@pass_state
def forget(
    state: State,
    /,
    *,
    session: str | None,
    source: Path | None,
    before: str | None,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Forget SESSION, a source, or what is older than a day; it stays forgotten."""
    from functools import partial

    from generator.exceptions import UsageError
    from generator.history.forgetting import forget_before, forget_session, forget_source
    from generator.recall.days import named_days

    workspace = state.workspace
    if sum(choice is not None for choice in (session, source, before)) != 1:
        raise UsageError(
            "Say what to forget: a session, --source PATH or --before DAY, and only one of them."
        )
    if session is not None:
        act = partial(forget_session, workspace, session)
    elif source is not None:
        act = partial(forget_source, workspace, workspace.cwd / source.expanduser())
    else:
        assert before is not None
        act = partial(forget_before, workspace, named_days(before, workspace, "--before").first)
    if dry_run or (not yes and output.asks()):
        would = act(rehearsal=True)
        if dry_run and as_json:
            output.print_json(would)
            return
        output.note(f"This forgets {_amount(would)}.")
        if dry_run:
            return
        click.confirm("Forget it?", abort=True, err=True)
    done = act()
    if as_json:
        output.print_json(done)
    elif not state.quiet:
        output.note(
            f"Forgotten: {_amount(done)}. This stays forgotten when the sources are imported "
            "again; 'fieldguide history restore' lifts that."
        )


@command.command(epilog="Example: fieldguide history restore 3f1c9a10")
@click.argument("session", required=False)
@click.option("--source", type=click.Path(path_type=Path), help="Read this path again.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def restore(state: State, session: str | None, source: Path | None, as_json: bool) -> None:
    """Let SESSION or a source be imported again; without either, list what was forgotten.

    What comes back is what a source still has: the archive's own copy is gone. Messages that come
    back into a session that was kept have new numbers.
    """
    from generator.exceptions import UsageError
    from generator.history.forgotten import load_forgotten
    from generator.history.restoring import restore_session, restore_source

    workspace = state.workspace
    if session is None and source is None:
        _print_forgotten(load_forgotten(workspace.home), as_json=as_json)
        return
    if session is not None and source is not None:
        raise UsageError("Say what to restore: a session or --source PATH, and only one of them.")
    if source is not None:
        what = restore_source(workspace, workspace.cwd / source.expanduser())
        again = f"'fieldguide history add' with {what} reads it again."
    else:
        assert session is not None
        what = restore_session(workspace, session)
        _take_in(state, workspace, strict=True)
        again = "What its sources still have was read again."
    if as_json:
        output.print_json({"restored": what})
    elif not state.quiet:
        output.note(f"{what} is no longer forgotten. {again}")


def _print_forgotten(forgotten: Forgotten, *, as_json: bool) -> None:
    if as_json:
        output.print_json(
            {
                "sessions": forgotten.sessions,
                "records": {name: len(keys) for name, keys in forgotten.records.items()},
                "sources": forgotten.sources,
            }
        )
        return
    lines = [
        f"{name}  {'all of it' if rule is True else f'before {rule}'}"
        for name, rule in forgotten.sessions.items()
    ]
    lines += [
        f"{name}  {counted(len(keys), 'record')}"
        for name, keys in forgotten.records.items()
        if keys
    ]
    lines += [f"{path}  a source, with all it holds" for path in forgotten.sources]
    if lines:
        output.print_text("\n".join(lines))
    else:
        output.note("Nothing was forgotten.")


def _amount(counts: dict[str, int]) -> str:
    named = (("sessions", "session"), ("messages", "single message"), ("documents", "document"))
    parts = [counted(counts[key], word) for key, word in named if counts[key]]
    return ", ".join(parts) or "nothing"


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
        counted(row["sessions"], "session"),
        f"{row['messages']['user']}+{counted(row['messages']['assistant'], 'message')}",
        f"{counted(calls['total'], 'call')} ({calls['errors']} failed, {calls['unfinished']} unfinished)",
    ]
    for name, word in (("off_thread", "off the thread"), ("sidechain", "in sidechains")):
        if any(row[name].values()):
            parts.append(f"{row[name]['user']}+{row[name]['assistant']} {word}")
    total = row["tokens"]["total"]
    parts.append("tokens unknown" if total is None else counted(total, "token"))
    parts.append(counted(row["records"], "record"))
    if row["opaque"]:
        parts.append(f"{row['opaque']} opaque")
    if row["skipped"]:
        parts.append(f"{len(row['skipped'])} skipped")
    return ", ".join(parts)


def _print_total(report: dict[str, Any]) -> None:
    output.print_text(
        f"{counted(len(report['files']), 'file')}; the archive: {_numbers(report['total'])}"
    )
    if not report["files"]:
        output.note("'fieldguide history add PATH' takes in what an agent left behind.")
