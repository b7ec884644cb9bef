"""The store under the index: Whoosh, and nowhere else.

Whoosh sees blocks as documents: a field type of our own takes the postings of a block as they
are, and two columns keep its rows and the words that were new with it. Ranking, masks and phrases
are ours (``matching.py``), so any store that keeps values by key and block can take its place.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import zlib
from array import array
from collections import defaultdict
from collections.abc import Collection, Generator, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from whoosh import columns, fields, formats, index
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import StructFile
from whoosh.reading import IndexReader, SegmentReader, TermNotFound
from whoosh.writing import SegmentWriter

from generator.search.blocks import (
    Block,
    Rows,
    bucket_key,
    token_key,
    unpack_bucket,
    unpack_value,
)

# Whoosh writes one such file a commit; looking at names is how readers see that one was made.
_COMMIT = re.compile(r"_MAIN_(\d+)\.toc")
_LEFT_BEHIND = re.compile(r"_MAIN_\d+\.toc\..+|\.fieldguide-.+")
_KEPT_BYTES = 64_000_000
_KEY_BYTES = 200
_LIMIT_MB = 256
_COMPRESSION = 3


class BrokenStoreError(Exception):
    """The stored files cannot be used; they are a cache and can be built anew."""


class PlacesFormat(formats.Format):
    """Values that only this package reads (see ``blocks.py``)."""


class BlockField(fields.FieldType):
    """Takes the postings of a block as they are."""

    format = PlacesFormat()

    def __init__(self) -> None:
        """Take nothing: the class says it all."""

    def index(
        self, value: Block, **_: Any
    ) -> Generator[tuple[bytes, int, float, bytes], None, None]:
        """Yield (key, frequency, weight, value) of everything the block says."""
        for key, packed in value.values.items():
            yield key, 1, 1.0, packed


class BytesField(fields.FieldType):
    """Keeps bytes in a column, not indexed."""

    indexed = False
    format = PlacesFormat()
    column_type = columns.VarBytesColumn()

    def __init__(self) -> None:
        """Take nothing: the class says it all."""

    def to_column_value(self, value: bytes) -> bytes:
        """Return the bytes as they are."""
        return value


class _Storage(FileStorage):
    """Files of one reader or writer.

    It keeps hold of what is open: Whoosh leaves files open when something fails, and on Windows
    an open file cannot be removed. And it flushes what a commit refers to before the commit
    counts, which Whoosh never does.
    """

    def __init__(self, folder: str, opened: list[StructFile] | None = None) -> None:
        super().__init__(folder)
        self._open_files: list[StructFile] = [] if opened is None else opened

    def open_file(self, name: str, **options: Any) -> StructFile:
        """Open a file for reading."""
        return self._noted(super().open_file(name, **options))

    def create_file(self, name: str, *arguments: Any, **options: Any) -> StructFile:
        """Make a file."""
        return self._noted(super().create_file(name, *arguments, **options))

    def _noted(self, file: Any) -> StructFile:
        opened: StructFile = file
        self._open_files.append(opened)
        return opened

    def temp_storage(self, name: str | None = None) -> _Storage:
        """Return a storage in a folder below."""
        below = _Storage(str(Path(self.folder, name or "MAIN.tmp")), self._open_files)
        below.create()
        return below

    def rename_file(self, oldname: str, newname: str, safe: bool = False) -> None:
        """Rename a file; what belongs to a commit is on the disk before the commit counts."""
        if newname.endswith(".toc"):
            for name in self.list():
                if name.endswith((".trm", ".pst", ".col")) or name == oldname:
                    _flush(Path(self.folder, name))
        super().rename_file(oldname, newname, safe)
        _flush(Path(self.folder))

    def release(self) -> None:
        """Close what is still open."""
        for file in self._open_files:
            if not file.is_closed:
                with contextlib.suppress(OSError, ValueError):
                    file.file.close()
        self._open_files.clear()


def _flush(path: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Snapshot:
    """The store as one commit left it; later commits do not change it."""

    def __init__(self, storage: _Storage) -> None:
        self._storage = storage
        with _reading():
            opened = index.FileIndex(storage, indexname="MAIN")
            reader = opened.reader()
            generation = reader.generation()
            # A store without a block has a reader that does not know.
            generation = opened.latest_generation() if generation is None else generation
        self._leaves = [leaf for leaf, _ in reader.leaf_readers()]
        self.generation = generation
        self.blocks: list[Rows] = []
        self._bases: list[int] = []
        self._kept: dict[bytes, list[tuple[int, bytes]]] = {}
        self._kept_bytes = 0
        self._words: list[tuple[columns.ColumnReader, int]] = []
        with _reading():
            for leaf in self._leaves:
                self._bases.append(len(self.blocks))
                if leaf.doc_count_all():
                    column = leaf.column_reader("rows", translate=False)
                    self.blocks += [Rows(column[n]) for n in range(leaf.doc_count_all())]
                    # Opened now: a later commit may remove the file while this one is in use.
                    words = leaf.column_reader("words", translate=False)
                    self._words.append((words, leaf.doc_count_all()))

    @property
    def segments(self) -> list[range]:
        """Numbers of the blocks of each segment, in the order they were written."""
        return [range(start, end) for start, end in pairwise([*self._bases, len(self.blocks)])]

    def codes(self, tokens: Sequence[str]) -> dict[int, array[int]]:
        """Return where any of some tokens stands, by the number of the block.

        Raises:
            BrokenStoreError: The files cannot be used.
        """
        buckets: defaultdict[bytes, list[str]] = defaultdict(list)
        for token in tokens:
            buckets[bucket_key(token)].append(token)
        found: dict[int, array[int]] = {}

        def take(block: int, codes: array[int]) -> None:
            if block in found:
                found[block] += codes
            else:
                found[block] = codes

        with _reading():
            for token in tokens:
                for block, value in self._values(token_key(token)):
                    take(block, unpack_value(value))
            for key, held in buckets.items():
                for block, value in self._values(key):
                    for codes in unpack_bucket(value, held):
                        take(block, codes)
        return found

    def _values(self, key: bytes) -> list[tuple[int, bytes]]:
        """Return (number of the block, value) of one key; what was used last is kept."""
        values = self._kept.pop(key, None)
        if values is None:
            values = [
                (base + number, value)
                for leaf, base in zip(self._leaves, self._bases, strict=True)
                for number, value in _values(leaf, key)
            ]
            self._kept_bytes += _KEY_BYTES + sum(len(value) for _, value in values)
            while self._kept_bytes > _KEPT_BYTES and self._kept:
                dropped = self._kept.pop(next(iter(self._kept)))
                self._kept_bytes -= _KEY_BYTES + sum(len(value) for _, value in dropped)
        self._kept[key] = values
        return values

    def words(self) -> str:
        """Return every word of the store, one a line; a word may come more than once.

        Raises:
            BrokenStoreError: The files cannot be used.
        """
        with _reading():
            return "\n".join(
                zlib.decompress(column[number]).decode()
                for column, count in self._words
                for number in range(count)
            )

    def close(self) -> None:
        """Let go of the files."""
        self._storage.release()


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Take whatever stored bytes cause, after a crash or on a bad disk, for what it means."""
    try:
        yield
    except Exception as error:
        raise BrokenStoreError(str(error)) from error


