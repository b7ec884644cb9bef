"""Writing the archive: a session's records are added or extended, never taken away.

A file only grows. A message keeps the number it got first; when its source shows more of it
(a result came, the reply went on) the whole message is appended again under that number.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.exceptions import NotFoundError
from generator.history.appender import Appender, sync_all
from generator.history.archive import IMAGES, Archive
from generator.history.books import Books
from generator.history.canonical import Record, encode
from generator.history.entries import COLUMNS, entry_row, insert_rows
from generator.history.forgotten import Forgotten
from generator.history.images import Images, ImageStore
from generator.model.session import Head
from generator.paths import Home
from generator.storage import create_exclusive, read_text

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_MAX = 100


class Keeper:
    """Puts what importers read into the archive.

    Args:
        home: The folder with the user's data.
        books: The books, writable, inside a transaction whenever :meth:`take` is called.
        forgotten: What must stay away.
    """

    def __init__(self, home: Home, books: Books, forgotten: Forgotten) -> None:
        self.home = home
        self.books = books
        self.forgotten = forgotten
        self.archive = Archive(home)
        self.images = ImageStore(home.history)
        self.touched: set[int] = set()
        self.written = 0
        self.twins: dict[int, list[str]] = {}
        self._unsynced: set[Path] = set()

    def file_row(self, head: Head) -> Any:
        """Return the books' row of a session's file, None when there is none."""
        return self.books.database.execute(
            "SELECT * FROM files WHERE agent = ? AND holds = ? AND session = ?",
            (head.agent, head.holds, head.id),
        ).fetchone()

    def new_path(self, head: Head) -> Path:
        """Return a path for a new file, which nothing stands at."""
        agent = _safe(head.agent)
        folder = self.home.history / (f"{agent}-agent" if agent == IMAGES else agent)
        path = folder / f"{_safe(head.id)}.jsonl"
        for number in range(2, 1000):
            if not path.exists():
                return path
            path = folder / f"{_safe(head.id)}~{number}.jsonl"
        return path

    def record_of(self, file: int, key: tuple[str, str, str]) -> Record | None:
        """Return the newest state of a record; None when its file was changed by hand meanwhile.

        Args:
            file: The file's number in the books.
            key: Kind, sidechain and key of the record.
        """
        row = self.books.database.execute(
            "SELECT f.path, e.start, e.length FROM entries e JOIN files f ON f.id = e.file "
            "WHERE e.file = ? AND e.kind = ? AND e.agent = ? AND e.key = ?",
            (file, *key),
        ).fetchone()
        try:
            path = self.home.history / row["path"]
            return self.archive.record(path, row["start"], row["length"])
        except NotFoundError:
            return None

    def patch(self, file: int, key: tuple[str, str, str], **changes: Any) -> None:
        """Append a record again with some fields changed.

        Args:
            file: The file's number in the books.
            key: Kind, sidechain and key of the record.
            changes: New values of its fields.
        """
        row = self.books.database.execute("SELECT * FROM files WHERE id = ?", (file,)).fetchone()
        known = self.books.database.execute(
            "SELECT start, length, unit FROM entries WHERE file = ? AND kind = ? AND agent = ? "
            "AND key = ?",
            (file, *key),
        ).fetchone()
        path = self.home.history / row["path"]
        try:
            record = self.archive.record(path, known["start"], known["length"])
        except NotFoundError:
            return  # changed by hand meanwhile; the next run takes it up
        record = replace(record, **changes)
        appender = Appender(path)
        line = encode(record)
        start = appender.write(line)
        self.enter(
            file,
            [entry_row(file, record, row["agent"], unit=known["unit"], start=start, line=line)],
        )
        self.note_size(file, appender)

    def enter(self, file: int, rows: list[tuple[Any, ...]]) -> None:
        """Enter the rows of lines that were appended."""
        insert_rows(self.books, rows)
        self.touched.add(file)
        self.written += len(rows)
        place = COLUMNS.index("twin")
        self.twins.setdefault(file, []).extend(row[place] for row in rows if row[place])

    def keep_images(self, images: Images, record: Record) -> None:
        """Keep the new images of a record that is about to be written."""
        for name, load in images.claim(record):
            path = self.images.write(name, load())
            if path is not None:
                self._unsynced.add(path)

    def note_size(self, file: int, appender: Appender) -> None:
        """Finish a file and enter its size and time in the books."""
        state = appender.finish()
        if state is not None:
            self._unsynced.add(appender.path)
            self.books.database.execute(
                "UPDATE files SET size = ?, mtime = ? WHERE id = ?",
                (state.st_size, state.st_mtime_ns, file),
            )

    def sync(self) -> None:
        """Put all that was written on disk; to be called before the books are closed over it.

        Raises:
            StorageError: The disk is full.
        """
        paths, self._unsynced = self._unsynced, set()
        sync_all(paths)


def archive_id(home: Home) -> str:
    """Return this archive's own id, made when it is first asked for."""
    path = home.history / ".archive-id"
    if not path.exists():
        create_exclusive(path, os.urandom(4).hex())
    return read_text(path).strip()[:16] or "archive"


def _safe(name: str) -> str:
    """Return a file name for an id; a changed one carries a hash that keeps it apart."""
    plain = _UNSAFE.sub("-", name).strip(".-")[:_NAME_MAX]
    if plain == name:
        return plain
    mark = hashlib.sha256(name.encode("utf-8", errors="replace")).hexdigest()[:8]
    return f"{plain or 'session'}-{mark}"
