"""Before the archive is read: has a source changed? Only then is what takes it in loaded."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.exceptions import ImportFormatError, StorageError
from generator.history.archive import file_states
from generator.history.books import Books
from generator.history.forgotten import load_forgotten
from generator.history.listing import list_sources
from generator.storage import file_lock
from generator.workspace import Workspace

if TYPE_CHECKING:
    from generator.settings import Settings

_LOCK_SECONDS = 120.0


@dataclass(slots=True)
class Intake:
    """What one run took in.

    Attributes:
        read: Units that were read, by path.
        records: Archive records that were written.
        problems: Paths that could not be read or were not followed, with the reason.
        unknown: Files that look like exports and that no importer knows.
    """

    read: list[str] = field(default_factory=list)
    records: int = 0
    problems: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


def source_paths(workspace: Workspace) -> list[Path]:
    """Return the registered sources, ``~`` expanded, relative ones from the home."""
    found = []
    for text in workspace.settings.sources:
        path = Path(text).expanduser()
        found.append(path if path.is_absolute() else workspace.home.root / path)
    return found


def manner(settings: Settings) -> str:
    """Return what decides how sources are read: the zone of bare times, whether images are kept."""
    return f"{settings.timezone or ''}{' images' if settings.history.images else ''}"


def take_in(
    workspace: Workspace,
    *,
    strict: bool = False,
    progress: Callable[[str, int, int], None] | None = None,
) -> Intake:
    """Read what changed in the sources and below ``history/``.

    An unchanged source costs a stat for each of its files. Safe to call before every query:
    where the archive cannot be written (a full disk, a home without permission), what is there
    already still answers, and the problem is told.

    Args:
        workspace: Home, settings and zone.
        strict: Raise when the archive cannot be written, for who asked for the import itself.
        progress: Called with a path, its number and how many there are.

    Raises:
        StorageError: The archive cannot be written though something changed, and ``strict``.
    """
    sources = source_paths(workspace)
    home = workspace.home
    if not sources and not home.history.exists():
        return Intake()
    forgotten = load_forgotten(home)
    listing = list_sources(
        [path for path in sources if not forgotten.has_source(path)],
        workspace.settings.exclude,
        home.root,
    )
    with Books(home, writable=False) as books:
        unchanged = (
            not books.fresh
            and books.states() == listing.files
            and books.manner() in (None, manner(workspace.settings))
            and books.archive() == file_states(home.history)
        )
    if unchanged:
        return Intake(problems=listing.problems)
    try:
        with (
            file_lock(home.history / ".lock", timeout=_LOCK_SECONDS),
            Books(home, writable=True) as books,
        ):
            from generator.history.taking import Taking

            return Taking(workspace, books, forgotten, listing, progress).run()
    except StorageError as error:
        if strict:
            raise
        problem = (str(home.history), f"what changed was not taken in: {error.message}")
        return Intake(problems=[problem, *listing.problems])


def register(workspace: Workspace, paths: Iterable[Path]) -> list[str]:
    """Remember files and folders as sources, in config.json.

    Args:
        workspace: The home whose settings change.
        paths: Files and folders that exist.

    Returns:
        Those that were not remembered before.

    Raises:
        ImportFormatError: A path does not exist, or is the home itself.
        SettingsError: config.json cannot be changed.
    """
    from generator.settings import load_settings
    from generator.settings_edits import set_setting

    home = workspace.home
    known = list(load_settings(home).sources)
    added = []
    for path in paths:
        full = path.expanduser().absolute()
        if not full.exists():
            raise ImportFormatError(
                f"There is nothing at {full}.", hint="Give a file or a folder that exists."
            )
        if full == home.root or full in home.root.parents or home.history in (full, *full.parents):
            raise ImportFormatError(
                f"{full} holds Fieldguide's own home.",
                hint="Files dropped into history/ are taken in without being added.",
            )
        if str(full) not in known:
            known.append(str(full))
            added.append(str(full))
    if added:
        set_setting(home, "sources", json.dumps(known, ensure_ascii=False))
    return added


def open_books(workspace: Workspace) -> contextlib.AbstractContextManager[Books]:
    """Open the books for reading, as they stand."""
    return Books(workspace.home, writable=False)


def status(workspace: Workspace) -> dict[str, Any]:
    """Return the honesty report: every unit as it was read, and the archive's total."""
    from generator.history.ledger import total_tally

    with open_books(workspace) as books:
        files = []
        sums: dict[str, Any] = {"records": 0, "opaque": 0, "skipped": [], "warnings": []}
        for path, name, report, gone in books.reports():
            report.pop("audit", None)
            if gone:
                report.setdefault("warnings", []).append(
                    "The source is gone; the archive keeps what it showed."
                )
            files.append({"path": path, "format": name, **report})
            sums["records"] += report.get("records", 0)
            sums["opaque"] += report.get("opaque", 0)
            sums["skipped"] += report.get("skipped", [])
            sums["warnings"] += report.get("warnings", [])
        return {"files": files, "total": {**total_tally(books).as_json(), **sums}}
