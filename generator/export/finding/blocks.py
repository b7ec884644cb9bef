"""Blocks of places: what postings count within, so that an edit moves no number elsewhere.

The batches of a section, in their order, are cut into blocks where the digest of a batch's name
says so. A block's id comes from the name of its first batch, and a place is numbered within its
block: a batch that comes, goes or grows changes the postings of its own block alone, and the cut
depends on nothing but what the site holds, so that a clean build makes the same.

In a line of postings a block starts with a dot and its id. A posting is a place, written as the
distance from the one before it, doubled, plus one where the token weighs more. Digits are letters
of 5 bits each, the last of each number in capitals, so that most postings take one character.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.export.finding.cuts import starts_file
from generator.export.finding.records import batch_record
from generator.export.outputs import digest
from generator.export.site import Batch, Site

_PLACES = 64  # of a block, about
_ID_LETTERS = 4
BLOCK_MARK = "."
"""Stands before the id of a block in a line of postings."""
_LOW = "0123456789abcdefghijklmnopqrstuv"
_LAST = "ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&*"


@dataclass(frozen=True, slots=True)
class Plan:
    """A block before anything in it is looked at.

    Attributes:
        id: Four letters that no other block of the site has.
        section: Number of its section.
        batches: What it holds.
    """

    id: str
    section: int
    batches: tuple[Batch, ...]

    @property
    def key(self) -> str:
        """Digest of everything its postings and places depend on."""
        return digest([(batch.name, batch.key) for batch in self.batches])


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The places of some batches and where each token stands in them.

    Attributes:
        key: Digest of what it was made from.
        filled: Names of its batches that hold anything.
        places: Path, title, name of the batch, and number within it, of each place.
        postings: For each token its places in this block, written as above.
    """

    key: str
    filled: Sequence[str]
    places: Sequence[Sequence[Any]]
    postings: Mapping[str, str]


def encode_number(number: int) -> str:
    """Write a number: digits of 5 bits, the highest first, the last one in its own letters."""
    digits = _LAST[number & 31]
    number >>= 5
    while number:
        digits = _LOW[number & 31] + digits
        number >>= 5
    return digits


def plan_blocks(batches: Iterable[tuple[int, Batch]]) -> list[Plan]:
    """Cut batches into blocks.

    Args:
        batches: Number of the section and batch, in the order of the site.
    """
    held: list[tuple[int, list[Batch]]] = []
    for section, batch in batches:
        fresh = not held or held[-1][0] != section
        if fresh or starts_file(batch.name, batch.size, _PLACES):
            held.append((section, []))
        held[-1][1].append(batch)
    ids = _ids([batches[0].name for _, batches in held])
    return [Plan(ids[own[0].name], section, tuple(own)) for section, own in held]


def _ids(names: Iterable[str]) -> dict[str, str]:
    """Return an id for each name; of two that would get the same, the later name gets another."""
    ids: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(names):
        number = int(digest(name)[:8], 16)
        while (found := _letters(number)) in taken:
            number += 1
        taken.add(found)
        ids[name] = found
    return ids


def _letters(number: int) -> str:
    return "".join(_LOW[number >> 5 * at & 31] for at in range(_ID_LETTERS))


def load_block(site: Site, plan: Plan, key: str) -> Block:
    """Return a block, made once for each digest of what it holds."""
    held = site.memo.get("block", key)
    if held is None:
        held = _make(site, plan)
        site.memo.put("block", key, held)
    return Block(key=key, **held)


def _make(site: Site, plan: Plan) -> dict[str, Any]:
    postings: dict[str, list[str]] = {}
    last: dict[str, int] = {}
    places: list[list[Any]] = []
    filled = []
    for batch in plan.batches:
        record = batch_record(site, batch)
        if record["places"]:
            filled.append(batch.name)
        for at, ((path, title), (heavy, light)) in enumerate(
            zip(record["places"], record["tokens"], strict=True)
        ):
            number = len(places)
            for weight, tokens in ((1, heavy), (0, light)):
                for token in tokens.split():
                    coded = (number - last.get(token, -1)) * 2 + weight
                    last[token] = number
                    text = _LAST[coded] if coded < 32 else encode_number(coded)
                    if token in postings:
                        postings[token].append(text)
                    else:
                        postings[token] = [text]
            places.append([path, title, batch.name, at])
    return {
        "filled": filled,
        "places": places,
        "postings": {token: "".join(numbers) for token, numbers in postings.items()},
    }
