"""Runs the script samples of a guide, beside the other files it shows, with a time limit."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from generator.proofs.samples import Sample

TIME_LIMIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a script did.

    Attributes:
        code: Its exit code; None when it ran into the time limit.
        out: What it wrote to standard output.
        err: What it wrote to standard error.
        made: Files that were not there before, in name order.
    """

    code: int | None
    out: str
    err: str
    made: tuple[Path, ...]


def lay_out(samples: Iterable[Sample], folder: Path) -> dict[str, Path]:
    """Write the file samples of a guide into a folder.

    Returns:
        Where each stands, by the name the guide gives it.
    """
    written = {}
    for sample in samples:
        if sample.file:
            path = folder / Path(sample.file).name
            path.write_text(sample.code, encoding="utf-8")
            written[sample.file] = path
    return written


def run_script(script: Path, *, given: str = "", time_limit: float = TIME_LIMIT_SECONDS) -> Run:
    """Run a Python script in its own folder, with this interpreter and a bare environment.

    Args:
        script: The script.
        given: What it reads from standard input.
        time_limit: Seconds after which it is ended.
    """
    folder = script.parent
    before = set(folder.iterdir())
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-X", "utf8", script.name],
            cwd=folder,
            input=given.encode("utf-8", "surrogatepass"),
            capture_output=True,
            timeout=time_limit,
            check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": str(folder)},
        )
        code, out, err = done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as expired:
        code, out, err = None, expired.stdout or b"", expired.stderr or b""
    made = tuple(sorted(set(folder.iterdir()) - before))
    return Run(
        code=code, out=out.decode(errors="replace"), err=err.decode(errors="replace"), made=made
    )
