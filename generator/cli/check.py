"""``fieldguide check [PATHS]``: lints guides and other rules that agents read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from generator.cli import output
from generator.cli.state import State, pass_state
from generator.exceptions import UnknownNameError, UsageError

if TYPE_CHECKING:
    from generator.checks.options import Options
    from generator.checks.runner import Outcome

_FORMATS = ("text", "json", "sarif", "github")


@click.command(
    epilog="Examples: fieldguide check guides --format github; fieldguide check explain budget"
)
@click.argument("paths", nargs=-1, metavar="[PATHS]...")
@click.option("--format", "form", type=click.Choice(_FORMATS), help="How findings are written.")
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--fail-on",
    type=click.Choice(("warning", "error", "never")),
    help="The least severity that makes the exit code 1 (warning).",
)
@click.option("--select", multiple=True, metavar="RULES", help="Only these rules, with commas.")
@click.option("--ignore", multiple=True, metavar="RULES", help="All but these rules.")
@click.option("--fix", is_flag=True, help="Make the safe fixes and show them as a diff.")
@click.option("--site", metavar="DIR", help="The exported site to compare with (./site).")
@click.option("--explain", "rule", metavar="RULE", help="Say what a rule is for and stop.")
@pass_state
def command(  # noqa: PLR0917 - an argument an option
    state: State,
    paths: tuple[str, ...],
    form: str | None,
    as_json: bool,
    fail_on: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fix: bool,
    site: str | None,
    rule: str | None,
) -> int:
    """Check guides; without PATHS the shipped and your own.

    PATHS are files or folders of Markdown: guides, AGENTS.md, CLAUDE.md, skills. Exit code 0 when
    clean, 1 with findings, 2 for wrong use. 'check explain RULE' says what a rule is for.
    """
    from generator.checks.options import load_options
    from generator.checks.runner import RULE_IDS

    cwd = state.workspace.cwd
    if (
        rule is None
        and len(paths) == 2
        and paths[0] == "explain"
        and not (cwd / "explain").exists()
    ):
        rule = paths[1]
    if rule is not None:
        _explain(rule)
        return 0
    if as_json and form not in (None, "json"):
        raise UsageError("--json and --format ask for two formats.", hint="Leave out one of them.")
    options = load_options(cwd, RULE_IDS)
    changed = {
        "select": _names(select) or options.select,
        "ignore": (*options.ignore, *_names(ignore)),
        "fail_on": fail_on or options.fail_on,
        "site": cwd / Path(site).expanduser() if site else options.site,
    }
    options = replace(options, **changed)  # type: ignore[arg-type]
    outcome = _run(state, paths, options)
    if fix:
        _fix(outcome, state)
        outcome = _run(state, paths, options)
    _print(state, outcome, "json" if as_json else form or "text")
    if not state.quiet:
        for text in outcome.left_out:
            output.note(text)
    return 1 if outcome.fails(options) else 0


def _run(state: State, paths: tuple[str, ...], options: Options) -> Outcome:
    from generator.checks.runner import run_checks
    from generator.tools.find_tools import load_all

    cwd = state.workspace.cwd
    return run_checks(
        state.workspace,
        [cwd / Path(path).expanduser() for path in paths],
        options,
        catalogs=load_all(state.workspace),
        recompile=lambda root: _stale(state, root),
    )


def _stale(state: State, root: Path) -> Mapping[str, str] | None:
    """Compare a site with a fresh export of the shipped and the user's guides.

    Returns:
        What is wrong, by file; None when the site holds a user's own data as well, of which an
        export could be any choice.
    """
    from generator.cli.reference import load_reference
    from generator.export.build import Builder
    from generator.export.sections import ON_REQUEST
    from generator.tools.find_tools import load_all

    if any((root / name).is_dir() for name in ON_REQUEST):
        return None
    tools = load_all(state.workspace).own
    report = Builder(state.workspace, root, reference=load_reference(), tools=tools).check()
    return dict.fromkeys(report.written, "is not what a fresh export writes") | dict.fromkeys(
        report.removed, "is left over from an earlier export"
    )


def _names(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(",") if name.strip())


def _fix(outcome: Outcome, state: State) -> None:
    from generator.checks.discovery import shown_path
    from generator.checks.fixes import fix_file

    for path, edits in outcome.edits.items():
        fixed = fix_file(path, edits, name=shown_path(path, state.workspace.cwd))
        if fixed is not None:
            output.note(fixed.diff.rstrip("\n"))


def _print(state: State, outcome: Outcome, form: str) -> None:
    from generator.checks import formats
    from generator.checks.sarif import to_sarif

    if form == "json":
        output.print_json(formats.to_data(outcome))
    elif form == "sarif":
        output.print_json(to_sarif(outcome, root=state.workspace.cwd))
    elif form == "github":
        if outcome.findings:
            output.print_text(formats.to_github(outcome))
    else:
        output.print_text(formats.to_text(outcome))


def _explain(rule: str) -> None:
    from generator.checks import suppressions
    from generator.checks.formats import explain
    from generator.checks.rules import CHECKS
    from generator.checks.runner import RULE_IDS

    for check in CHECKS:
        if check.id == rule:
            output.print_text(explain(check))
            return
    if rule == suppressions.RULE_ID:
        output.print_text(f"{rule} (warning)\n\n{suppressions.REASON}\n\n{suppressions.__doc__}")
        return
    raise UnknownNameError("rule", rule, RULE_IDS)
