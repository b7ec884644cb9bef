"""Finds which files changed and writes what is new in them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from generator.exceptions import FieldguideError
from generator.model.entry import Collection, Entry, FileState
from generator.search.blocks import Block
from generator.search.engine import Store
from generator.search.manifest import FileKey, FileRecord, Manifest, clean_manifests
from generator.search.packing import Packer, uncollected, worker_count
from generator.search.results import Refreshed

COMMIT_BLOCKS = 24
"""Blocks after which a long job commits, so that a killed one need not begin anew."""

_MARK_BYTES = 1024


@dataclass(frozen=True, slots=True)
class Changes:
    """What a look at all files found.

    Attributes:
        seen: How many files hold entries now.
        read: Files that must be read, with their collection, in the order they were seen.
        gone: Files that are no longer there.
        problems: Files and collections that could not be read, as sentences.
    """

    seen: int
    read: tuple[tuple[Collection, FileState], ...]
    gone: tuple[FileKey, ...]
    problems: tuple[str, ...] = field(default=())

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to write."""
        return not self.read and not self.gone

    def report(self) -> Refreshed:
        """Return the report of a refresh that had nothing to do."""
        return Refreshed(files=self.seen, problems=self.problems)


def find_changes(collections: Iterable[Collection], manifest: Manifest) -> Changes:
    """Compare the files as they are with what the index knows.

    This runs before every query, over thousands of files: it makes as little as it can.
    """
    known = manifest.files
    read: list[tuple[Collection, FileState]] = []
    seen: set[FileKey] = set()
    problems: list[str] = []
    unlisted: set[str] = set()
    with uncollected():
        for collection in collections:
            name = collection.name
            try:
                for state in collection.files():
                    path, size, mtime_ns = state
                    key = (name, str(path))
                    seen.add(key)
                    record = known.get(key)
                    if record is None or record.size != size or record.mtime_ns != mtime_ns:
                        read.append((collection, state))
            except (OSError, FieldguideError) as error:
                # What could not be listed is not gone: its entries stay.
                problems.append(f"{name} could not be listed: {error}")
                unlisted.add(name)
    gone = tuple(key for key in known.keys() - seen if key[0] not in unlisted)
    return Changes(len(seen), tuple(read), gone, tuple(problems))


def write_changes(
    store: Store,
    manifest: Manifest,
    changes: Changes,
    progress: Callable[[int, int], None] | None,
) -> Refreshed:
    """Write what changed; all at once when it is little, in several commits when it is much.

    Args:
        store: The store that is added to.
        manifest: What it holds now.
        changes: What to read.
        progress: Called with the number of files done and of all files to read.

    Raises:
        BrokenStoreError: The store cannot be used.
        StorageError, OSError: It cannot be written; the last commit still counts.
    """
    job = _Job(store, Manifest(dict(manifest.files), manifest.next_epoch), changes)
    added = 0
    with uncollected():
        try:
            job.forget(changes.gone)
            for done, (collection, state) in enumerate(changes.read):
                if progress is not None:
                    progress(done, len(changes.read))
                added += job.read(collection, state)
            job.commit()
        except BaseException:
            job.cancel()
            raise
        finally:
            job.close()
    if progress is not None:
        progress(len(changes.read), len(changes.read))
    return Refreshed(
        files=len(job.manifest.files),
        added=added,
        changed=len(changes.read) - added,
        removed=len(changes.gone),
        entries=job.entries,
        problems=(*changes.problems, *job.problems),
    )


class _UnreadableError(Exception):
    """A file of a collection cannot be read; what goes wrong in writing is another matter."""


def _entries(collection: Collection, path: Path, start: int) -> Iterator[Entry]:
    try:
        yield from collection.entries(path, start)
    except (OSError, ValueError, FieldguideError) as error:
        raise _UnreadableError(str(error)) from error


def _unread(manifest: Manifest, changes: Changes) -> int:
    """Return how many bytes there are to read, of files that grew those that were added."""
    total = 0
    for collection, state in changes.read:
        old = manifest.files.get((collection.name, str(state.path)))
        known = old.resume if old is not None and old.resume <= state.size else 0
        total += state.size - known
    return total


