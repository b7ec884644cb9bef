"""Finds which files changed and writes what is new in them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from generator.exceptions import FieldguideError
from generator.model.entry import Collection, FileState
from generator.search.blocks import BlockBuilder
from generator.search.engine import Store, Writer
from generator.search.manifest import FileKey, FileRecord, Manifest, clean_manifests
from generator.search.results import Refreshed

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
    """Compare the files as they are with what the index knows."""
    known = manifest.files
    read: list[tuple[Collection, FileState]] = []
    seen: set[FileKey] = set()
    problems: list[str] = []
    unseen_ok: set[str] = set()
    for collection in collections:
        name = collection.name
        try:
            for state in collection.files():
                key = (name, str(state.path))
                record = known.get(key)
                seen.add(key)
                if record is None or record.size != state.size or record.mtime_ns != state.mtime_ns:
                    read.append((collection, state))
        except (OSError, FieldguideError) as error:
            # What could not be listed is not gone: its entries stay.
            problems.append(f"{name} could not be listed: {error}")
            unseen_ok.add(name)
    gone = tuple(key for key in known if key not in seen and key[0] not in unseen_ok)
    return Changes(len(seen), tuple(read), gone, tuple(problems))


def write_changes(
    store: Store,
    manifest: Manifest,
    changes: Changes,
    progress: Callable[[int, int], None] | None,
) -> Refreshed:
    """Write what changed in one commit.

    Args:
        store: The store that is added to.
        manifest: What it holds; changed in place, and saved with the commit.
        changes: What to read.
        progress: Called with the number of files done and of all files to read.

    Raises:
        BrokenStoreError: The store cannot be used.
        OSError: It cannot be written; the last commit still counts.
    """
    manifest = Manifest(dict(manifest.files), manifest.next_epoch)
    writer = store.writer()
    job = _Job(writer, manifest)
    added = changed = 0
    try:
        for key in changes.gone:
            del manifest.files[key]
        for done, (collection, state) in enumerate(changes.read):
            if progress is not None:
                progress(done, len(changes.read))
            if job.read(collection, state):
                added += 1
            else:
                changed += 1
        job.flush()
        manifest.save(store.folder, writer.generation)
        writer.commit()
    except BaseException:
        writer.cancel()
        clean_manifests(store.folder, store.generation())
        raise
    clean_manifests(store.folder, writer.generation)
    if progress is not None:
        progress(len(changes.read), len(changes.read))
    return Refreshed(
        files=len(manifest.files),
        added=added,
        changed=changed,
        removed=len(changes.gone),
        entries=job.entries,
        problems=(*changes.problems, *job.problems),
    )


class _Job:
    """Reads files into blocks."""

    def __init__(self, writer: Writer, manifest: Manifest) -> None:
        self._writer = writer
        self._manifest = manifest
        self._builder = BlockBuilder()
        self.entries = 0
        self.problems: list[str] = []

    def read(self, collection: Collection, state: FileState) -> bool:
        """Read one file, from where it had ended when it only grew; tell whether it is new."""
        key = (collection.name, str(state.path))
        old = self._manifest.files.get(key)
        record = self._resumed(collection, state, old)
        sources: Counter[str] = Counter(record.sources)
        try:
            for entry in collection.entries(state.path, record.resume):
                self._builder.add(*key, record.epoch, entry)
                self.entries += 1
                record.entries += 1
                record.resume = max(record.resume, entry.start + entry.length)
                sources[entry.source] += 1
                if entry.ts is not None:
                    if record.oldest is None or entry.ts < record.oldest:
                        record.oldest = entry.ts
                    if record.newest is None or entry.ts > record.newest:
                        record.newest = entry.ts
                if self._builder.full:
                    self.flush()
            record.mark = _mark(state.path, record.resume)
        except (OSError, FieldguideError) as error:
            record.problem = f"{state.path} could not be read: {error}"
            self.problems.append(record.problem)
            if old is not None and not record.entries:
                record.epoch, record.entries, sources = old.epoch, old.entries, Counter(old.sources)
                record.oldest, record.newest = old.oldest, old.newest
        record.sources = dict(sources)
        self._manifest.files[key] = record
        return old is None

    def _resumed(
        self, collection: Collection, state: FileState, old: FileRecord | None
    ) -> FileRecord:
        """Return the record to go on with: the old one when the file only grew, else a new one."""
        if (
            old is not None
            and old.problem is None
            and old.resume > 0
            and state.size > old.resume
            and old.mark
            and _mark(state.path, old.resume) == old.mark
            and collection.appended(state.path, old.resume)
        ):
            return FileRecord(
                state.size,
                state.mtime_ns,
                old.epoch,
                old.resume,
                entries=old.entries,
                oldest=old.oldest,
                newest=old.newest,
                sources=old.sources,
            )
        epoch = self._manifest.next_epoch
        self._manifest.next_epoch += 1
        return FileRecord(state.size, state.mtime_ns, epoch)

    def flush(self) -> None:
        """Write the block that is being built."""
        if len(self._builder):
            self._writer.add(self._builder.finish())
            self._builder = BlockBuilder()


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
