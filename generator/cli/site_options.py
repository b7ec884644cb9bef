"""Options that ``build`` and ``serve`` share: what of a user's own data goes into the site."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from generator.cli.state import State

_F = TypeVar("_F", bound=Callable[..., Any])


def site_options(command: _F) -> _F:
    """Add the options to a command."""
    for option in reversed(
        (
            click.option(
                "--with",
                "sections",
                metavar="SECTIONS",
                default="",
                help="Also export these, separated by commas: history, errors, reports, drafts.",
            ),
            click.option("--session", default="", help="Of history only this session."),
            click.option("--since", metavar="DATE", help="Only what is from this day or later."),
            click.option("--agent", default="", help="Of history only this agent's sessions."),
            click.option("--no-images", is_flag=True, help="Of history leave the images out."),
        )
    ):
        command = option(command)
    return command


def builder_options(
    state: State, *, sections: str, session: str, since: str | None, agent: str, no_images: bool
) -> dict[str, Any]:
    """Return what a builder is given besides the folder.

    Raises:
        UsageError: A part was named and the section it is a part of was not, or a date is none.
    """
    from generator.exceptions import UsageError
    from generator.export.site import Choice
    from generator.tools.find_tools import load_all

    names = list(dict.fromkeys(filter(None, map(str.strip, sections.split(",")))))
    if (session or agent) and not {"history", "drafts"} & set(names):
        raise UsageError("--session and --agent choose from history.", hint="Add --with history.")
    if since and not names:
        raise UsageError("--since chooses from your own data.", hint="Add --with history.")
    start = None
    if since:
        from generator.recall.days import span_of_days

        start = span_of_days(since, None, state.workspace, names=("--since", "")).start
    return {
        "sections": names,
        "choice": Choice(session=session, since=start, agent=agent, images=not no_images),
        "tools": load_all(state.workspace).own,
    }