def _values(leaf: IndexReader, key: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (number of the block in its segment, value) of one key."""
    try:
        matcher = leaf.postings("text", key)
    except TermNotFound:
        return
    while matcher.is_active():
        yield matcher.id(), matcher.value()
        matcher.next()


class Writer:
    """Adds blocks; nothing counts before :meth:`commit`."""

    def __init__(self, storage: _Storage) -> None:
        self._storage = storage
        with _reading():
            opened = index.FileIndex(storage, indexname="MAIN")
            _clean(storage)
            self.generation: int = opened.latest_generation() + 1
        codec = W3Codec(compression=_COMPRESSION)
        self._writer = opened.writer(timeout=5.0, limitmb=_LIMIT_MB, compound=False, codec=codec)
        self._words: set[str] = set()

    def add(self, block: Block) -> None:
        """Write one block."""
        words = "\n".join(sorted(block.words - self._words)).encode()
        self._words |= block.words
        self._writer.add_document(text=block, rows=block.rows, words=zlib.compress(words, 3))

    def commit(self, *, drop: Collection[int] = (), merge: Collection[int] = ()) -> None:
        """Make everything added count, at once.

        Args:
            drop: Numbers of segments to leave out from now on.
            merge: Numbers of segments to join into the new one as they are.
        """

        def policy(writer: SegmentWriter, segments: list[Any]) -> list[Any]:
            for number in sorted(merge):
                reader = SegmentReader(writer.storage, writer.schema, segments[number])
                writer.add_reader(reader)
                reader.close()
            left_out = {*drop, *merge}
            return [segment for n, segment in enumerate(segments) if n not in left_out]

        self._writer.commit(mergetype=policy)
        self._storage.release()

    def cancel(self) -> None:
        """Drop everything added, and what it took on the disk."""
        # What went wrong first, such as a full disk, must not be hidden by what it leads to here.
        with contextlib.suppress(Exception):
            self._writer.cancel()
        self._storage.release()
        with contextlib.suppress(Exception):
            _clean(self._storage)


def _clean(storage: _Storage) -> None:
    """Remove what a writer left behind that did not come to its end."""
    info = index.TOC.read(storage, "MAIN")
    index.clean_files(storage, "MAIN", info.generation, info.segments)
    folder = Path(storage.folder)
    for name in storage.list():
        if _LEFT_BEHIND.fullmatch(name):
            with contextlib.suppress(OSError):
                (folder / name).unlink()
    shutil.rmtree(folder / "MAIN.tmp", ignore_errors=True)


class Store:
    """One folder of stored blocks.

    Args:
        folder: The folder; it need not exist before :meth:`create`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self) -> None:
        """Make an empty store.

        Raises:
            OSError: The folder cannot be made or written.
        """
        self.folder.mkdir()
        schema = fields.Schema(text=BlockField(), rows=BytesField(), words=BytesField())
        with self._storage() as storage:
            index.FileIndex.create(storage, schema, "MAIN")
            storage.release()

    def generation(self) -> int:
        """Return the number of the last commit, -1 when there is none."""
        try:
            with os.scandir(self.folder) as items:
                found = [_COMMIT.fullmatch(item.name) for item in items]
            return max((int(match.group(1)) for match in found if match), default=-1)
        except OSError:
            return -1

    def snapshot(self) -> Snapshot:
        """Open what the last commit left.

        Raises:
            BrokenStoreError: The files cannot be used.
        """
        with self._storage() as storage:
            return Snapshot(storage)

    def writer(self) -> Writer:
        """Start writing. The caller holds the index lock.

        Raises:
            BrokenStoreError: The files cannot be used.
        """
        with self._storage() as storage:
            return Writer(storage)

    @contextlib.contextmanager
    def _storage(self) -> Iterator[_Storage]:
        """Give a storage to whoever will release it; release it here when that fails."""
        storage = _Storage(str(self.folder))
        try:
            yield storage
        except BaseException:
            storage.release()
            raise
