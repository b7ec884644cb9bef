"""What the books know of one archive file's records: their numbers, digests and owners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from generator.history.books import Books

EntryKey = tuple[str, str, str]
"""Kind, sidechain and key of a record."""

_SELECT = "SELECT kind, agent, key, n, digest, unit, start, length, copy, thread FROM entries "


@dataclass(slots=True)
class Known:
    """What the books say of a record's newest line."""

    n: int
    digest: bytes
    unit: int | None
    start: int
    length: int
    copy: str | None
    thread: str | None


class KnownRecords:
    """The records of one file, and the numbers of its messages.

    Args:
        books: The books.
        file: The file's number; None for a file that is still to be made.
        whole: Whether all records are wanted; else each is looked up when it is asked for.
    """

    def __init__(self, books: Books, file: int | None, *, whole: bool) -> None:
        self._books = books
        self._file = file
        self._whole = whole or file is None
        self._records: dict[EntryKey, Known | None] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._taken: set[tuple[str, int]] = set()
        self._last: dict[str, int] = {}
        if whole and file is not None:
            for row in books.database.execute(_SELECT + "WHERE file = ?", (file,)):
                self._enter((row[0], row[1], row[2]), Known(*row[3:]))

    def _enter(self, key: EntryKey, record: Known) -> None:
        self._records[key] = record
        kind, agent, name = key
        if kind == "message":
            self.give(agent, name, record.n)

    def get(self, key: EntryKey) -> Known | None:
        """Return what is known of a record, None when it is new."""
        if key not in self._records and not self._whole:
            row = self._books.database.execute(
                _SELECT + "WHERE file = ? AND kind = ? AND agent = ? AND key = ?",
                (self._file, *key),
            ).fetchone()
            if row is None:
                self._records[key] = None
            else:
                self._enter(key, Known(*row[3:]))
        return self._records.get(key)

    def items(self) -> Iterator[tuple[EntryKey, Known]]:
        """Yield every record that was looked up."""
        for key, record in self._records.items():
            if record is not None:
                yield key, record

    def number(self, agent: str, name: str) -> int | None:
        """Return the number of a message, None when it has none yet."""
        self.get(("message", agent, name))
        return self._numbers.get((agent, name))

    def next_number(self, agent: str) -> int:
        """Return the number after the last one of a thread."""
        if agent not in self._last and not self._whole:
            row = self._books.database.execute(
                "SELECT max(n) FROM entries WHERE file = ? AND kind = 'message' AND agent = ?",
                (self._file, agent),
            ).fetchone()
            self._last[agent] = row[0] or 0
        return self._last.get(agent, 0) + 1

    def is_free(self, agent: str, number: int) -> bool:
        """Tell whether no message that was looked up has a number."""
        return (agent, number) not in self._taken

    def give(self, agent: str, name: str, number: int) -> None:
        """Note the number of a message."""
        self._numbers[agent, name] = number
        self._taken.add((agent, number))
        if self._whole or agent in self._last:
            self._last[agent] = max(self._last.get(agent, 0), number)
