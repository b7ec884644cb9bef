"""Where reading a growing file stopped, so that the next reading takes only what was appended.

A live session is appended to all the time, and reading it from its start costs more with every
line. What a later line can still change is near the end: an unfinished call, the reply that goes
on, the branch of the thread. A checkpoint holds that, and of everything before only a mark for
each name. A line that speaks of something before the checkpoint raises :class:`DoubtError`, and
so does a file whose beginning is not what was read: it is then read from its start. Either way
the result is that of a whole reading.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, BinaryIO
from zlib import crc32

from generator.exceptions import DoubtError

BLOCK_BYTES = 1 << 20
"""Bytes that share a digest."""

BLOCKS_COMPARED = 12
"""Blocks that are compared before reading goes on: all of a small file; of a larger one the
first, the last and the others in turn, so that a change in the middle is found after some
appends. (A program that appends does not make one.)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """The bytes that were read, as digests.

    Attributes:
        length: How many bytes.
        blocks: Digest of each block; the last one may be short.
        turn: The block to compare next, of a file too large to compare whole.
    """

    length: int
    blocks: tuple[str, ...]
    turn: int = 1

    def compared(self) -> Iterable[int]:
        """Return the numbers of the blocks that are compared this time."""
        count = len(self.blocks)
        if count <= BLOCKS_COMPARED:
            return range(count)
        others = (1 + (self.turn - 1 + at) % (count - 2) for at in range(BLOCKS_COMPARED - 2))
        return (0, count - 1, *others)

    def fits(self, handle: BinaryIO) -> bool:
        """Tell whether a file still begins with these bytes, as far as they are compared."""
        if handle.seek(0, 2) < self.length:
            return False
        return all(
            _digest(handle, number, self.length) == self.blocks[number]
            for number in self.compared()
        )

    @staticmethod
    def of(handle: BinaryIO, length: int, known: Prefix | None) -> Prefix:
        """Take the digests of a file's first bytes.

        Args:
            handle: The file.
            length: How many bytes.
            known: An earlier state of the same file that fits.
        """
        whole = known.length // BLOCK_BYTES if known else 0
        kept = known.blocks[:whole] if known else ()
        count = -(-length // BLOCK_BYTES)
        added = (_digest(handle, number, length) for number in range(whole, count))
        turn = known.turn + BLOCKS_COMPARED - 2 if known else 1
        return Prefix(length=length, blocks=(*kept, *added), turn=turn % max(count, 1))


def _digest(handle: BinaryIO, number: int, length: int) -> str:
    start = number * BLOCK_BYTES
    handle.seek(start)
    data = handle.read(min(BLOCK_BYTES, length - start))
    return hashlib.blake2b(data, digest_size=12).hexdigest()


class Past:
    """Marks of the names that stand before a checkpoint: of what is out of sight.

    A mark is short, so that some new name in a hundred thousand passes for an old one. That costs
    a whole reading and nothing else.
    """

    def __init__(self, marks: bytes = b"") -> None:
        self._stored = array("I")
        self._stored.frombytes(marks)
        self._marks = frozenset(self._stored)

    def __bool__(self) -> bool:
        return bool(self._marks)

    def doubt(self, kind: str, name: str) -> None:
        """Refuse to go on when a name may stand before the checkpoint.

        Raises:
            DoubtError: It may.
        """
        if self._marks and _mark(kind, name) in self._marks:
            raise DoubtError(f"{kind} {name[:80]!r} may stand before the checkpoint.")

    def with_names(self, names: Iterable[tuple[str, str]]) -> bytes:
        """Return these marks and those of further names, for storing."""
        added = array("I", (_mark(kind, name) for kind, name in names))
        return self._stored.tobytes() + added.tobytes()


def _mark(kind: str, name: str) -> int:
    return crc32(f"{kind}:{name}".encode("utf-8", "replace"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where a reading stopped.

    Attributes:
        prefix: The bytes that were read, whole lines.
        lines: How many lines they are.
        state: What the importer must know to go on, as JSON types.
        past: Marks of what is out of sight, as :class:`Past` stores them.
    """

    prefix: Prefix
    lines: int
    state: dict[str, Any] = field(default_factory=dict)
    past: bytes = b""
