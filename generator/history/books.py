"""The books of the archive: what was read where, and what each archive file holds.

A SQLite file beside the archive (``history/.books.sqlite``). It is a cache: lost or broken, it
is made anew from the archive's files and their sources. It lets an unchanged source cost a
stat, gives a known message its number again, and answers sums without reading the archive.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.exceptions import StorageError
from generator.paths import Home
from generator.storage import make_folder

_VERSION = 4

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT);
-- Every file seen in a source. unit: the unit it belongs to, null when nobody reads it.
CREATE TABLE seen (path TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, unit TEXT, format TEXT);
CREATE INDEX seen_unit ON seen(unit);
-- A unit's row in `history status`.
CREATE TABLE units (id INTEGER PRIMARY KEY, path TEXT UNIQUE, format TEXT, report TEXT,
    gone INTEGER DEFAULT 0);
-- Where reading a growing unit stopped: for whom it holds, its state, marks of what it met.
CREATE TABLE checkpoints (unit INTEGER PRIMARY KEY, holds TEXT, state TEXT, past BLOB);
-- A file of the archive, by its path below history/. shares: whether it may hold a message that
-- stands in another place as well.
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT UNIQUE, agent TEXT, session TEXT,
    holds TEXT, parent TEXT, size INTEGER, mtime INTEGER, head TEXT, rank INTEGER, moment TEXT,
    created REAL, updated REAL, project TEXT, shares INTEGER DEFAULT 1);
CREATE UNIQUE INDEX files_session ON files(agent, holds, session);
CREATE INDEX files_parent ON files(parent);
-- The newest line of each record. kind: message, usage, action, event, document.
CREATE TABLE entries (file INTEGER, kind TEXT, agent TEXT, key TEXT, n INTEGER, digest BLOB,
    unit INTEGER, start INTEGER, length INTEGER, twin TEXT, said TEXT, copy TEXT, role TEXT, thread TEXT,
    partial INTEGER, calls INTEGER, errors INTEGER, unfinished INTEGER, tin INTEGER, tout INTEGER,
    tread INTEGER, twrite INTEGER, ts REAL, model TEXT, provider TEXT, cost REAL,
    PRIMARY KEY (file, kind, agent, key)) WITHOUT ROWID;
CREATE INDEX entries_twin ON entries(twin) WHERE twin IS NOT NULL;
CREATE INDEX entries_n ON entries(file, kind, agent, n);
CREATE INDEX entries_ts ON entries(ts) WHERE tin IS NOT NULL OR tout IS NOT NULL
    OR tread IS NOT NULL OR twrite IS NOT NULL;
-- Titles for whichever session holds a record, and the records of sessions (as short hashes).
CREATE TABLE leaf_titles (leaf TEXT PRIMARY KEY, title TEXT);
CREATE TABLE leaves (leaf INTEGER, file INTEGER, PRIMARY KEY (leaf, file)) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A source file as it was last read."""

    size: int
    mtime: int
    unit: str | None
    format: str | None


class Books:
    """An open connection to the books.

    Args:
        home: The folder with the user's data.
        writable: Whether this process will write; a home that cannot be written is read.

    Raises:
        StorageError: The books cannot be opened for writing.
    """

    def __init__(self, home: Home, *, writable: bool) -> None:
        self.path = home.history / ".books.sqlite"
        self.fresh = False
        self.database = self._open(writable=writable)
        self.database.row_factory = sqlite3.Row

    def __enter__(self) -> Books:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def _open(self, *, writable: bool) -> sqlite3.Connection:
        if not writable:
            return self._open_for_reading()
        make_folder(self.path.parent)
        try:
            return self._open_for_writing()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                raise StorageError(
                    f"{self.path} is held by another process.", hint="Try again in a moment."
                ) from error
            # Broken, or of another version: it is only a cache.
            for suffix in ("", "-wal", "-shm"):
                with contextlib.suppress(OSError):
                    self.path.with_name(self.path.name + suffix).unlink()
        try:
            return self._open_for_writing()
        except sqlite3.DatabaseError as error:
            raise StorageError(
                f"{self.path} could not be written: {error}.",
                hint="Check that the home is writable and has space left.",
            ) from error

    def _open_for_writing(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            if _version(database) != _VERSION:
                names = [
                    row[0]
                    for row in database.execute(
                        "SELECT name FROM sqlite_master WHERE type = 'table'"
                    )
                ]
                for name in names:
                    database.execute(f'DROP TABLE "{name}"')
                database.executescript(_TABLES)
                database.execute(f"PRAGMA user_version = {_VERSION}")
                self.fresh = True
        except BaseException:
            database.close()
            raise
        return database

    def _open_for_reading(self) -> sqlite3.Connection:
        if self.path.exists():
            for mode in ("mode=ro", "immutable=1"):
                try:
                    database = sqlite3.connect(
                        f"{self.path.absolute().as_uri()}?{mode}", uri=True, isolation_level=None
                    )
                    if _version(database) == _VERSION:
                        return database
                    database.close()
                except sqlite3.DatabaseError:
                    continue
        database = sqlite3.connect(":memory:", isolation_level=None)
        database.executescript(_TABLES)
        self.fresh = True
        return database

    @contextlib.contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Group changes: all are kept, or none.

        Raises:
            StorageError: They cannot be written (the disk is full).
        """
        try:
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield self.database
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self.database.execute("ROLLBACK")
                raise
            self.database.execute("COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self.database.execute("ROLLBACK")
            raise StorageError(
                f"{self.path} could not be written: {error}.",
                hint="Check that the home is writable and has space left.",
            ) from error

    def seen(self) -> dict[str, Seen]:
        """Return every source file that was ever read or passed over."""
        rows = self.database.execute("SELECT path, size, mtime, unit, format FROM seen")
        return {
            path: Seen(size=size, mtime=mtime, unit=unit, format=format_)
            for path, size, mtime, unit, format_ in rows
        }

    def manner(self) -> str | None:
        """Return how the sources were read; None when it was not noted."""
        row = self.database.execute("SELECT value FROM meta WHERE name = 'zone'").fetchone()
        return None if row is None else str(row[0])

    def note_manner(self, manner: str) -> None:
        """Note how every source was read: in which zone, with images or without."""
        self.database.execute("INSERT OR REPLACE INTO meta VALUES ('zone', ?)", (manner,))

    def states(self) -> dict[str, tuple[int, int]]:
        """Return size and time of every source file as it was last read."""
        rows = self.database.execute("SELECT path, size, mtime FROM seen")
        return {path: (size, mtime) for path, size, mtime in rows}

    def archive(self) -> dict[str, tuple[int, int]]:
        """Return size and time of every file of the archive as the books say."""
        rows = self.database.execute("SELECT path, size, mtime FROM files")
        return {path: (size, mtime) for path, size, mtime in rows}

    def reports(self) -> list[tuple[str, str, dict[str, Any], bool]]:
        """Return path, format, report and whether it is gone, for every unit by path."""
        rows = self.database.execute("SELECT path, format, report, gone FROM units ORDER BY path")
        return [(path, name, json.loads(report), bool(gone)) for path, name, report, gone in rows]


def _version(database: sqlite3.Connection) -> int:
    return int(database.execute("PRAGMA user_version").fetchone()[0])


def path_text(path: Path) -> str:
    """Return a path as the books write it, also when it is no valid text."""
    return str(path).encode("utf-8", errors="surrogateescape").decode("utf-8", errors="replace")
