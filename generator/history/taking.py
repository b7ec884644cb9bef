"""Taking in what changed: sources to archive, one unit at a time, each whole or not at all."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from generator.counting import counted
from generator.exceptions import DoubtError, ImportFormatError, RecordError
from generator.history.books import Books, path_text
from generator.history.copies import settle_copies
from generator.history.discovery import find_units, zip_units
from generator.history.forgotten import Forgotten
from generator.history.images import Images
from generator.history.importers import read
from generator.history.importers.base import Reading, Unit
from generator.history.importers.checkpoints import Checkpoint
from generator.history.intake import Intake, manner
from generator.history.keeper import Keeper
from generator.history.listing import Listing
from generator.history.merging import merge
from generator.history.resuming import conditions, load_checkpoint, save_checkpoint
from generator.history.stock import take_stock
from generator.history.tally import Tally, tokens_as_json
from generator.history.titles import settle_titles
from generator.workspace import Workspace

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


class Taking:
    """One run that writes.

    Args:
        workspace: Home, settings and zone.
        books: The books, writable, under the archive's lock.
        forgotten: What must stay away.
        listing: The files below the sources as they are now.
        progress: Called with a path, its number and how many there are.
    """

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
        # Read in another manner, the sources may say something else: all are read again.
        self.manner = manner(workspace.settings)
        self.read_otherwise = books.manner() not in (None, self.manner)
        self.parts_of = Counter(known.unit for known in self.seen.values())

    def run(self) -> Intake:
        """Take in every unit that changed.

        Raises:
            StorageError: The archive cannot be written.
        """
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
            self.books.note_manner(self.manner)
        self.intake.records = self.keeper.written
        return self.intake

    def _is_dirty(self, unit: Unit) -> bool:
        if self.read_otherwise:
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
        number = self._unit_number(unit)
        holds = conditions(unit, self.listing.files, self.manner)
        checkpoint = load_checkpoint(self.books, number, holds) if unit.grows else None
        if checkpoint is not None:
            try:
                self._read_from(unit, number, holds, checkpoint)
            except DoubtError:
                pass  # whatever was kept already is kept again
            else:
                return
        self._read_from(unit, number, holds, None)

    def _read_from(
        self, unit: Unit, number: int, holds: str, checkpoint: Checkpoint | None
    ) -> None:
        images = Images(self.keeper.images, keep=self.workspace.settings.history.images)
        reading = Reading(zone=self.workspace.zone, images=images, checkpoint=checkpoint)
        tally = Tally()
        alone = True
        try:
            for part in zip_units(unit) if unit.kind == "zip" else [unit]:
                for parsed in read(part, reading):
                    alone &= merge(self.keeper, parsed, number, unit.path, tally, images=images)
        except (OSError, ImportFormatError, RecordError, zipfile.BadZipFile) as error:
            if checkpoint is not None:
                raise DoubtError("Reading on stopped.") from error
            # What was read so far stays; the file is tried again when it changes.
            reason = getattr(error, "strerror", None) or str(error)
            reading.notes.warn(f"Reading stopped: {reason}")
            self.intake.problems.append((str(unit.path), reason))
        except _SHAPES as error:
            if checkpoint is not None:
                raise DoubtError("Reading on stopped.") from error
            # An importer met a shape that it was not written for. One file never costs the run.
            reason = f"a shape that is not known ({type(error).__name__}: {error})"
            reading.notes.warn(f"Reading stopped: {reason}")
            self.intake.problems.append((str(unit.path), reason))
        for sentence in images.sentences():
            reading.notes.warn(sentence)
            alone = False  # it counts, and the next reading would count from nothing
        if reading.notes.records and not tally.has_messages and unit.format != "wolffish":
            reading.notes.warn(
                f"{counted(reading.notes.records, 'record')} and no message: this may be a version of "
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
        save_checkpoint(self.books, number, holds, reading.reached if alone else None)

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
