"""Which files the index holds, as one commit left them.

Saved beside the store under the number of the commit it belongs to, before that commit counts:
whichever of the two a crash leaves behind, they agree.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from operator import attrgetter
from pathlib import Path

from generator.model.entry import Entry
from generator.storage import write_atomic

_NAME = re.compile(r"files-(\d+)\.json")

FileKey = tuple[str, str]
"""Name of the collection and path of the file."""


@dataclass(slots=True)
class FileRecord:
    """What the index knows of one file.

    Attributes:
        size: Bytes when it was last looked at.
        mtime_ns: Time of its last change then.
        epoch: Which reading of the file its entries come from; others no longer count.
        resume: Byte after the last entry that was read.
        mark: Digest of the bytes around ``resume``, to tell growth from rewriting.
        entries: How many entries it has.
        oldest: Time of its oldest entry.
        newest: Time of its newest entry.
        sources: Entries by source.
        problem: Why it could not be read, as a sentence.
        replaced: Where the records stand that later ones replaced: their entries do not count.
    """

    size: int
    mtime_ns: int
    epoch: int = 0
    resume: int = 0
    mark: str = ""
    entries: int = 0
    oldest: float | None = None
    newest: float | None = None
    sources: dict[str, int] = field(default_factory=dict)
    problem: str | None = None
    replaced: list[int] = field(default_factory=list)

    def leave_out(self, entries: Sequence[Entry]) -> None:
        """Note entries that count no longer."""
        self.replaced = [*self.replaced, *dict.fromkeys(entry.start for entry in entries)]
        counts = Counter(self.sources)
        counts.subtract(Counter(entry.source for entry in entries))
        self.sources = {source: count for source, count in counts.items() if count > 0}
        self.entries -= len(entries)

    def keep_times(self, before: FileRecord, gone: Sequence[Entry]) -> bool:
        """Join the times of the entries before with those taken since.

        Args:
            before: The record as it was.
            gone: Entries of it that went.

        Returns:
            Whether they are right: not when the oldest or newest entry went and none of those
            taken since stands as far out.
        """
        times = {entry.ts for entry in gone if entry.ts is not None}
        oldest, newest = self.oldest, self.newest
        if before.oldest is not None:
            if before.oldest in times and (oldest is None or oldest > before.oldest):
                return False
            self.oldest = before.oldest if oldest is None else min(before.oldest, oldest)
        if before.newest is not None:
            if before.newest in times and (newest is None or newest < before.newest):
                return False
            self.newest = before.newest if newest is None else max(before.newest, newest)
        return True

    def take(self, end: int, ts: float | None) -> None:
        """Note one entry that was read: where it ends and its time."""
        self.entries += 1
        self.resume = max(self.resume, end)
        if ts is not None:
            self.oldest = ts if self.oldest is None else min(self.oldest, ts)
            self.newest = ts if self.newest is None else max(self.newest, ts)


_values = attrgetter(*(entry.name for entry in fields(FileRecord)))


@dataclass(frozen=True, slots=True)
class Totals:
    """What all files hold together.

    Attributes:
        entries: How many entries.
        sources: Entries by source, by name.
        oldest: Time of the oldest entry.
        newest: Time of the newest entry.
        problems: Files that could not be read, as sentences.
    """

    entries: int
    sources: dict[str, int]
    oldest: float | None
    newest: float | None
    problems: tuple[str, ...]


@dataclass
class Manifest:
    """Every file of one commit."""

    files: dict[FileKey, FileRecord] = field(default_factory=dict)
    next_epoch: int = 1

    @cached_property
    def totals(self) -> Totals:
        """What all files hold together; ask only when the files no longer change."""
        sources: Counter[str] = Counter()
        for record in self.files.values():
            sources.update(record.sources)
        records = self.files.values()
        return Totals(
            sum(record.entries for record in records),
            dict(sorted(sources.items())),
            min((r.oldest for r in records if r.oldest is not None), default=None),
            max((r.newest for r in records if r.newest is not None), default=None),
            tuple(record.problem for record in records if record.problem),
        )

    def save(self, folder: Path, generation: int) -> None:
        """Write it for a commit that is about to happen.

        Raises:
            StorageError: It cannot be written.
        """
        rows = [[*key, *_values(record)] for key, record in self.files.items()]
        data = json.dumps(
            {"next_epoch": self.next_epoch, "files": rows},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        write_atomic(_path(folder, generation), data.encode("utf-8", "surrogateescape"))

    @staticmethod
    def load(folder: Path, generation: int) -> Manifest:
        """Read the one that belongs to a commit.

        Raises:
            ValueError: It is not what was saved.
            OSError: It is missing or cannot be read.
        """
        data = json.loads(_path(folder, generation).read_bytes().decode("utf-8", "surrogateescape"))
        try:
            files = {(row[0], row[1]): FileRecord(*row[2:]) for row in data["files"]}
            return Manifest(files, data["next_epoch"])
        except (KeyError, TypeError, IndexError) as error:
            raise ValueError("the list of files is not one of ours") from error


def _path(folder: Path, generation: int) -> Path:
    return folder / f"files-{generation}.json"


def clean_manifests(folder: Path, generation: int) -> None:
    """Remove those of other commits."""
    for path in folder.glob("files-*.json"):
        match = _NAME.fullmatch(path.name)
        if match and int(match.group(1)) != generation:
            with contextlib.suppress(OSError):
                path.unlink()
