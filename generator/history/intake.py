"""Taking in what changed: sources to archive, one unit at a time, each whole or not at all."""

from __future__ import annotations

import contextlib
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.exceptions import ImportFormatError, RecordError, StorageError
from generator.history.books import Books, path_text
from generator.history.copies import settle_copies
from generator.history.discovery import Listing, find_units, list_sources, zip_units
from generator.history.forgotten import Forgotten, load_forgotten
from generator.history.importers import read
from generator.history.importers.base import Reading, Unit
from generator.history.keeper import Keeper
from generator.history.stock import stock_changed, take_stock
from generator.history.tally import Tally, tokens_as_json
from generator.history.titles import settle_titles
from generator.storage import file_lock
from generator.workspace import Workspace

_LOCK_SECONDS = 120.0
# Units that are put on disk and entered in the books together.
_GROUP = 64
# What outside data of a wrong shape raises where an importer did not expect it.
_SHAPES = (
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


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
            and books.zone() in (None, workspace.settings.timezone or "")
            and not stock_changed(home, books)
        )
    if unchanged:
        return Intake(problems=listing.problems)
    try:
        with (
            file_lock(home.history / ".lock", timeout=_LOCK_SECONDS),
            Books(home, writable=True) as books,
        ):
            return _Run(workspace, books, forgotten, listing, progress).run()
    except StorageError as error:
        if strict:
            raise
        problem = (str(home.history), f"what changed was not taken in: {error.message}")
        return Intake(problems=[problem, *listing.problems])


