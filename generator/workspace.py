"""What every service is given: the home, its settings, the clock, the working folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from generator.paths import Home, find_home

if TYPE_CHECKING:  # reading settings needs pydantic, which help and guides do without
    from generator.settings import Settings

Progress = Callable[[str, int, int | None], None]
"""Told what is being done, how much is done and how much there is (None: unknown).

It may raise :class:`~generator.exceptions.InterruptedWorkError` to stop the work between two
steps; whatever was finished before stays.
"""


def _system_now() -> datetime:
    return datetime.now().astimezone()


def _silent(what: str, done: int, total: int | None) -> None:
    """Report progress to nobody."""


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """Passed from the doors down, so that nothing below reads the process's surroundings.

    Attributes:
        home: The folder with the user's data.
        cwd: The folder the command was started in.
        environ: The environment variables.
        clock: Returns the current time, with a zone.
        progress: Called by long work between steps; a door shows it or stops the work.
    """

    home: Home
    cwd: Path = field(default_factory=Path.cwd)
    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    clock: Callable[[], datetime] = _system_now
    progress: Progress = _silent

    @cached_property
    def settings(self) -> Settings:
        """The settings of this home, read once, on first use.

        Raises:
            SettingsError: config.json holds something wrong.
        """
        from generator.settings import load_settings

        return load_settings(self.home)

    @property
    def zone(self) -> tzinfo:
        """The zone that cuts days: the configured one, else the system's."""
        if self.settings.timezone:
            return ZoneInfo(self.settings.timezone)
        return self.clock().astimezone().tzinfo or ZoneInfo("UTC")

    def now(self) -> datetime:
        """Return the current time in the configured zone."""
        return self.clock().astimezone(self.zone)


def open_workspace(home: str | os.PathLike[str] | None = None) -> Workspace:
    """Make the workspace of this process.

    Args:
        home: The ``--home`` option; else ``$FIELDGUIDE_HOME``, else ``~/.config/fieldguide``.
    """
    return Workspace(home=find_home(home, os.environ))
