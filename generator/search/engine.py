"""The store under the index: Whoosh, and nowhere else.

Whoosh sees blocks as documents: a field type of our own takes the postings of a block as they
are, and two columns keep its rows and the words that were new with it. Ranking, masks and phrases
are ours (``matching.py``), so any store that keeps values by key and block can take its place.
"""

from __future__ import annotations

import contextlib
import os
import re
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
    """Flushes what a commit refers to before the commit counts; Whoosh never does."""

    def rename_file(self, oldname: str, newname: str, safe: bool = False) -> None:
        if newname.endswith(".toc"):
            for name in self.list():
                if name.endswith((".trm", ".pst", ".col")) or name == oldname:
                    _flush(Path(self.folder, name))
        super().rename_file(oldname, newname, safe)
        _flush(Path(self.folder))


def _flush(path: Path) -> None:
    with contextlib.suppress(OSError):
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


class Snapshot:
    """The store as one commit left it; later commits do not change it."""

    def __init__(self, reader: IndexReader, generation: int) -> None:
        self._reader = reader
        self._leaves = [leaf for leaf, _ in reader.leaf_readers()]
        self.generation = generation
        self.blocks: list[Rows] = []
        self._bases: list[int] = []
        with _reading():
            for leaf in self._leaves:
                self._bases.append(len(self.blocks))
                if leaf.doc_count_all():
                    column = leaf.column_reader("rows", translate=False)
                    self.blocks += [Rows(column[n]) for n in range(leaf.doc_count_all())]

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
            for leaf, base in zip(self._leaves, self._bases, strict=True):
                for token in tokens:
                    for number, value in _values(leaf, token_key(token)):
                        take(base + number, unpack_value(value))
                for key, held in buckets.items():
                    for number, value in _values(leaf, key):
                        for codes in unpack_bucket(value, held):
                            take(base + number, codes)
        return found

    def words(self) -> str:
        """Return every word of the store, one a line; a word may come more than once.

        Raises:
            BrokenStoreError: The files cannot be used.
        """
        lines: list[str] = []
        with _reading():
            for leaf in self._leaves:
                if leaf.doc_count_all():
                    column = leaf.column_reader("words", translate=False)
                    lines += [
                        zlib.decompress(column[number]).decode()
                        for number in range(leaf.doc_count_all())
                    ]
        return "\n".join(lines)

    def close(self) -> None:
        """Let go of the files."""
        self._reader.close()


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

    def __init__(self, store: index.FileIndex) -> None:
        codec = W3Codec(compression=_COMPRESSION)
        self._writer = store.writer(timeout=5.0, limitmb=_LIMIT_MB, compound=False, codec=codec)
        self.generation: int = store.latest_generation() + 1
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

    def cancel(self) -> None:
        """Drop everything added."""
        with contextlib.suppress(Exception):  # a full disk must not hide what went wrong first
            self._writer.cancel()


class Store:
    """One folder of stored blocks."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._storage = _Storage(str(folder))

    def create(self) -> None:
        """Make an empty store in the folder, which must exist."""
        schema = fields.Schema(text=BlockField(), rows=BytesField(), words=BytesField())
        index.FileIndex.create(self._storage, schema, "MAIN")

    def _open(self) -> index.FileIndex:
        with _reading():
            return index.FileIndex(self._storage, indexname="MAIN")

    def generation(self) -> int:
        """Return the number of the last commit, -1 when there is none."""
        found = (_COMMIT.fullmatch(name) for name in self._storage.list())
        return max((int(match.group(1)) for match in found if match), default=-1)

    def snapshot(self) -> Snapshot:
        """Open what the last commit left.

        Raises:
            BrokenStoreError: The files cannot be used.
        """
        store = self._open()
        with _reading():
            reader = store.reader()
        generation = reader.generation()
        return Snapshot(reader, self.generation() if generation is None else generation)

    def writer(self) -> Writer:
        """Start writing. The caller holds the index lock.

        Raises:
            BrokenStoreError: The files cannot be used.
        """
        store = self._open()
        with contextlib.suppress(OSError):
            info = index.TOC.read(self._storage, "MAIN")
            index.clean_files(self._storage, "MAIN", info.generation, info.segments)
        return Writer(store)
