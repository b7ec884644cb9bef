"""Which entries count: those of the current reading of each file, and those the filters pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from generator.search.blocks import Kind, Place, Rows
from generator.search.manifest import FileKey, FileRecord
from generator.search.results import Filters

Mask = bytes | None
"""One byte for each entry of a block, 1 where it passes; None where all pass."""

_KNOWN_VALUES = 20


class Masks:
    """Masks over the blocks of one snapshot, each built once."""

    def __init__(self, blocks: Sequence[Rows], files: Mapping[FileKey, FileRecord]) -> None:
        self._blocks = blocks
        self._alive = [_alive(rows, files) for rows in blocks]
        self._made: dict[Filters, list[Mask]] = {}

    @property
    def alive(self) -> list[Mask]:
        """Entries that are part of the current reading of their file."""
        return self._alive

    def of(self, filters: Filters) -> list[Mask]:
        """Return the masks of a filter, by block."""
        made = self._made.get(filters)
        if made is None:
            made = self._alive
            for _, build in _steps(filters):
                made = [_both(a, build(rows)) for a, rows in zip(made, self._blocks, strict=True)]
            if len(self._made) >= 32:
                self._made.clear()
            self._made[filters] = made
        return made

    def passed(self, masks: Sequence[Mask], blocks: Iterable[int] | None = None) -> int:
        """Count the entries that pass, of all blocks or of some."""
        chosen = range(len(masks)) if blocks is None else blocks
        total = 0
        for number in chosen:
            mask = masks[number]
            total += self._blocks[number].count if mask is None else mask.count(1)
        return total

    def emptied_by(self, filters: Filters) -> str | None:
        """Name the filter after which nothing is left; None when something is left."""
        masks = self._alive
        for name, build in _steps(filters):
            masks = [_both(a, build(rows)) for a, rows in zip(masks, self._blocks, strict=True)]
            if not self.passed(masks):
                return name
        return None

    def known(self, name: str) -> tuple[str, ...]:
        """Return the values that a filter could have taken, most frequent first."""
        take = _VALUES.get(name)
        if take is None:
            return ()
        counts: Counter[str] = Counter()
        for rows, mask in zip(self._blocks, self._alive, strict=True):
            of, table = (
                (rows.place_of, [take(place) for place in rows.places])
                if name in _OF_PLACE
                else (rows.kind_of, [take(kind) for kind in rows.kinds])
            )
            numbers = Counter(
                of if mask is None else [n for n, m in zip(of, mask, strict=True) if m]
            )
            for number, count in numbers.items():
                counts[table[number]] += count
        return tuple(value for value, _ in counts.most_common(_KNOWN_VALUES + 1) if value)[
            :_KNOWN_VALUES
        ]


_OF_PLACE = {"sessions", "agents", "projects"}
_VALUES: dict[str, Callable[..., str]] = {
    "sessions": lambda place: str(place.session),
    "agents": lambda place: str(place.agent),
    "projects": lambda place: str(place.project),
    "sources": lambda kind: str(kind.source),
    "roles": lambda kind: str(kind.role),
    "tools": lambda kind: str(kind.tool),
    "threads": lambda kind: str(kind.thread),
}


def _steps(filters: Filters) -> list[tuple[str, Callable[[Rows], Mask]]]:
    """Return the filters that are set, by name, as functions that build a block's mask."""
    steps: list[tuple[str, Callable[[Rows], Mask]]] = []
    for name, take in _VALUES.items():
        wanted = {value.casefold() for value in getattr(filters, name)}
        if wanted:
            steps.append((name, _one_of(name, take, wanted)))
    if filters.not_sessions:
        unwanted = {value.casefold() for value in filters.not_sessions}
        steps.append(
            (
                "not_sessions",
                lambda rows: _by_place(rows, lambda p: p.session.casefold() not in unwanted),
            )
        )
    if filters.after is not None:
        after = float(filters.after)
        steps.append(("after", lambda rows: bytes(map(after.__le__, rows.times))))
    if filters.before is not None:
        before = float(filters.before)
        steps.append(("before", lambda rows: bytes(map(before.__gt__, rows.times))))
    return steps


def _one_of(name: str, take: Callable[..., str], wanted: set[str]) -> Callable[[Rows], Mask]:
    if name in _OF_PLACE:
        return lambda rows: _by_place(rows, lambda place: take(place).casefold() in wanted)
    return lambda rows: _by_kind(rows, lambda kind: take(kind).casefold() in wanted)


def _alive(rows: Rows, files: Mapping[FileKey, FileRecord]) -> Mask:
    """Return which entries are of the current reading of their file and were not replaced."""
    records = [files.get((place.collection, place.path)) for place in rows.places]
    current = [
        record is not None and record.epoch == place.epoch
        for record, place in zip(records, rows.places, strict=True)
    ]
    mask = None if all(current) else bytes(map(current.__getitem__, rows.place_of))
    replaced = {
        (number, start)
        for number, record in enumerate(records)
        if record is not None and record.replaced
        for start in frozenset(record.replaced).intersection(rows.starts)
    }
    if not replaced:
        return mask
    kept = bytes(place not in replaced for place in zip(rows.place_of, rows.starts, strict=True))
    return _both(mask, None if all(kept) else kept)


def _by_place(rows: Rows, passes: Callable[[Place], bool]) -> Mask:
    table = [passes(place) for place in rows.places]
    return None if all(table) else bytes(map(table.__getitem__, rows.place_of))


def _by_kind(rows: Rows, passes: Callable[[Kind], bool]) -> Mask:
    table = [passes(kind) for kind in rows.kinds]
    return None if all(table) else bytes(map(table.__getitem__, rows.kind_of))


def _both(left: Mask, right: Mask) -> Mask:
    if left is None or right is None:
        return left if right is None else right
    size = len(left)
    both = int.from_bytes(left, "little") & int.from_bytes(right, "little")
    return both.to_bytes(size, "little")
