"""Many entries packed into one block: what they say, and where they stand.

The index keeps a block where other indexes keep a document. A posting is then one token in one
block, and its value lists every time the token stands in any of the block's entries, as 32-bit
numbers ``entry << 16 | place``. That makes a few dozen long postings of a common word instead of
a hundred thousand short ones, in writing and in reading.

Most tokens are rare. Those whose values are short share buckets, a bucket being the tokens of a
block whose hashes agree: its value is the size of the names, the names, the ends of their values
and the values.
"""

from __future__ import annotations

import json
import math
import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple
from zlib import crc32

from generator.model.entry import Entry
from generator.search.analysis import LAST_PLACE, collect, is_word

BLOCK_ENTRIES = 4096
BLOCK_CHARACTERS = 8_000_000
"""A block is closed at this many entries or characters, so that building one takes some
100 MB at most."""

LONGEST_TEXT = 4_000_000
"""Characters of one entry that are indexed; more is data that nobody searches by word."""

BYTE_ORDER = sys.byteorder
_ROW_BYTES = 2 + 2 + 8 + 1 + 8 + 8
_SHORT = 256
"""Bytes of a value up to which a token shares a bucket."""

BUCKETS = 2048
_PREFIX = 4


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


def token_key(token: str) -> bytes:
    """Return what the values of a token with a long posting are stored under."""
    return b"=" + token.encode("utf-8", "replace")


def bucket_key(token: str) -> bytes:
    """Return what the bucket that a token with a short posting shares is stored under."""
    return b"#%03x" % _bucket(token.encode("utf-8", "replace"))


def _bucket(name: bytes) -> int:
    """Return the bucket of a token: plain words that begin alike, as inflections do, share one."""
    return crc32(name[:_PREFIX] if name.isalpha() else name) % BUCKETS


def pack_postings(postings: Mapping[str, list[int]]) -> dict[bytes, bytes]:
    """Return the values of a block by what they are stored under."""
    packed: dict[bytes, bytes] = {}
    buckets: dict[int, tuple[list[bytes], list[bytes]]] = defaultdict(lambda: ([], []))
    for token, codes in postings.items():
        name, value = token.encode(), array("I", codes).tobytes()
        if len(value) > _SHORT:
            packed[b"=" + name] = value
        else:
            names, values = buckets[_bucket(name)]
            names.append(name)
            values.append(value)
    for number, (names, values) in buckets.items():
        head = b"\n".join(names)
        ends = array("I", accumulate(map(len, values))).tobytes()
        packed[b"#%03x" % number] = b"".join(
            [len(head).to_bytes(4, BYTE_ORDER), head, ends, *values]
        )
    return packed


def unpack_value(value: bytes) -> array[int]:
    """Return the numbers of a long posting.

    Raises:
        ValueError: The bytes are no such value.
    """
    codes = array("I")
    codes.frombytes(value)
    return codes


def unpack_bucket(value: bytes, tokens: Iterable[str]) -> list[array[int]]:
    """Return the numbers of those of some tokens that a bucket holds.

    Raises:
        ValueError: The bytes are no bucket.
    """
    names_end = 4 + int.from_bytes(value[:4], BYTE_ORDER)
    names = value[4:names_end].split(b"\n")
    ends = array("I")
    ends.frombytes(value[names_end : names_end + 4 * len(names)])
    values_start = names_end + 4 * len(names)
    if len(ends) != len(names) or values_start + ends[-1] != len(value):
        raise ValueError("a bucket is cut")
    found = []
    for token in tokens:
        name = token.encode("utf-8", "replace")
        if name in names:
            number = names.index(name)
            start = values_start + (ends[number - 1] if number else 0)
            found.append(unpack_value(value[start : values_start + ends[number]]))
    return found


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
    """A finished block: what its entries are, what they say, and the words they use."""

    entries: int
    rows: bytes
    values: dict[bytes, bytes]
    words: frozenset[str]


