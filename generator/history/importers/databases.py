"""SQLite files of other programs: opened for reading only, while their owner may be writing."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from generator.exceptions import ImportFormatError


class _CopiedConnection(sqlite3.Connection):
    """A connection to a copy, which goes away with it."""

    folder: tempfile.TemporaryDirectory[str] | None = None

    def close(self) -> None:
        super().close()
        if self.folder is not None:
            self.folder.cleanup()


def open_database(path: Path) -> sqlite3.Connection:
    """Open a database for reading, with what its write-ahead log holds.

    A database in WAL mode cannot always be read where it stands (a folder that cannot be
    written, an owner that has it locked); then a copy of it and of its log is read.

    Raises:
        ImportFormatError: It cannot be read.
    """
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=2)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error:
            connection.close()
            connection = _open_copy(path)
    except (sqlite3.Error, OSError) as error:
        raise ImportFormatError(f"{path} could not be read as a database: {error}.") from error
    connection.row_factory = sqlite3.Row
    # Text that is no UTF-8 is repaired, never fatal.
    connection.text_factory = lambda raw: raw.decode("utf-8", errors="replace")
    return connection


def _open_copy(path: Path) -> sqlite3.Connection:
    folder = tempfile.TemporaryDirectory(prefix="fieldguide-", ignore_cleanup_errors=True)
    try:
        copy = Path(folder.name) / "copy.db"
        shutil.copyfile(path, copy)
        log = path.with_name(path.name + "-wal")
        if log.exists():
            shutil.copyfile(log, copy.with_name("copy.db-wal"))
        connection = sqlite3.connect(copy, factory=_CopiedConnection)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        folder.cleanup()
        raise
    connection.folder = folder
    return connection


def table_names(path: Path) -> frozenset[str]:
    """Return the tables of a database; none when it cannot be read."""
    try:
        with contextlib.closing(open_database(path)) as database:
            rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            return frozenset(row["name"] for row in rows)
    except (ImportFormatError, sqlite3.Error):
        return frozenset()


def select(
    database: sqlite3.Connection,
    table: str,
    columns: str,
    *,
    where: tuple[str, tuple[Any, ...]] | None = None,
    order: str = "rowid",
) -> Iterator[dict[str, Any]]:
    """Yield rows of a table; columns that this version of the file lacks are None.

    Args:
        database: The database.
        table: Name of the table.
        columns: Names of the columns, with blanks between.
        where: A condition and its values.
        order: What to sort by; parts that do not exist are left out.

    Raises:
        ImportFormatError: The table is broken.
    """
    wanted = columns.split()
    try:
        present = {row["name"] for row in database.execute(f'PRAGMA table_info("{table}")')}
        if not present:
            return
        chosen = [name for name in wanted if name in present]
        keys = [key.strip() for key in order.split(",")]
        keys = [key for key in keys if key in present or key == "rowid"] or ["rowid"]
        condition, values = where or ("1", ())
        query = (
            f'SELECT {", ".join(chosen) or "rowid"} FROM "{table}" '  # noqa: S608 - names of ours
            f"WHERE {condition} ORDER BY {', '.join(keys)}"
        )
        for row in database.execute(query, values):
            found = dict(row)
            yield {name: found.get(name) for name in wanted}
    except sqlite3.Error as error:
        raise ImportFormatError(f"The table {table} could not be read: {error}.") from error
