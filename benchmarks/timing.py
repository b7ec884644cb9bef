"""Times a piece of work and prints it as a row of a table."""

from __future__ import annotations

import contextlib
import resource
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """What a command took: seconds, and the most bytes held at one moment."""

    wall: float
    processor: float
    peak: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(
            self.wall + other.wall,
            self.processor + other.processor,
            max(self.peak, other.peak),
        )


def command(*arguments: str | Path, environment: Mapping[str, str] | None = None) -> Cost:
    """Run a command and return what it and its helpers took; needs ``/proc``.

    Raises:
        RuntimeError: It failed; the end of what it said is in the message.
    """
    before, start = _processor(), time.perf_counter()
    with subprocess.Popen(
        [str(argument) for argument in arguments],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as running:
        peak = 0
        said: list[bytes] = []
        assert running.stderr is not None
        reader = threading.Thread(target=lambda: said.append(running.stderr.read()))
        reader.start()
        while running.poll() is None:
            peak = max(peak, sum(map(_resident, _family(running.pid))))
            time.sleep(0.1)
        wall = time.perf_counter() - start
        reader.join()
    if running.returncode:
        raise RuntimeError(f"{arguments[0]} failed: {b''.join(said)[-800:].decode()}")
    return Cost(wall, _processor() - before, peak)


def _family(pid: int) -> Iterator[int]:
    """Yield a process and everything it started."""
    yield pid
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                yield from _family(int(child))


def _resident(pid: int) -> int:
    """Return the memory of a process; pages that several share count for each in part."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return 0


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
