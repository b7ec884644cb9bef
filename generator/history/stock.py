"""Taking stock: the books are made to agree with the files that are really there.

A file of the archive may have been dropped in, written to by a run that was killed, changed by
hand, or removed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from generator.exceptions import StorageError
from generator.history.archive import Archive
from generator.history.books import Books, path_text
from generator.history.canonical import Record
from generator.history.entries import insert_rows, rows_of_file
from generator.history.heads import head_text
from generator.history.importers.base import UNRANKED, Unit, moment_of, opener
from generator.history.resuming import drop_checkpoints_of_file
from generator.history.tally import Tally, tokens_as_json
from generator.model.entry import FileState
from generator.model.session import ActionRecord, Head, Message, Usage
from generator.paths import Home


def take_stock(home: Home, books: Books) -> list[Unit]:
    """Read every file anew that is not as the books say.

    Args:
        home: The folder with the user's data.
        books: The books, inside a transaction.

    Returns:
        Files that were dropped in and continue a session which another file holds: they are to
        be merged into it.
    """
    archive = Archive(home)
    database = books.database
    known = {row["path"]: row for row in database.execute("SELECT * FROM files").fetchall()}
    to_merge: list[Unit] = []
    for state in archive.files():
        relative = str(state.path.relative_to(home.history))
        row = known.pop(relative, None)
        if row is not None and (row["size"], row["mtime"]) == (state.size, state.mtime_ns):
            continue
        try:
            head = archive.head(state.path)
        except StorageError:
            continue
        if head is None:
            _note_stranger(books, state)
            continue
        owner = database.execute(
            "SELECT path FROM files WHERE agent = ? AND holds = ? AND session = ? AND path != ?",
            (head.agent, head.holds, head.id, relative),
        ).fetchone()
        if owner is not None and (home.history / owner["path"]).exists():
            to_merge.append(
                Unit(
                    path=state.path,
                    format="canonical",
                    kind="lines",
                    parts=(state.path,),
                    open=opener(state.path),
                )
            )
            continue
        if owner is not None:
            _remove(books, owner["path"])  # moved by hand
            known.pop(owner["path"], None)
        _scan(books, archive, state, relative, head)
    for relative in known:
        _remove(books, relative)
    return to_merge


def _scan(books: Books, archive: Archive, state: FileState, relative: str, head: Head) -> None:
    database = books.database
    row = database.execute("SELECT id FROM files WHERE path = ?", (relative,)).fetchone()
    file = row["id"] if row else None
    units = {}
    if file is not None:
        drop_checkpoints_of_file(books, file)
        units = {
            (found["kind"], found["agent"], found["key"]): found["unit"]
            for found in database.execute("SELECT * FROM entries WHERE file = ?", (file,))
        }
        database.execute("DELETE FROM entries WHERE file = ?", (file,))
        database.execute("DELETE FROM files WHERE id = ?", (file,))
    cursor = database.execute(
        "INSERT INTO files (id, path, agent, session, holds, parent, size, mtime, head, rank, "
        "moment, created, updated, project) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            file,
            relative,
            head.agent,
            head.id,
            head.holds,
            head.parent,
            state.size,
            state.mtime_ns,
            head_text(head),
            UNRANKED,
            moment_of(head.updated),
            head.created.timestamp() if head.created else None,
            head.updated.timestamp() if head.updated else None,
            head.project,
        ),
    )
    number = cursor.lastrowid
    assert number is not None
    tally = Tally(sessions=int(head.holds == "session"))
    held: dict[tuple[str, ...], Record] = {}

    def located() -> Iterator[tuple[int, int, Record]]:
        for found in archive.records(state.path):
            yield found.start, found.length, found.record

    insert_rows(books, rows_of_file(number, located(), head.agent))
    for (kind, agent, key), unit in units.items():
        if unit is not None:
            database.execute(
                "UPDATE entries SET unit = ? WHERE file = ? AND kind = ? AND agent = ? AND key = ?",
                (unit, number, kind, agent, key),
            )
    if head.sources:
        return
    # Dropped in, not imported: it has a row of its own in the status.
    from generator.history.canonical import record_key

    for found in archive.records(state.path):
        held[record_key(found.record)] = found.record
    for record in held.values():
        if isinstance(record, Message):
            tally.add_message(record)
        elif isinstance(record, Usage):
            tally.add_usage(record)
        elif isinstance(record, ActionRecord):
            tally.add_action(record)
    _report(books, state.path, "canonical", tally, records=len(held))


def _note_stranger(books: Books, state: FileState) -> None:
    _report(
        books,
        state.path,
        "unknown",
        Tally(),
        warnings=[
            "The file has no head of the canonical form, so it is not read. "
            "Bring transcripts in with 'fieldguide history add'."
        ],
    )


def _report(
    books: Books,
    path: Path,
    name: str,
    tally: Tally,
    *,
    records: int = 0,
    warnings: list[str] | None = None,
) -> None:
    report = {
        **tally.as_json(),
        "records": records,
        "opaque": 0,
        "skipped": [],
        "warnings": warnings or [],
        "audit": {"lines": 0, "naive": tokens_as_json(tally.tokens), "dropped": {}},
    }
    books.database.execute(
        "INSERT INTO units (path, format, report) VALUES (?, ?, ?) "
        "ON CONFLICT (path) DO UPDATE SET format = excluded.format, report = excluded.report",
        (path_text(path), name, json.dumps(report, ensure_ascii=False)),
    )


def _remove(books: Books, relative: str) -> None:
    """Take a file that is gone out of the books; its sources are read again if they can be."""
    database = books.database
    row = database.execute("SELECT id FROM files WHERE path = ?", (relative,)).fetchone()
    if row is None:
        return
    drop_checkpoints_of_file(books, row["id"])
    database.execute(
        "DELETE FROM seen WHERE unit IN (SELECT path FROM units WHERE id IN "
        "(SELECT DISTINCT unit FROM entries WHERE file = ?))",
        (row["id"],),
    )
    for table in ("entries", "leaves"):
        database.execute(f"DELETE FROM {table} WHERE file = ?", (row["id"],))  # noqa: S608
    database.execute("DELETE FROM files WHERE id = ?", (row["id"],))
