"""The store under the index: Whoosh, and nowhere else.

Whoosh sees blocks as documents with two fields: ``text``, whose postings a field type of our own
takes from the block as they are, and ``rows``, a column. Ranking, masks and phrases are ours
(``matching.py``), so any store that keeps a value for each token and block can take its place.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from whoosh import columns, fields, formats, index
from whoosh.codec.whoosh3 import W3Codec
from whoosh.filedb.filestore import FileStorage
from whoosh.reading import IndexReader, TermNotFound

from generator.search.blocks import Block, Rows

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
        """Yield (token, frequency, weight, value) of each token."""
        for token, posting in value.postings.items():
            yield token.encode(), 1, 1.0, posting


class RowsField(fields.FieldType):
    """Keeps the rows of a block in a column."""

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
        self.segments: list[range] = []
        self._bases: list[int] = []
        try:
            for leaf in self._leaves:
                self._bases.append(len(self.blocks))
                if leaf.doc_count_all():
                    column = leaf.column_reader("rows", translate=False)
                    self.blocks += [Rows(column[n]) for n in range(leaf.doc_count_all())]
                self.segments.append(range(self._bases[-1], len(self.blocks)))
        except Exception as error:  # stored bytes may be anything after a crash or a bad disk
            raise BrokenStoreError(str(error)) from error

    def values(self, token: str) -> list[tuple[int, bytes]]:
        """Return the posting values of a token as (number of the block, value), ascending."""
        found = []
        key = token.encode("utf-8", "replace")
        try:
            for leaf, base in zip(self._leaves, self._bases, strict=True):
                try:
                    matcher = leaf.postings("text", key)
                except TermNotFound:
                    continue
                while matcher.is_active():
                    found.append((base + matcher.id(), matcher.value()))
                    matcher.next()
        except Exception as error:  # as above
            raise BrokenStoreError(str(error)) from error
        return found

    def tokens(self) -> Iterator[str]:
        """Yield every token, by segment; one may come more than once."""
        for leaf in self._leaves:
            for key in leaf.lexicon("text"):
                yield key.decode()

    def close(self) -> None:
        """Let go of the files."""
        self._reader.close()


class Writer:
    """Adds blocks; nothing counts before :meth:`commit`."""

    def __init__(self, store: index.FileIndex) -> None:
        codec = W3Codec(compression=_COMPRESSION)
        self._writer = store.writer(timeout=5.0, limitmb=_LIMIT_MB, compound=False, codec=codec)
        self.generation: int = store.latest_generation() + 1

    def add(self, block: Block) -> None:
        """Write one block."""
        self._writer.add_document(text=block, rows=block.rows)

    def commit(self) -> None:
        """Make everything added count, at once."""
        self._writer.commit(merge=False)

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
        schema = fields.Schema(text=BlockField(), rows=RowsField())
        index.FileIndex.create(self._storage, schema, "MAIN")

    def _open(self) -> index.FileIndex:
        try:
            return index.FileIndex(self._storage, indexname="MAIN")
        except Exception as error:  # as above
            raise BrokenStoreError(str(error)) from error

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
        try:
            reader = store.reader()
        except Exception as error:  # as above
            raise BrokenStoreError(str(error)) from error
        return Snapshot(reader, reader.generation())

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
