"""What the global options said, handed to each command."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import click

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
        """The workspace these options name."""
        return open_workspace(self.home)


pass_state = click.make_pass_decorator(State)