class BlockBuilder:
    """Collects entries until the block is full."""

    def __init__(self) -> None:
        self._postings: defaultdict[str, list[int]] = defaultdict(list)
        self._places: dict[Place, int] = {}
        self._kinds: dict[Kind, int] = {}
        self._place_of = array("H")
        self._kind_of = array("H")
        self._times = array("d")
        self._lengths = bytearray()
        self._starts = array("Q")
        self._sizes = array("Q")
        self._names: list[str] = []
        self._tokens = 0

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, collection: str, path: str, epoch: int, entry: Entry) -> None:
        """Take one entry in."""
        text = entry.text[:LONGEST_TEXT]
        tokens = collect(text, self._postings, len(self) << 16)
        self._tokens += tokens
        head, mark, tail = entry.ref.partition("#")
        place = Place(
            collection, path, epoch, entry.session, entry.agent, entry.project, head + mark
        )
        kind = Kind(entry.source, entry.role, entry.tool, entry.thread)
        self._place_of.append(self._places.setdefault(place, len(self._places)))
        self._kind_of.append(self._kinds.setdefault(kind, len(self._kinds)))
        self._times.append(math.nan if entry.ts is None else entry.ts)
        self._lengths.append(length_code(tokens))
        self._starts.append(entry.start)
        self._sizes.append(entry.length)
        self._names.append(f"{tail}\t{entry.part}".replace("\n", " "))

    def finish(self) -> Block:
        """Pack what was collected."""
        shared = [len(self), self._tokens, list(self._places), list(self._kinds)]
        head = json.dumps(shared, ensure_ascii=False, separators=(",", ":"))
        names = "\n".join(self._names)
        parts = [
            self._place_of.tobytes(),
            self._kind_of.tobytes(),
            self._times.tobytes(),
            bytes(self._lengths),
            self._starts.tobytes(),
            self._sizes.tobytes(),
            names.encode("utf-8", "surrogatepass"),
            head.encode("utf-8", "surrogatepass"),
        ]
        rows = len(parts[-1]).to_bytes(4, BYTE_ORDER) + b"".join(parts)
        words = frozenset(filter(is_word, self._postings))
        return Block(len(self), rows, pack_postings(self._postings), words)


class Rows:
    """The rows of a stored block; each column is unpacked when first asked for.

    Raises:
        ValueError: The bytes are no rows.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._head = len(data) - int.from_bytes(data[:4], BYTE_ORDER)
        shared = json.loads(data[self._head :].decode("utf-8", "surrogatepass"))
        self.count: int = shared[0]
        self.tokens: int = shared[1]
        self.places = [Place(*row) for row in shared[2]]
        self.kinds = [Kind(*row) for row in shared[3]]
        if self._head < 4 + self.count * _ROW_BYTES:
            raise ValueError("the rows of a block are cut")

    def _column(self, typecode: str, offset: int) -> array[Any]:
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
        return self._column("d", 4)

    @cached_property
    def lengths(self) -> bytes:
        """Each entry's length code."""
        at = 4 + self.count * 12
        return self._data[at : at + self.count]

    @cached_property
    def giants(self) -> tuple[int, ...]:
        """Entries so long that the places of their last words are not told apart."""
        least = length_code(LAST_PLACE)
        if max(self.lengths, default=0) < least:
            return ()
        return tuple(entry for entry, code in enumerate(self.lengths) if code >= least)

    @cached_property
    def starts(self) -> array[int]:
        """Byte offset of each entry's record in its file."""
        return self._column("Q", 13)

    @cached_property
    def sizes(self) -> array[int]:
        """Bytes of each entry's record in its file."""
        return self._column("Q", 21)

    @cached_property
    def _names(self) -> list[str]:
        names = self._data[4 + self.count * _ROW_BYTES : self._head]
        return names.decode("utf-8", "surrogatepass").split("\n")

    def name(self, number: int) -> tuple[str, str]:
        """Return what follows the place's ref, and the part, of one entry."""
        tail, _, part = self._names[number].partition("\t")
        return tail, part
