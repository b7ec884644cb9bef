"""The newest entries of an opened commit, with their places and without their texts."""

from __future__ import annotations

import heapq
from collections.abc import Iterator

from generator.search.answers import bare_hit
from generator.search.blocks import known_time
from generator.search.folder import Opened
from generator.search.results import Filters, Hit


def newest(opened: Opened, filters: Filters, limit: int) -> tuple[list[Hit], int]:
    """Return the newest entries that the filters pass.

    Args:
        opened: What is searched.
        filters: Which entries count.
        limit: How many to return.

    Returns:
        The entries, the newest first, with empty snippets; and how many pass in all.
    """
    masks = opened.masks.of(filters)

    def places() -> Iterator[tuple[float, int, int]]:
        for number, (rows, mask) in enumerate(zip(opened.snapshot.blocks, masks, strict=True)):
            times = rows.times
            entries = range(rows.count)
            kept = entries if mask is None else (entry for entry in entries if mask[entry])
            yield from ((known_time(times[entry]), number, entry) for entry in kept)

    leading = heapq.nlargest(limit, places())
    hits = [bare_hit(opened, block, entry) for _, block, entry in leading]
    return hits, opened.masks.passed(masks)