class _Job:
    """Reads files into blocks and commits them."""

    def __init__(self, store: Store, manifest: Manifest, changes: Changes) -> None:
        self.manifest = manifest
        self.entries = 0
        self.problems: list[str] = []
        self._store = store
        self._writer = store.writer()
        self._blocks = 0
        self._packer = Packer(self._write, worker_count(_unread(manifest, changes)))

    def _write(self, block: Block) -> None:
        self._writer.add(block)
        self._blocks += 1

    def forget(self, keys: Iterable[FileKey]) -> None:
        """Take files out."""
        for key in keys:
            del self.manifest.files[key]

    def read(self, collection: Collection, state: FileState) -> bool:
        """Read one file, from where it had ended when it only grew; tell whether it is new."""
        if self._blocks >= COMMIT_BLOCKS:
            self.commit()
            self._writer = self._store.writer()
        key = (collection.name, str(state.path))
        old = self.manifest.files.get(key)
        gone = self._superseded(collection, state, old)
        record = None
        if old is not None and gone is not None:
            record = replace(
                old, size=state.size, mtime_ns=state.mtime_ns, oldest=None, newest=None
            )
            record.leave_out(gone)
            before = self.entries
            self._take(collection, state, record, old)
            if not record.keep_times(old, gone):
                record, self.entries = None, before
        if record is None:
            record = FileRecord(state.size, state.mtime_ns, self.manifest.next_epoch)
            self.manifest.next_epoch += 1
            self._take(collection, state, record, old)
        record.mark = _mark(state.path, record.resume)
        self.manifest.files[key] = record
        return old is None

    def _take(
        self, collection: Collection, state: FileState, record: FileRecord, old: FileRecord | None
    ) -> None:
        """Read a file from where its record ends."""
        sources: Counter[str] = Counter(record.sources)
        before = self.entries
        try:
            for entry in _entries(collection, state.path, record.resume):
                self._packer.add(collection.name, str(state.path), record.epoch, entry)
                self.entries += 1
                sources[entry.source] += 1
                record.take(entry.start + entry.length, entry.ts)
        except _UnreadableError as error:
            record.problem = f"{state.path} could not be read: {error}"
            self.problems.append(record.problem)
            if old is not None and self.entries == before:
                # Nothing new was read, so what was known before still counts.
                record.epoch, record.entries, sources = old.epoch, old.entries, Counter(old.sources)
                record.oldest, record.newest = old.oldest, old.newest
                record.replaced = old.replaced
        record.sources = dict(sources)

    def _superseded(
        self, collection: Collection, state: FileState, old: FileRecord | None
    ) -> Sequence[Entry] | None:
        """Return what no longer counts of a file that only grew; None when it is read anew."""
        if (
            old is None
            or old.problem is not None
            or not old.mark
            or state.size <= old.resume
            or _mark(state.path, old.resume) != old.mark
        ):
            return None
        try:
            gone = collection.superseded(state.path, old.resume, old.size)
        except (OSError, ValueError, FieldguideError):
            return None
        known = frozenset(old.replaced)
        return None if gone is None else [entry for entry in gone if entry.start not in known]

    def commit(self) -> None:
        """Make what was read so far count."""
        self._packer.flush()
        self.manifest.save(self._store.folder, self._writer.generation)
        self._writer.commit()
        clean_manifests(self._store.folder, self._writer.generation)
        self._blocks = 0

    def cancel(self) -> None:
        """Drop what was read since the last commit."""
        self._writer.cancel()
        clean_manifests(self._store.folder, self._store.generation())

    def close(self) -> None:
        """Stop the workers."""
        self._packer.close()


def _mark(path: Path, end: int) -> str:
    """Return a digest of the first and the last bytes before ``end``; empty when unreadable."""
    if end <= 0:
        return ""
    try:
        with path.open("rb") as handle:
            head = handle.read(min(_MARK_BYTES, end))
            handle.seek(max(0, end - _MARK_BYTES))
            tail = handle.read(min(_MARK_BYTES, end))
    except OSError:
        return ""
    return hashlib.blake2b(head + b"\0" + tail, digest_size=8).hexdigest()
