"""Many entries packed into one block: what they say, and where they stand.

The index keeps a block where other indexes keep a document. A posting is then one token in one
block, and its value lists the entries that hold the token with the places it stands at. That
makes a few dozen long postings of a common word instead of a hundred thousand short ones, in
writing and in reading.

A posting's value is an unsigned 16-bit head, ``entries | wide flag``, and numbers of 16 bits (32
when the flag is set): the entry numbers, how often each holds the token (left out when each
does once), and all places in the order of the entries.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from generator.model.entry import Entry
from generator.search.analysis import tokenize

BLOCK_ENTRIES = 4096
BLOCK_CHARACTERS = 8_000_000
"""A block is closed at this many entries or characters, so that building one takes some
100 MB at most."""

LONGEST_TEXT = 4_000_000
"""Characters of one entry that are indexed; more is data that nobody searches by word."""

BYTE_ORDER = sys.byteorder
_WIDE = 0x8000
_MAX_SHORT = 0xFFFF


class Place(NamedTuple):
    """What all entries of one file and session share.

    ``epoch`` tells entries that still count from those of an earlier reading of the file.
    """

    collection: str
    path: str
    epoch: int
    session: str
    agent: str
    project: str
    ref: str


class Kind(NamedTuple):
    """What many entries share whatever file they stand in."""

    source: str
    role: str
    tool: str
    thread: str


class Posting(NamedTuple):
    """One token in one block."""

    entries: Sequence[int]
    counts: Sequence[int] | None
    places: Sequence[int]


def encode_posting(entries: list[int], counts: list[int], places: list[int]) -> bytes:
    """Pack one token's entries; all three lists are in the order of the entries."""
    count = len(entries)
    numbers = entries + places if count == len(places) else entries + counts + places
    try:
        return array("H", [count, *numbers]).tobytes()
    except OverflowError:
        return array("H", [count | _WIDE]).tobytes() + array("I", numbers).tobytes()


def decode_posting(value: bytes) -> Posting:
    """Unpack what :func:`encode_posting` packed.

    Raises:
        ValueError: The bytes are no such value.
    """
    head = int.from_bytes(value[:2], BYTE_ORDER)
    numbers = array("I" if head & _WIDE else "H")
    numbers.frombytes(value[2:])
    count = head & ~_WIDE
    if len(numbers) == 2 * count:
        return Posting(numbers[:count], None, numbers[count:])
    if len(numbers) <= 2 * count:
        raise ValueError("a posting is too short")
    return Posting(numbers[:count], numbers[count : 2 * count], numbers[2 * count :])


def length_code(tokens: int) -> int:
    """Return a length in tokens as one byte on a logarithmic scale."""
    return min(255, round(8 * math.log2(1 + tokens)))


LENGTHS = tuple(2 ** (code / 8) - 1 for code in range(256))
"""Tokens that each length code stands for."""


def known_time(time: float) -> float:
    """Return a row's time, the distant past where it is unknown."""
    return -math.inf if math.isnan(time) else time


@dataclass(frozen=True, slots=True)
class Block:
    """A finished block: its rows, and each token's posting."""

    entries: int
    rows: bytes
    postings: dict[str, bytes]


class BlockBuilder:
    """Collects entries until the block is full."""

    def __init__(self) -> None:
        self._tokens: dict[str, tuple[list[int], list[int], list[int]]] = {}
        self._places: dict[Place, int] = {}
        self._kinds: dict[Kind, int] = {}
        self._place_of = array("H")
        self._kind_of = array("H")
        self._times = array("d")
        self._lengths = bytearray()
        self._starts = array("Q")
        self._sizes = array("Q")
        self._names: list[str] = []
        self._characters = 0

    def __len__(self) -> int:
        return len(self._lengths)

    @property
    def full(self) -> bool:
        """Whether the block should be finished."""
        return len(self) >= BLOCK_ENTRIES or self._characters >= BLOCK_CHARACTERS

    def add(self, collection: str, path: str, epoch: int, entry: Entry) -> None:
        """Take one entry in."""
        number = len(self)
        text = entry.text[:LONGEST_TEXT]
        self._characters += len(text)
        tokens = self._tokens
        total = 0
        for token, places in tokenize(text).items():
            count = len(places)
            total += count
            known = tokens.get(token)
            if known is None:
                tokens[token] = ([number], [count], places)
            else:
                known[0].append(number)
                known[1].append(count)
                known[2].extend(places)
        head, mark, tail = entry.ref.partition("#")
        place = Place(
            collection, path, epoch, entry.session, entry.agent, entry.project, head + mark
        )
        kind = Kind(entry.source, entry.role, entry.tool, entry.thread)
        self._place_of.append(self._places.setdefault(place, len(self._places)))
        self._kind_of.append(self._kinds.setdefault(kind, len(self._kinds)))
        self._times.append(math.nan if entry.ts is None else entry.ts)
        self._lengths.append(length_code(total))
        self._starts.append(entry.start)
        self._sizes.append(entry.length)
        self._names.append(f"{tail}\t{entry.part}")

    def finish(self) -> Block:
        """Pack what was collected."""
        head = json.dumps(
            [len(self), list(self._places), list(self._kinds), self._names],
            ensure_ascii=False,
            separators=(",", ":"),
        ).encode("utf-8", "surrogatepass")
        rows = b"".join(
            [
                len(head).to_bytes(4, BYTE_ORDER),
                self._place_of.tobytes(),
                self._kind_of.tobytes(),
                self._times.tobytes(),
                bytes(self._lengths),
                self._starts.tobytes(),
                self._sizes.tobytes(),
                head,
            ]
        )
        postings = {token: encode_posting(*lists) for token, lists in self._tokens.items()}
        return Block(len(self), rows, postings)


class Rows:
    """The rows of a stored block; each column is unpacked when first asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        head_length = int.from_bytes(data[:4], BYTE_ORDER)
        head = json.loads(data[len(data) - head_length :].decode("utf-8", "surrogatepass"))
        self.count: int = head[0]
        self.places = [Place(*row) for row in head[1]]
        self.kinds = [Kind(*row) for row in head[2]]
        self._names: list[str] = head[3]
        if len(data) != 4 + self.count * (2 + 2 + 8 + 1 + 8 + 8) + head_length:
            raise ValueError("the rows of a block are cut")

    def _column(self, typecode: str, offset: int) -> array[int]:
        column = array(typecode)
        at = 4 + self.count * offset
        column.frombytes(self._data[at : at + self.count * column.itemsize])
        return column

    @cached_property
    def place_of(self) -> array[int]:
        """Number of each entry's place."""
        return self._column("H", 0)

    @cached_property
    def kind_of(self) -> array[int]:
        """Number of each entry's kind."""
        return self._column("H", 2)

    @cached_property
    def times(self) -> array[float]:
        """Each entry's time; not a number where it is unknown."""
        column = array("d")
        at = 4 + self.count * 4
        column.frombytes(self._data[at : at + self.count * 8])
        return column

    @cached_property
    def lengths(self) -> bytes:
        """Each entry's length code."""
        at = 4 + self.count * 12
        return self._data[at : at + self.count]

    @cached_property
    def starts(self) -> array[int]:
        """Byte offset of each entry's record in its file."""
        return self._column("Q", 13)

    @cached_property
    def sizes(self) -> array[int]:
        """Bytes of each entry's record in its file."""
        return self._column("Q", 21)

    def name(self, number: int) -> tuple[str, str]:
        """Return what follows the place's ref, and the part, of one entry."""
        tail, _, part = self._names[number].partition("\t")
        return tail, part
