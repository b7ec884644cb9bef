"""Times a piece of work and prints it as a row of a table."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from pathlib import Path


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return wall and processor seconds of a piece of work, child processes included."""
    before = _processor()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start, _processor() - before


def _processor() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF)
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def row(name: str, times: tuple[float, float], note: str = "") -> None:
    """Print one row of the table."""
    print(f"{name:<44} {times[0]:>9.3f} s {times[1]:>9.3f} s  {note}", flush=True)


def size(folder: Path) -> str:
    """Return the size of a folder in MB."""
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return f"{total / 1e6:.0f} MB"
