"""Watches what a site is made of."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.export.pace import Pace
from generator.history.intake import source_paths
from generator.paths import shipped
from generator.reports.collection import ReportsCollection
from generator.reports.destination import output_folder
from generator.workspace import Workspace

# A save is often several events: wait this long for the next, and look for new folders this often.
_QUIET_MS = 30
_LOOK_MS = 1000


@dataclass(frozen=True, slots=True)
class Watched:
    """What a site is made of, as far as it exists now.

    Attributes:
        edited: Folders whose files people edit.
        written: Folders and files that programs write.
        reports: The saved reports; their folder, which may hold anything, is only listed.
    """

    edited: tuple[Path, ...]
    written: tuple[Path, ...] = ()
    reports: tuple[object, ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """Everything that is watched."""
        return (*self.edited, *self.written)


def watched(workspace: Workspace, sections: Sequence[str] = ()) -> Watched:
    """Return what a site is made of now.

    Args:
        workspace: Whose home is shown.
        sections: Sections asked for besides the standing ones.
    """
    home = workspace.home
    edited = [shipped("guides"), shipped("templates"), home.guides, home.catalogs, home.texts]
    written = [home.errors] if "errors" in sections else []
    reports: tuple[object, ...] = ()
    if "history" in sections:
        written += [home.history, *source_paths(workspace)]
    if "reports" in sections:
        reports = tuple(ReportsCollection(output_folder(workspace)).files())
    return Watched(
        tuple(path.resolve() for path in edited if path.is_dir()),
        tuple(path.resolve() for path in written if path.exists()),
        reports,
    )


def changes(
    workspace: Workspace, stop: threading.Event, sections: Sequence[str] = ()
) -> Iterator[list[Path]]:
    """Yield the files that changed, once for each rebuild that is due, until asked to stop.

    An empty list means that something may have changed. The time until the next one is asked for
    counts as the rebuild.

    Args:
        workspace: Whose home is watched besides the shipped folders; a folder that is made later
            is noticed.
        stop: Ends the iteration when set.
        sections: Sections asked for besides the standing ones.
    """
    from watchfiles import watch

    pace = Pace()
    while not stop.is_set():
        seen = watched(workspace, sections)
        settled = False
        for batch in watch(
            *seen.paths,
            watch_filter=lambda _change, path: not Path(path).name.startswith("."),
            step=_QUIET_MS,
            debounce=10 * _QUIET_MS,
            rust_timeout=_LOOK_MS,
            yield_on_timeout=True,
            stop_event=stop,
        ):
            now = watched(workspace, sections)
            paths = sorted(Path(path) for _, path in batch)
            edited = any(path.is_relative_to(folder) for path in paths for folder in seen.edited)
            # What changed before the watch stood would be missed otherwise.
            first = not batch and not settled
            settled = settled or first
            written = bool(batch) or now.reports != seen.reports
            moved = now.paths != seen.paths
            if pace.wants(time.monotonic(), edited=edited or first or moved, written=written):
                start = time.monotonic()
                yield paths
                pace.built(start, time.monotonic())
            if moved:
                break
            seen = now
