"""What the global options said, handed to each command."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import click

from generator.cli.progress import TerminalProgress
from generator.workspace import Workspace, open_workspace


@dataclass(frozen=True)
class State:
    """The global options.

    Attributes:
        home: The ``--home`` option.
        quiet: The ``--quiet`` option.
    """

    home: str | None
    quiet: bool

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace these options name; long work shows its progress on a terminal."""
        progress = TerminalProgress(quiet=self.quiet)
        click.get_current_context().call_on_close(progress.clear)
        return replace(open_workspace(self.home), progress=progress)


pass_state = click.make_pass_decorator(State)
