"""Keeps the number of segments small: every refresh that finds something new adds one.

Small blocks are packed anew from the texts of their entries, which also drops entries that no
longer count. Blocks that are full stay as they are; their segments are joined.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.exceptions import FieldguideError
from generator.model.entry import Collection, Entry
from generator.search.blocks import BLOCK_ENTRIES
from generator.search.engine import BrokenStoreError
from generator.search.folder import IndexFolder, Opened
from generator.search.manifest import FileKey, clean_manifests
from generator.search.packing import Packer
from generator.storage import file_lock

MOST_SMALL = 16
"""Small segments that are let gather; queries slow down with their number."""

MOST_LARGE = 24
"""Segments of full blocks that are let gather."""

_DEAD = 0.5
"""Part of a segment's entries that no longer count, from which it is packed anew."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do, by the numbers of segments.

    Attributes:
        repack: Segments whose entries are packed anew.
        merge: Segments that are joined as they are.
    """

    repack: tuple[int, ...] = ()
    merge: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.repack or self.merge)


def plan_compaction(opened: Opened) -> Plan:
    """Decide what should be done now; mostly nothing."""
    small: list[int] = []
    large: list[int] = []
    dead: list[int] = []
    for number, blocks in enumerate(opened.snapshot.segments):
        rows = [opened.snapshot.blocks[block] for block in blocks]
        alive = opened.masks.passed(opened.masks.alive, blocks)
        entries = sum(block.count for block in rows)
        if alive < (1 - _DEAD) * entries:
            dead.append(number)
        (small if entries < BLOCK_ENTRIES // 2 else large).append(number)
    if len(small) < MOST_SMALL:
        small = []
    repack = tuple(sorted({*small, *dead}))
    merge = tuple(number for number in large if number not in repack)
    return Plan(repack, merge if len(merge) >= MOST_LARGE else ())


def tidy(root: Path, collections: Mapping[str, Collection], *, wait: float) -> bool:
    """Do what should be done in the folder of an index.

    Args:
        root: The folder.
        collections: Who reads the texts, by name.
        wait: Seconds to wait while another process writes.

    Returns:
        Whether something was done. What fails is put off: the last commit still answers.
    """
    folder = IndexFolder(root)
    try:
        opened = folder.current()
        if opened is None or not plan_compaction(opened):
            return False
        with file_lock(folder.lock, timeout=wait):
            opened = folder.current()
            plan = Plan() if opened is None else plan_compaction(opened)
            if opened is None or not plan:
                return False
            _compact(opened, collections, plan)
            return True
    except (FieldguideError, BrokenStoreError, OSError, KeyError):
        return False
    finally:
        folder.close()


def _compact(opened: Opened, collections: Mapping[str, Collection], plan: Plan) -> None:
    store, manifest = opened.store, opened.manifest
    writer = store.writer()
    packer = Packer(writer.add)
    try:
        for number in plan.repack:
            for block in opened.snapshot.segments[number]:
                _repack(opened, block, collections, packer)
        packer.flush()
        _drop_replaced(opened, plan)
        manifest.save(store.folder, writer.generation)
        writer.commit(drop=plan.repack, merge=plan.merge)
    except BaseException:
        writer.cancel()
        clean_manifests(store.folder, store.generation())
        raise
    clean_manifests(store.folder, writer.generation)


def _drop_replaced(opened: Opened, plan: Plan) -> None:
    """Forget the replaced records whose entries are gone now: all but those of other segments."""
    manifest = opened.manifest
    left: dict[FileKey, set[int]] = {}
    for number, blocks in enumerate(opened.snapshot.segments):
        if number in plan.repack:
            continue
        for rows in (opened.snapshot.blocks[block] for block in blocks):
            for at, start in zip(rows.place_of, rows.starts, strict=True):
                place = rows.places[at]
                key = (place.collection, place.path)
                record = manifest.files.get(key)
                if record is not None and record.replaced:
                    left.setdefault(key, set()).add(start)
    for key, record in manifest.files.items():
        if record.replaced:
            kept = [start for start in record.replaced if start in left.get(key, ())]
            manifest.files[key] = replace(record, replaced=kept)


def _repack(
    opened: Opened, block: int, collections: Mapping[str, Collection], packer: Packer
) -> None:
    rows = opened.snapshot.blocks[block]
    alive: Sequence[int] | None = opened.masks.alive[block]
    for entry in range(rows.count):
        if alive is not None and not alive[entry]:
            continue
        place = rows.places[rows.place_of[entry]]
        kind = rows.kinds[rows.kind_of[entry]]
        tail, part = rows.name(entry)
        start, length, time = rows.starts[entry], rows.sizes[entry], rows.times[entry]
        collection = collections[place.collection]
        packer.add(
            place.collection,
            place.path,
            place.epoch,
            Entry(
                ref=place.ref + tail,
                source=kind.source,
                text=collection.text(Path(place.path), start, length, part),
                start=start,
                length=length,
                part=part,
                session=place.session,
                agent=place.agent,
                project=place.project,
                role=kind.role,
                tool=kind.tool,
                thread=kind.thread,
                ts=None if math.isnan(time) else time,
            ),
        )
