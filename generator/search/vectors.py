"""Vectors in one file beside the index: appended to, read through the page cache, rebuilt if broken.

The file is a row of records of one size. The first names the form, the model and its version;
each of the others holds which text it is of, and a vector in bytes:

======== ===== =====================================================================
key      u64   the text's place: its ref, its record's offset and length
text     u64   the text itself, so that what only moved is not embedded again
scale    f32   length of the vector as bytes, to make it one again
check    u32   sum over the record, so that a torn or altered one is left out
vector   i8*n  the vector, its largest number set to 127
======== ===== =====================================================================

A cut record at the end, which a killed writer leaves, is overwritten by the next one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.exceptions import StorageError
from generator.storage import write_atomic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from generator.search.embedding import Model, Vectors

FORM = 1
"""Version of the file: change it with the record."""

# Rows that are multiplied at once: as floats they then fit the processor's cache.
_STEP = 2048


def digest(*parts: object) -> int:
    """Return 64 bits that stand for some values."""
    text = "\0".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")


class VectorFile:
    """The vectors of one model.

    Args:
        path: The file.
        model: The model; a file of another one counts as missing.
    """

    def __init__(self, path: Path, model: Model) -> None:
        self.path = path
        self._model = model
        self._record = np.dtype(
            [
                ("key", "<u8"),
                ("text", "<u8"),
                ("scale", "<f4"),
                ("check", "<u4"),
                ("vector", "i1", (model.dimensions,)),
            ]
        )
        self._rows: NDArray[Any] = np.empty(0, dtype=self._record)
        self._size = 0
        self._state: tuple[int, int, int] | None = None
        self._of_key: dict[int, list[int]] = {}
        self._of_text: dict[int, int] = {}

    def load(self) -> bool:
        """Map what the file holds; nothing when it is missing, of another model or broken.

        Returns:
            Whether it had changed since it was mapped last.
        """
        try:
            found = self.path.stat()
        except OSError:
            changed = self._state is not None
            self._clear()
            return changed
        state = (found.st_ino, found.st_size, found.st_mtime_ns)
        if state == self._state:
            return False
        self._clear()
        with contextlib.suppress(OSError, ValueError):
            with self.path.open("rb") as handle:
                ours = handle.read(self._record.itemsize) == self._head()
            if ours:
                self._map(0)
        self._state = state
        return True

    def _clear(self) -> None:
        self._rows = np.empty(0, dtype=self._record)
        self._size, self._state = 0, None
        self._of_key, self._of_text = {}, {}

    def _map(self, known: int) -> None:
        """Map the file; rows after the first ``known`` are judged and taken in."""
        found, size = self.path.stat(), self._record.itemsize
        count = found.st_size // size - 1
        self._size = (count + 1) * size
        self._state = (found.st_ino, found.st_size, found.st_mtime_ns)
        if count <= 0:
            return
        self._rows = np.memmap(self.path, dtype=self._record, mode="r", offset=size, shape=(count,))
        fresh = self._rows[known:]
        keys, texts = fresh["key"].tolist(), fresh["text"].tolist()
        for row in np.flatnonzero(fresh["check"] == _checks(fresh)).tolist():
            self._of_key.setdefault(keys[row], []).append(known + row)
            self._of_text[texts[row]] = known + row

    def __len__(self) -> int:
        return len(self._rows)

    def rows_of(self, key: int) -> list[int]:
        """Return the rows of a text by its place; empty when it has none."""
        return self._of_key.get(key, [])

    def row_of_text(self, text: int) -> int | None:
        """Return a row that holds the vector of a text, wherever it stands."""
        return self._of_text.get(text)

    def make(self, keys: Iterable[int], texts: Iterable[int], vectors: Vectors) -> NDArray[Any]:
        """Make records of vectors that were just computed."""
        largest = np.maximum(np.abs(vectors).max(axis=1, keepdims=True), 1e-12)
        records = np.zeros(len(vectors), dtype=self._record)
        records["vector"] = np.rint(vectors / largest * 127).astype(np.int8)
        records["key"], records["text"] = list(keys), list(texts)
        as_floats = records["vector"].astype(np.float32)
        records["scale"] = np.sqrt(np.einsum("ij,ij->i", as_floats, as_floats))
        records["check"] = _checks(records)
        return records

    def copy(self, row: int, key: int) -> NDArray[Any]:
        """Make a record of a vector the file holds already, for another place."""
        record = np.array(self._rows[row : row + 1])
        record["key"] = key
        record["check"] = _checks(record)
        return record

    def append(self, records: NDArray[Any]) -> None:
        """Add records at the end; the caller holds the lock.

        Raises:
            StorageError: The file cannot be written.
        """
        if not self._size:
            write_atomic(self.path, self._head() + records.tobytes())
        else:
            try:
                with self.path.open("r+b") as handle:
                    handle.seek(self._size)
                    handle.write(records.tobytes())
                    handle.truncate()
                    handle.flush()
                    os.fsync(handle.fileno())
            except OSError as error:
                raise StorageError(
                    f"{self.path} could not be written: {error.strerror}."
                ) from error
        self._map(len(self._rows))

    def keep(self, rows: list[int]) -> None:
        """Write the file anew with some of its rows; the caller holds the lock.

        Raises:
            StorageError: The file cannot be written; what was there before is untouched.
        """
        write_atomic(self.path, self._head() + np.asarray(self._rows[rows]).tobytes())
        self.load()

    def mean(self, rows: NDArray[np.intp]) -> Vectors:
        """Return the mean of some vectors, each of length one."""
        total = np.zeros(self._model.dimensions, dtype=np.float32)
        for part, floats in self._floats(rows):
            total += floats.T @ (1 / np.maximum(self._rows["scale"][part], np.float32(1e-12)))
        return np.asarray(total / max(1, len(rows)), dtype=np.float32)

    def products(self, rows: NDArray[np.intp], vector: Vectors) -> Vectors:
        """Return the scalar product of each vector, of length one, with another."""
        found = [
            floats @ vector / np.maximum(self._rows["scale"][part], np.float32(1e-12))
            for part, floats in self._floats(rows)
        ]
        return np.concatenate(found) if found else np.empty(0, dtype=np.float32)

    def _floats(self, rows: NDArray[np.intp]) -> Iterator[tuple[NDArray[np.intp], Vectors]]:
        held = self._rows["vector"]
        for start in range(0, len(rows), _STEP):
            part = rows[start : start + _STEP]
            yield part, held[part].astype(np.float32)

    def _head(self) -> bytes:
        size = self._record.itemsize
        told = f"fieldguide vectors {FORM} {self._model.name} {self._model.dimensions}\n"
        return told.encode()[:size].ljust(size, b"\0")


def _checks(rows: NDArray[Any]) -> NDArray[np.uint32]:
    """Return a sum over each record; a place decides how much its byte counts."""
    vector = rows["vector"]
    weights = np.arange(1, vector.shape[1] + 1, dtype=np.int32) % 251 + 1
    total = np.empty(len(rows), dtype=np.uint32)
    for start in range(0, len(rows), _STEP):
        part = slice(start, start + _STEP)
        sums = (vector[part].astype(np.int32) @ weights).astype(np.uint32)
        key, text = rows["key"][part], rows["text"][part]
        mixed = key ^ (text >> np.uint64(1)) ^ (key >> np.uint64(32))
        total[part] = sums ^ (mixed & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    return total
