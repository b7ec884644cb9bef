"""Times the export of 1,000 guides beside other site generators on the same pages, in one run.

    python benchmarks/site.py [--guides 1000] [--with PATH_TO_VENV]

The other generators (mkdocs, zensical) are taken from a virtual environment of their own, made
on first use. Each row is wall time and processor time; every site is built from the same text.
Where other work keeps the machine busy, compare the columns of processor time.

In one run on two cores that other work kept busy, a cold build took mkdocs 1.2 and zensical 2.4
times our processor time.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import row, size, timed

from generator.export.build import Builder
from generator.paths import Home
from generator.workspace import Workspace
from guides import write_guides

REPOSITORY = Path(__file__).resolve().parents[1]
TOOLS = REPOSITORY / ".tools" / "site-generators"


def run(*arguments: str | Path, cwd: Path | None = None, home: Path | None = None) -> None:
    """Run a command quietly."""
    environment = os.environ | ({"FIELDGUIDE_HOME": str(home)} if home else {})
    subprocess.run(
        [str(argument) for argument in arguments],
        check=True,
        cwd=cwd,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def measure_fieldguide(work: Path, guides: list[Path]) -> tuple[float, float]:
    """Time our own export; returns wall and processor seconds of the cold one."""
    home = guides[0].parents[1]
    command = (sys.executable, "-m", "generator", "build", "--out", work / "site")
    cold = timed(lambda: run(*command, home=home))
    row("fieldguide, cold, whole command", cold, size(work / "site"))
    row("fieldguide, nothing changed, whole command", timed(lambda: run(*command, home=home)))
    edit(guides[500 % len(guides)], 0)
    row("fieldguide, one edit, whole command", timed(lambda: run(*command, home=home)))

    builder = Builder(Workspace(home=Home(home)), work / "warm", private=True)
    builder.build()
    row("fieldguide, nothing changed, warm serve", timed(builder.build))
    edits = []
    for number in range(11):
        edit(guides[(number * 97) % len(guides)], number)
        edits.append(timed(builder.build))
    edits.sort()
    note = f"median of {len(edits)}, worst {edits[-1][0] * 1000:.0f} ms"
    row("fieldguide, one edit, warm serve", edits[len(edits) // 2], note)

    Builder(Workspace(home=Home(home)), work / "clean", private=True).build()
    same = contents(work / "warm") == contents(work / "clean")
    print(f"warm site byte-identical to a clean build: {'yes' if same else 'NO'}")
    print(f"search data, compressed: {compressed(work / 'clean' / 'search'):,} bytes")
    return cold


def compressed(folder: Path) -> int:
    """Return the size of what a search loads before the texts of its hits, as a server sends it."""
    files = [folder / "index.js", *folder.glob("terms/*.js"), *folder.glob("places/*.js")]
    return sum(len(gzip.compress(path.read_bytes())) for path in files)


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def edit(path: Path, number: int) -> None:
    """Change one line of a guide."""
    path.write_text(path.read_text(encoding="utf-8") + f"\nEdit {number}.\n", encoding="utf-8")


def measure_other(
    name: str, binary: Path, work: Path, guides: list[Path], ours: tuple[float, float]
) -> None:
    """Time another generator on the same pages."""
    project = work / name
    docs = project / "docs"
    shutil.copytree(guides[0].parent, docs)
    (docs / "index.md").write_text("# Guides\n", encoding="utf-8")
    (project / "mkdocs.yml").write_text("site_name: Guides\nuse_directory_urls: false\n")
    build = (binary, "build", "--clean") if name == "zensical" else (binary, "build", "-q")
    cold = timed(lambda: run(*build, cwd=project))
    times = f"{cold[0] / ours[0]:.1f} times ours, {cold[1] / ours[1]:.1f} in processor time"
    row(f"{name}, cold", cold, f"{size(project / 'site')}, {times}")
    edit(docs / guides[0].name, 1)
    again = (binary, "build") if name == "zensical" else (binary, "build", "-q", "--dirty")
    row(f"{name}, one edit", timed(lambda: run(*again, cwd=project)))


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guides", type=int, default=1000)
    parser.add_argument("--with", dest="venv", type=Path, default=TOOLS)
    options = parser.parse_args()
    if not (options.venv / "bin").is_dir():
        run(sys.executable, "-m", "venv", options.venv)
        run(options.venv / "bin" / "pip", "install", "-q", "mkdocs", "zensical")
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        guides = write_guides(work / "home" / "guides", options.guides)
        average = statistics.mean(path.stat().st_size for path in guides)
        print(f"{len(guides):,} guides of {average:,.0f} bytes on {os.cpu_count()} cores")
        print(f"{'':<44} {'wall':>11} {'processor':>11}")
        ours = measure_fieldguide(work, guides)
        for name in ("mkdocs", "zensical"):
            binary = options.venv / "bin" / name
            if binary.exists():
                measure_other(name, binary, work, guides, ours)


if __name__ == "__main__":
    main()
