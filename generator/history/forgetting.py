"""Forgetting: what a person wants gone leaves the archive and does not come back."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from generator.exceptions import NotFoundError
from generator.history.archive import Archive
from generator.history.books import Books
from generator.history.canonical import Record, record_key
from generator.history.entries import entry_key
from generator.history.exporting import path_of_session, write_compact
from generator.history.forgotten import Forgotten, load_forgotten, name_of
from generator.history.images import drop_unused
from generator.history.keeper import Keeper
from generator.history.stock import take_stock
from generator.model.session import Document, Head, Message
from generator.storage import file_lock
from generator.timestamps import day_start
from generator.workspace import Workspace

_LOCK_SECONDS = 120.0


@dataclass(slots=True)
class _Forgetting:
    """One act of forgetting, under the archive's lock; a rehearsal counts and changes nothing."""

    workspace: Workspace
    books: Books
    forgotten: Forgotten
    rehearsal: bool
    sessions: int = 0
    messages: int = 0
    documents: int = 0

    def drop_file(self, path: Path, head: Head) -> None:
        """Remove a whole file."""
        if head.holds == "session":
            self.sessions += 1
        else:
            self.documents += len(_newest(self.workspace, path))
        if self.rehearsal:
            return
        path.unlink(missing_ok=True)
        relative = str(path.relative_to(self.workspace.home.history))
        database = self.books.database
        row = database.execute("SELECT id FROM files WHERE path = ?", (relative,)).fetchone()
        if row is not None:
            for table in ("entries", "leaves"):
                database.execute(
                    f"DELETE FROM {table} WHERE file = ?",  # noqa: S608 - names of ours
                    (row["id"],),
                )
            database.execute("DELETE FROM files WHERE id = ?", (row["id"],))

    def drop_records(self, path: Path, head: Head, fits: Callable[[Record], bool]) -> None:
        """Remove some records of a file; a file without any left goes as a whole.

        The file gets a new name: whoever remembers how far it was read must not go on there.
        """
        records = _newest(self.workspace, path)
        gone = {key: record for key, record in records.items() if fits(record)}
        if not gone:
            return
        if not any(
            isinstance(record, Message | Document)
            for key, record in records.items()
            if key not in gone
        ):
            self.drop_file(path, head)
            return
        self.messages += sum(isinstance(record, Message) for record in gone.values())
        self.documents += sum(isinstance(record, Document) for record in gone.values())
        if self.rehearsal:
            return
        archive = Archive(self.workspace.home)
        target = Keeper(self.workspace.home, self.books, self.forgotten).new_path(head)
        write_compact(archive, path, target, frozenset(gone))
        path.unlink(missing_ok=True)
        relative = str(path.relative_to(self.workspace.home.history))
        moved = str(target.relative_to(self.workspace.home.history))
        self.books.database.execute(
            "UPDATE files SET path = ?, size = -1 WHERE path = ?", (moved, relative)
        )

    def keep_list(self) -> None:
        """Write the list of what was forgotten, before anything is removed."""
        if not self.rehearsal:
            self.forgotten.save()

    def result(self) -> dict[str, int]:
        """Return what was forgotten."""
        return {
            "sessions": self.sessions,
            "messages": self.messages,
            "documents": self.documents,
        }


def _newest(workspace: Workspace, path: Path) -> dict[tuple[str, ...], Record]:
    found: dict[tuple[str, ...], Record] = {}
    for located in Archive(workspace.home).records(path):
        if not isinstance(located.record, Head):
            found[record_key(located.record)] = located.record
    return found


@contextlib.contextmanager
def _forgetting(workspace: Workspace, *, rehearsal: bool = False) -> Iterator[_Forgetting]:
    """Hold the lock, and have the books know the archive as it is."""
    home = workspace.home
    with (
        file_lock(home.history / ".lock", timeout=_LOCK_SECONDS),
        Books(home, writable=True) as books,
        books.transaction(),
    ):
        # Numbers are given anew where something is missing: sources are read whole next time.
        books.database.execute("DELETE FROM checkpoints")
        take_stock(home, books)
        yield _Forgetting(workspace, books, load_forgotten(home), rehearsal)
        take_stock(home, books)
        if not rehearsal:
            drop_unused(home)


def forget_session(workspace: Workspace, name: str, *, rehearsal: bool = False) -> dict[str, int]:
    """Forget one session.

    Args:
        workspace: Whose archive.
        name: Its id, or a unique ending of it.
        rehearsal: Only count what would be forgotten.

    Returns:
        How many sessions, single messages and documents were forgotten.

    Raises:
        NotFoundError: The archive holds no such session.
        UsageError: Several fit.
        StorageError: The archive cannot be written.
    """
    with _forgetting(workspace, rehearsal=rehearsal) as act:
        heads = Archive(workspace.home).heads()
        path = path_of_session(heads, name)
        act.forgotten.sessions[name_of(heads[path])] = True
        act.keep_list()
        act.drop_file(path, heads[path])
        return act.result()