class _Run:
    """One run that writes."""

    def __init__(
        self,
        workspace: Workspace,
        books: Books,
        forgotten: Forgotten,
        listing: Listing,
        progress: Callable[[str, int, int], None] | None,
    ) -> None:
        self.workspace = workspace
        self.books = books
        self.forgotten = forgotten
        self.listing = listing
        self.progress = progress
        self.keeper = Keeper(workspace.home, books, forgotten)
        self.intake = Intake(problems=listing.problems)
        self.seen = books.seen()
        # Times without a zone mean something else in another one: all sources are read again.
        self.zone = workspace.settings.timezone or ""
        self.rezoned = books.zone() not in (None, self.zone)
        self.parts_of = Counter(known.unit for known in self.seen.values())

    def run(self) -> Intake:
        with self.books.transaction():
            for unit in take_stock(self.workspace.home, self.books):
                # A file that was dropped in and continues a session we hold: merge it.
                self._read(unit)
                hidden = unit.path.with_name(f".{unit.path.name}.merged")
                unit.path.replace(hidden)
        formats = {
            path: known.format
            for path, known in self.seen.items()
            if known.format is not None or self.listing.files.get(path) == (known.size, known.mtime)
        }
        units = list(find_units(self.listing, formats))
        dirty = [unit for unit in units if self._is_dirty(unit)]
        dirty = [unit for unit in dirty if not self.forgotten.has_source(unit.path)]
        for start in range(0, len(dirty), _GROUP):
            with self.books.transaction():
                for number, unit in enumerate(dirty[start : start + _GROUP], start=start + 1):
                    if self.progress:
                        self.progress(str(unit.path), number, len(dirty))
                    self._read(unit)
                    self._note_parts(unit, formats.get(str(unit.path)))
                    self.intake.read.append(str(unit.path))
                self.keeper.sync()
        with self.books.transaction():
            self._note_rest(units, formats)
            settle_titles(self.keeper)
            settle_copies(self.keeper)
            self.keeper.sync()
            self.books.note_zone(self.zone)
        self.intake.records = self.keeper.written
        return self.intake

    def _is_dirty(self, unit: Unit) -> bool:
        if self.rezoned:
            return True
        for part in unit.parts:
            known = self.seen.get(path_text(part))
            state = self.listing.files.get(str(part))
            if known is None or known.unit != path_text(unit.path) or state is None:
                return True
            if (known.size, known.mtime) != state:
                return True
        return self.parts_of[path_text(unit.path)] != len(unit.parts)

    def _unit_number(self, unit: Unit) -> int:
        database = self.books.database
        database.execute(
            "INSERT OR IGNORE INTO units (path, format, report) VALUES (?, ?, '{}')",
            (path_text(unit.path), unit.format),
        )
        row = database.execute(
            "SELECT id FROM units WHERE path = ?", (path_text(unit.path),)
        ).fetchone()
        return int(row["id"])

    def _read(self, unit: Unit) -> None:
        reading = Reading(zone=self.workspace.zone)
        tally = Tally()
        number = self._unit_number(unit)
        try:
            for part in zip_units(unit) if unit.kind == "zip" else [unit]:
                for parsed in read(part, reading):
                    self.keeper.take(parsed, number, unit.path, tally)
        except (OSError, ImportFormatError, RecordError, zipfile.BadZipFile) as error:
            # What was read so far stays; the file is tried again when it changes.
            reason = getattr(error, "strerror", None) or str(error)
            reading.notes.warn(f"Reading stopped: {reason}")
            self.intake.problems.append((str(unit.path), reason))
        except _SHAPES as error:
            # An importer met a shape that it was not written for. One file never costs the run.
            reason = f"a shape that is not known ({type(error).__name__}: {error})"
            reading.notes.warn(f"Reading stopped: {reason}")
            self.intake.problems.append((str(unit.path), reason))
        if reading.notes.records and not tally.has_messages and unit.format != "wolffish":
            reading.notes.warn(
                f"{reading.notes.records} records and no message: this may be a version of "
                f"{unit.format} that is not known yet."
            )
        report = {
            **tally.as_json(),
            "records": reading.notes.records,
            "opaque": reading.notes.opaque,
            "skipped": [{"line": line, "reason": reason} for line, reason in reading.notes.skipped],
            "warnings": reading.notes.warnings,
            "audit": {
                "lines": reading.audit.lines,
                "naive": tokens_as_json(reading.audit.naive),
                "dropped": dict(reading.audit.dropped),
            },
        }
        self.books.database.execute(
            "UPDATE units SET format = ?, report = ?, gone = 0 WHERE id = ?",
            (unit.format, json.dumps(report, ensure_ascii=False), number),
        )

    def _note_parts(self, unit: Unit, known_format: str | None) -> None:
        database = self.books.database
        name = path_text(unit.path)
        database.execute("DELETE FROM seen WHERE unit = ?", (name,))
        for part in unit.parts:
            state = self.listing.files.get(str(part))
            if state is not None:
                own = known_format if part == unit.path else None
                database.execute(
                    "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?)",
                    (path_text(part), *state, name, own),
                )

    def _note_rest(self, units: list[Unit], formats: dict[str, str | None]) -> None:
        """Note the files that nobody reads, and the units whose source is gone."""
        database = self.books.database
        known = {row[0] for row in database.execute("SELECT path FROM seen WHERE unit IS NOT NULL")}
        for path, state in self.listing.files.items():
            if path_text(Path(path)) in known:
                continue
            database.execute(
                "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, NULL, NULL)",
                (path_text(Path(path)), *state),
            )
            if path in formats and formats[path] is None and path.endswith((".jsonl", ".zip")):
                self.intake.unknown.append(path)
        listed = {path_text(Path(path)) for path in self.listing.files}
        lost = [path for path in self.seen if path not in listed]
        database.executemany("DELETE FROM seen WHERE path = ?", ((path,) for path in lost))
        present = {path_text(unit.path) for unit in units}
        for row in database.execute("SELECT id, path, gone FROM units").fetchall():
            gone = row["path"] not in present
            if gone != bool(row["gone"]):
                database.execute("UPDATE units SET gone = ? WHERE id = ?", (gone, row["id"]))


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
    from generator.settings import load_settings, set_setting

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
