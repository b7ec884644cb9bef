"""Packs entries into blocks, on both cores when there is much to do.

Cutting text into tokens is most of the work of indexing and needs nothing but the text, so it can
be done elsewhere. Worker processes are forked, and only from a process with one thread: other
ways to start them run the caller's main module again.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from generator.model.entry import Entry
from generator.search.blocks import BLOCK_CHARACTERS, BLOCK_ENTRIES, Block, BlockBuilder

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

WORTH_WORKERS = 4_000_000
"""Bytes to read from which worker processes pay for their start."""

_MOST_WORKERS = 4

Row = tuple[str, str, int, Entry]
"""Collection, path, epoch and entry."""


def worker_count(size: int) -> int:
    """Return how many worker processes to use for so many bytes; 0 for none."""
    if size < WORTH_WORKERS or sys.platform != "linux" or threading.active_count() > 1:
        return 0
    cores = len(os.sched_getaffinity(0))
    return min(cores, _MOST_WORKERS) if cores > 1 else 0


@contextmanager
def uncollected() -> Iterator[None]:
    """Do without the cyclic garbage collector, which would walk millions of numbers in vain."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Packer:
    """Packs entries and hands finished blocks on, in the order of their entries.

    Args:
        sink: Takes each block.
        workers: Worker processes; 0 packs in this process.
    """

    def __init__(self, sink: Callable[[Block], None], workers: int = 0) -> None:
        self._sink = sink
        self._rows: list[Row] = []
        self._characters = 0
        self._pool = _start(workers) if workers else None
        self._waiting: deque[Future[Block]] = deque()
        self._most_waiting = workers + 1

    def add(self, collection: str, path: str, epoch: int, entry: Entry) -> None:
        """Take one entry in."""
        self._rows.append((collection, path, epoch, entry))
        self._characters += len(entry.text)
        if len(self._rows) >= BLOCK_ENTRIES or self._characters >= BLOCK_CHARACTERS:
            self._pack()

    def flush(self) -> None:
        """Pack what is left and wait until every block was handed on."""
        self._pack()
        while self._waiting:
            self._sink(self._waiting.popleft().result())

    def close(self) -> None:
        """Stop the workers; what was not handed on is dropped."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _pack(self) -> None:
        if not self._rows:
            return
        rows, self._rows, self._characters = self._rows, [], 0
        if self._pool is None:
            self._sink(pack(rows))
            return
        self._waiting.append(self._pool.submit(pack, rows))
        while len(self._waiting) > self._most_waiting:
            self._sink(self._waiting.popleft().result())


def _start(workers: int) -> ProcessPoolExecutor:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    return ProcessPoolExecutor(workers, mp_context=get_context("fork"), initializer=gc.disable)


def pack(rows: list[Row]) -> Block:
    """Return the block of some entries."""
    builder = BlockBuilder()
    with uncollected():
        for collection, path, epoch, entry in rows:
            builder.add(collection, path, epoch, entry)
        return builder.finish()
