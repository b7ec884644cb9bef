"""``fieldguide init``: the topics with their triggers in a project's AGENTS.md or CLAUDE.md."""

from __future__ import annotations

from pathlib import Path

import click

from generator.cli import output
from generator.cli.state import State, pass_state


@click.command(epilog="Example: fieldguide init ~/code/paperboat")
@click.argument("path", default=".", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when something would change.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def command(state: State, path: Path, check: bool, as_json: bool) -> int:
    """Write the topics with their triggers into PATH's AGENTS.md and CLAUDE.md.

    PATH is a project folder (default: this one) or one Markdown file. Only the part between the
    fieldguide markers is written; run it again after an update.
    """
    from generator.guides.agents_file import targets, update_file
    from generator.guides.loader import load_library

    topics = load_library(state.workspace).triggers()
    changes = [update_file(target, topics, dry_run=check) for target in targets(path)]
    if as_json:
        output.print_json(
            {"changes": [{"path": str(item.path), "action": item.action} for item in changes]}
        )
    elif not state.quiet:
        for item in changes:
            output.print_text(f"{item.path}: {_WORDS[item.action]}")
    stale = any(item.action != "unchanged" for item in changes)
    return 1 if check and stale else 0


_WORDS = {
    "created": "made, with every topic and its trigger.",
    "added": "topics added at the end; the rest is as it was.",
    "updated": "topics brought up to date; the rest is as it was.",
    "unchanged": "already up to date.",
}
