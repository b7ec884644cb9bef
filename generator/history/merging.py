"""Merging what a unit shows of one session, or one set of documents, into its archive file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from generator.exceptions import DoubtError, NotFoundError
from generator.history.appender import Appender
from generator.history.canonical import Record, encode
from generator.history.entries import digest_of, entry_key, entry_row, leaf_number
from generator.history.heads import head_from, head_text, merged
from generator.history.images import Images
from generator.history.importers.base import UNRANKED, Parsed
from generator.history.keeper import Keeper, archive_id
from generator.history.known import Known, KnownRecords
from generator.history.resuming import drop_checkpoints
from generator.history.tally import Tally
from generator.model.session import Head, Message, Usage

# What the books say of a file, as far as a merge decides it.
_FILE = (
    *("path", "agent", "session", "holds", "parent", "head"),
    *("rank", "moment", "created", "updated", "project"),
)


def merge(
    keeper: Keeper, parsed: Parsed, unit: int, source: Path, tally: Tally, *, images: Images
) -> bool:
    """Add or extend one session, or one set of documents.

    Args:
        keeper: The keeper of this run, inside a transaction.
        parsed: What an importer read.
        unit: The unit it was read from.
        source: The path of that unit, for the head.
        tally: Where the unit's numbers are counted, copies included.
        images: The images that its records show, as the importer met them.

    Returns:
        Whether all of it was taken and is this unit's alone: what follows later may then be
        taken without this.

    Raises:
        StorageError: The archive cannot be written.
    """
    head = _own(keeper, parsed.head)
    if keeper.forgotten.is_whole(head) or (
        keeper.forgotten.holds(head, "", head.updated) and keeper.file_row(head) is None
    ):
        _count(parsed, tally)
        return False
    whole = replace(head, sources=(str(source),))
    work = _Merge(keeper, parsed, whole, unit, tally, images=images)
    work.run()
    drop_checkpoints(keeper.books, work.overtaken)
    return not work.shared


def _own(keeper: Keeper, head: Head) -> Head:
    """Give a set of documents an id of this archive: two machines have equal paths."""
    if head.holds == "session" or head.id.startswith("documents-"):
        return head
    return replace(head, id=f"documents-{archive_id(keeper.home)}-{head.id}")


class _Merge:
    """One call of :func:`merge`."""

    def __init__(
        self,
        keeper: Keeper,
        parsed: Parsed,
        head: Head,
        unit: int,
        tally: Tally,
        *,
        images: Images,
    ) -> None:
        self.keeper = keeper
        self.images = images
        self.parsed = parsed
        self.unit = unit
        self.tally = tally
        row = keeper.file_row(head)
        self.old = head_from(row["head"]) if row else None
        self.file: int | None = row["id"] if row else None
        self.path = keeper.home.history / row["path"] if row else keeper.new_path(head)
        if row is None and parsed.unchanged is not None:
            raise DoubtError("The archive holds nothing of what was read before.")
        self.known = KnownRecords(keeper.books, self.file, whole=parsed.unchanged is None)
        self.shared = False
        self.overtaken: set[int] = set()
        before = (row["rank"], row["moment"]) if row else (UNRANKED, "")
        now = parsed.precedence
        if UNRANKED in (before[0], now[0]):
            self.higher, self.lower = now[1] > before[1], now[1] < before[1]
            self.precedence = (max(before[0], now[0]), max(before[1], now[1]))
        else:
            self.higher, self.lower = now > before, now < before
            self.precedence = max(before, now)
        self.head = merged(self.old, head, newer_holds=not self.lower)
        self.appender = Appender(self.path)
        self.rows: list[tuple[Any, ...]] = []
        self.seen: set[tuple[str, str, str]] = set()

    def run(self) -> None:
        try:
            if self.parsed.counts_as_session:
                self.tally.sessions += 1
            if self.file is None and not self.parsed.counts_as_session and not self._has_records():
                self._note_titles()
                return
            self._open_file()
            self._take_all()
            self._leave_out_the_gone()
            self._flush()
            self.keeper.note_size(self._number, self.appender)
            self._note_titles()
        finally:
            self.images.forget()
            self.appender.abandon()

    def _has_records(self) -> bool:
        """Tell whether there is anything to keep; a file of titles alone makes no session."""
        if self.parsed.head.holds == "documents":
            return bool(self.parsed.documents or self.parsed.usage)
        return not self.parsed.leaf_titles or bool(self.parsed.head.created)

    @property
    def _number(self) -> int:
        assert self.file is not None
        return self.file

    def _open_file(self) -> None:
        head = self.head
        changed = self.old is None or encode(self.old) != encode(head)
        if changed:
            self.appender.write(encode(head))
        values = (
            str(self.path.relative_to(self.keeper.home.history)),
            head.agent,
            head.id,
            head.holds,
            head.parent,
            head_text(head),
            *self.precedence,
            head.created.timestamp() if head.created else None,
            head.updated.timestamp() if head.updated else None,
            head.project,
        )
        database = self.keeper.books.database
        if self.file is None:
            marks = ", ".join("?" for _ in _FILE)
            cursor = database.execute(
                f"INSERT INTO files ({', '.join(_FILE)}) VALUES ({marks})",  # noqa: S608
                values,
            )
            self.file = cursor.lastrowid
            self.keeper.touched.add(self._number)
        elif changed or self.higher:
            sets = ", ".join(f"{name} = ?" for name in _FILE)
            database.execute(
                f"UPDATE files SET {sets} WHERE id = ?",  # noqa: S608 - names of ours
                (*values, self.file),
            )
            self.keeper.touched.add(self._number)

    def _take_all(self) -> None:
        if self.parsed.unchanged is not None:
            self.tally.add(self.parsed.unchanged)
        for message in self.parsed.messages:
            self.tally.add_message(message)
            self._take(self._numbered(message), message.ts)
        for action in self.parsed.actions:
            self.tally.add_action(action)
            self._take(action, action.ended)
        for usage in self.parsed.usage:
            self.tally.add_usage(usage)
            owner = self.parsed.owners.get(usage.id)
            n = self.known.number(*owner) if owner else usage.n
            agent = (owner[0] or None) if owner else usage.agent
            self._take(replace(usage, n=n, agent=agent), usage.ts)
        for event in self.parsed.events:
            self._take(event, event.ts)
        for document in self.parsed.documents:
            self._take(document, document.ts)

    def _numbered(self, message: Message) -> Message:
        agent = message.agent or ""
        n = self.known.number(agent, message.id)
        if n is None:
            n = message.n
            if n <= 0 or not self.known.is_free(agent, n):
                n = self.known.next_number(agent)
            self.known.give(agent, message.id, n)
            if self.lower and self.parsed.complete and message.thread == "active":
                # An older export knows a message that the newer one no longer shows.
                message = replace(message, thread="off")
        return message if message.n == n else replace(message, n=n)

    def _take(self, record: Record, ts: Any) -> None:
        kind, agent, key = entry_key(record)
        self.seen.add((kind, agent, key))
        if self.keeper.forgotten.holds(self.head, key, ts):
            self.shared = True
            return
        entry = self.known.get((kind, agent, key))
        if (
            entry is not None
            and isinstance(record, Message | Usage)
            and record.copy_of != entry.copy
        ):
            record = replace(record, copy_of=entry.copy)
        line = encode(record)
        if entry is not None:
            if entry.digest == digest_of(record, line):
                if entry.unit is None:
                    self._adopt(kind, agent, key)
                elif entry.unit != self.unit:
                    self.shared = True
                return
            richer = self.higher or (not self.lower and len(line) > entry.length)
            # A record of an unknown unit was dropped in, or its books were lost.
            foreign = entry.unit != self.unit and (entry.unit is not None or self.lower)
            if foreign and not richer:
                self.shared = True
                return
            self._overtake(entry)
        self.keeper.keep_images(self.images, record)
        start = self.appender.write(line)
        row = entry_row(
            self._number, record, self.head.agent, unit=self.unit, start=start, line=line
        )
        self.rows.append(row)
        if len(self.rows) >= 500:
            self._flush()

    def _overtake(self, entry: Known) -> None:
        """Note that what another unit showed is no longer as it left it."""
        if entry.unit is not None and entry.unit != self.unit:
            self.overtaken.add(entry.unit)

    def _adopt(self, kind: str, agent: str, key: str) -> None:
        self.keeper.books.database.execute(
            "UPDATE entries SET unit = ? WHERE file = ? AND kind = ? AND agent = ? AND key = ?",
            (self.unit, self.file, kind, agent, key),
        )

    def _flush(self) -> None:
        if self.rows:
            self.keeper.enter(self._number, self.rows)
            self.rows = []

    def _leave_out_the_gone(self) -> None:
        """Mark what this unit showed before and no longer shows."""
        if not self.parsed.snapshot or self.lower:
            return
        gone = [
            (key, entry)
            for key, entry in self.known.items()
            if key not in self.seen
            and (entry.unit == self.unit or (self.parsed.complete and self.higher))
        ]
        for (kind, agent, key), entry in gone:
            if kind == "message" and entry.thread == "active":
                self._again(entry, kind, agent, key, thread="off")
            elif kind == "document" and entry.thread != "removed":
                self._again(entry, kind, agent, key, removed=True)

    def _again(self, entry: Known, kind: str, agent: str, key: str, **changes: Any) -> None:
        try:
            record = self.keeper.archive.record(self.path, entry.start, entry.length)
        except NotFoundError:
            return
        self._overtake(entry)
        record = replace(record, **changes)
        line = encode(record)
        start = self.appender.write(line)
        self.rows.append(
            entry_row(self._number, record, self.head.agent, unit=self.unit, start=start, line=line)
        )

    def _note_titles(self) -> None:
        database = self.keeper.books.database
        for leaf, title in self.parsed.leaf_titles.items():
            database.execute("INSERT OR REPLACE INTO leaf_titles VALUES (?, ?)", (leaf, title))
        if self.file is not None:
            database.executemany(
                "INSERT OR IGNORE INTO leaves VALUES (?, ?)",
                ((leaf_number(leaf), self.file) for leaf in self.parsed.leaf_ids),
            )


def _count(parsed: Parsed, tally: Tally) -> None:
    """Count what a unit shows of a session that is not kept."""
    if parsed.counts_as_session:
        tally.sessions += 1
    for message in parsed.messages:
        tally.add_message(message)
    for action in parsed.actions:
        tally.add_action(action)
    for usage in parsed.usage:
        tally.add_usage(usage)
