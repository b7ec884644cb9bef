"""Watches what a site is made of."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

from generator.paths import shipped
from generator.workspace import Workspace

# A save is often several events: wait this long for the next, and look for new folders this often.
_QUIET_MS = 30
_LOOK_MS = 1000


def watched_folders(workspace: Workspace) -> list[Path]:
    """Return the folders whose files the site is made of, those that exist now."""
    home = workspace.home
    folders = [shipped("guides"), shipped("templates"), home.guides, home.texts]
    return [folder for folder in folders if folder.is_dir()]


def changes(workspace: Workspace, stop: threading.Event) -> Iterator[list[Path]]:
    """Yield the files that changed, once for each burst, until asked to stop.

    An empty list means that something may have changed.

    Args:
        workspace: Whose home is watched besides the shipped folders; a guides folder that is
            made later is noticed.
        stop: Ends the iteration when set.
    """
    from watchfiles import watch

    while not stop.is_set():
        folders = watched_folders(workspace)
        settled = False
        for batch in watch(
            *folders,
            step=_QUIET_MS,
            debounce=10 * _QUIET_MS,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            stop_event=stop,
        ):
            if batch:
                yield sorted(Path(path) for _, path in batch)
            elif not settled:
                yield []  # what changed before the watch stood would be missed otherwise
                settled = True
            if watched_folders(workspace) != folders:
                yield []
                break