def forget_records(
    workspace: Workspace, path: Path, fits: Callable[[Record], bool]
) -> dict[str, int]:
    """Forget single records of one archive file.

    Args:
        workspace: Whose archive.
        path: The canonical file.
        fits: Tells which records.

    Returns:
        How many sessions, single messages and documents were forgotten.

    Raises:
        NotFoundError: No record fits.
        StorageError: The archive cannot be written.
    """
    with _forgetting(workspace) as act:
        head = Archive(workspace.home).head(path)
        keys = [
            entry_key(record)[2] for record in _newest(workspace, path).values() if fits(record)
        ]
        if head is None or not keys:
            raise NotFoundError(f"Nothing in {path} fits what is to be forgotten.")
        held = act.forgotten.records.setdefault(name_of(head), [])
        held.extend(key for key in keys if key not in held)
        act.keep_list()
        act.drop_records(path, head, fits)
        return act.result()


def forget_source(workspace: Workspace, source: Path, *, rehearsal: bool = False) -> dict[str, int]:
    """Forget all that came from a file or a folder, and never read it again.

    Args:
        workspace: Whose archive.
        source: The path; it need not exist any more.
        rehearsal: Only count what would be forgotten.

    Returns:
        How many sessions, single messages and documents were forgotten.

    Raises:
        NotFoundError: Nothing was ever read from there.
        StorageError: The archive cannot be written.
    """
    path = source.absolute()
    with _forgetting(workspace, rehearsal=rehearsal) as act:
        inside = {
            row["id"]
            for row in act.books.database.execute("SELECT id, path FROM units")
            if Path(row["path"]) == path or path in Path(row["path"]).parents
        }
        registered = [str(path)] if str(path) in workspace.settings.sources else []
        if not inside and not registered:
            raise NotFoundError(
                f"Nothing was ever read from {path}.",
                hint="List what was read with 'fieldguide history status'.",
            )
        if str(path) not in act.forgotten.sources:
            act.forgotten.sources.append(str(path))
        heads = Archive(workspace.home).heads()
        whole = {
            file: head
            for file, head in heads.items()
            if head.sources and all(_within(Path(item), path) for item in head.sources)
        }
        for head in whole.values():
            act.forgotten.note_with_source(path, name_of(head))
        act.keep_list()
        for file, head in whole.items():
            act.drop_file(file, head)
        for file, head in heads.items():
            if file not in whole and any(_within(Path(item), path) for item in head.sources):
                _drop_of_units(act, file, head, inside)
        if rehearsal:
            return act.result()
        for table, column in (("units", "path"), ("seen", "path")):
            rows = act.books.database.execute(f"SELECT {column} FROM {table}")  # noqa: S608
            gone = [row[0] for row in rows if _within(Path(row[0]), path)]
            act.books.database.executemany(
                f"DELETE FROM {table} WHERE {column} = ?",  # noqa: S608 - names of ours
                ((item,) for item in gone),
            )
        result = act.result()
    _unregister(workspace, path)
    return result


def _within(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def _drop_of_units(act: _Forgetting, path: Path, head: Head, units: set[int]) -> None:
    """Drop from a file with several sources what the forgotten ones showed last."""
    relative = str(path.relative_to(act.workspace.home.history))
    rows = act.books.database.execute(
        "SELECT e.kind, e.agent, e.key, e.unit FROM entries e JOIN files f ON f.id = e.file "
        "WHERE f.path = ?",
        (relative,),
    )
    keys = {(row["kind"], row["agent"], row["key"]) for row in rows if row["unit"] in units}
    held = act.forgotten.records.setdefault(name_of(head), [])
    held.extend(key for _, _, key in keys if key not in held)
    act.keep_list()
    act.drop_records(path, head, lambda record: entry_key(record) in keys)


def _unregister(workspace: Workspace, path: Path) -> None:
    from generator.settings import load_settings
    from generator.settings_edits import set_setting

    sources = load_settings(workspace.home).sources
    kept = [item for item in sources if Path(item).expanduser() != path]
    if len(kept) != len(sources):
        set_setting(workspace.home, "sources", json.dumps(kept, ensure_ascii=False))


def forget_before(workspace: Workspace, day: date, *, rehearsal: bool = False) -> dict[str, int]:
    """Forget all that is older than a day, in the configured zone.

    Sessions that go on after it lose their older messages; their other messages keep their
    numbers.

    Args:
        workspace: Whose archive.
        day: The first day that is kept.
        rehearsal: Only count what would be forgotten.

    Returns:
        How many sessions, single messages and documents were forgotten.

    Raises:
        StorageError: The archive cannot be written.
    """
    cut = day_start(day, workspace.zone).astimezone(UTC)
    with _forgetting(workspace, rehearsal=rehearsal) as act:
        heads = Archive(workspace.home).heads()
        older = {
            path: head
            for path, head in heads.items()
            if any(_is_older(record, cut) for record in _newest(workspace, path).values())
            or (head.updated is not None and head.updated < cut)
        }
        for head in older.values():
            rule = act.forgotten.sessions.get(name_of(head))
            if rule is not True:
                act.forgotten.sessions[name_of(head)] = max(str(rule or ""), cut.isoformat())
        act.keep_list()
        for path, head in older.items():
            if head.updated is not None and head.updated < cut:
                act.drop_file(path, head)
            else:
                act.drop_records(path, head, lambda record: _is_older(record, cut))
        return act.result()


def _is_older(record: Record, cut: datetime) -> bool:
    ts: Any = getattr(record, "ts", None) or getattr(record, "ended", None)
    return ts is not None and ts < cut
