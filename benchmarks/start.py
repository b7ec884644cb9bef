"""Cold starts beside Python alone, click alone and pydantic alone, in one run.

    python benchmarks/start.py [--rounds 7]

Every command runs in a new process with an empty home. Given is the median of CPU seconds (which
a busy machine changes less) and of wall seconds. Byte code must be allowed to be kept: with
PYTHONDONTWRITEBYTECODE set every start compiles all it loads, so it is taken out here.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

MODEL = "from pydantic import BaseModel\nclass A(BaseModel):\n    x: int\nA(x=1)"
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("-c", "pass"),
    ("-c", "import click"),
    ("-c", "import pydantic"),
    ("-c", MODEL),
    ("-m", "generator", "--help"),
    ("-m", "generator", "memory", "--help"),
    ("-m", "generator", "guide", "tool_error"),
    ("-m", "generator", "call", "find_tools", '{"query": "search"}'),
    ("-m", "generator", "call", "error_history", '{"keyword": "timeout"}'),
    ("-m", "generator", "call", "conversation_list"),
    ("-m", "generator", "call", "status"),
    ("-m", "generator", "memory", "search", "tea"),
)


def measure(command: tuple[str, ...], environ: dict[str, str]) -> tuple[float, float]:
    """Run a command once; return its CPU and wall seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run([sys.executable, *command], env=environ, capture_output=True, check=True)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, wall


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "FIELDGUIDE_HOME": home}
        environ.pop("PYTHONDONTWRITEBYTECODE", None)
        print(f"{'CPU s':>7} {'wall s':>7}  command")
        for command in COMMANDS:
            measure(command, environ)
            seen = [measure(command, environ) for _ in range(rounds)]
            cpu, wall = (statistics.median(column) for column in zip(*seen, strict=True))
            name = " ".join(command).replace("\n", "; ")
            print(f"{cpu:7.3f} {wall:7.3f}  python {name}")


if __name__ == "__main__":
    main()
