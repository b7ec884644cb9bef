"""Times `fieldguide check` on 1,000 guides, rule by rule, beside rumdl on the same files, in one run.

    python benchmarks/check.py [--guides 1000] [--profile]

rumdl checks Markdown style and not what the rules here check; it stands beside them as the fast tool
that people run on the same folder. Each row is wall time and processor time, children included.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from timing import row, size, timed

from generator.catalog.loader import Catalogs
from generator.checks.options import Options
from generator.checks.rules import CHECKS
from generator.checks.runner import Outcome, run_checks
from generator.paths import Home
from generator.tools.find_tools import load_all
from generator.workspace import Workspace
from guides import write_guides


def check(workspace: Workspace, folder: Path, catalogs: Catalogs, *rules: str) -> Outcome:
    """Check a folder with some rules, or with all."""
    return run_checks(workspace, [folder], Options(select=rules), catalogs=catalogs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--guides", type=int, default=1000)
    parser.add_argument("--profile", action="store_true", help="Say where the time goes.")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        folder = root / "guides"
        write_guides(folder, asked.guides)
        workspace = Workspace(home=Home(root / "home"), cwd=root, environ={})
        catalogs = load_all(workspace)
        print(f"{asked.guides:,} guides, {size(folder)}")
        outcome: list[Outcome] = []
        times = timed(lambda: outcome.append(check(workspace, folder, catalogs)))
        row("all rules, in this process", times, f"{len(outcome[0].findings):,} findings")
        command = [sys.executable, "-m", "generator", "--home", str(root / "home"), "check"]
        row(
            "fieldguide check, the whole command",
            timed(
                lambda: subprocess.run(
                    [*command, "--format", "json", str(folder)], check=False, capture_output=True
                )
            ),
        )
        rumdl = shutil.which("rumdl") or str(Path(sys.executable).parent / "rumdl")
        row(
            "rumdl check --no-cache (style only)",
            timed(
                lambda: subprocess.run(
                    [rumdl, "check", "--no-cache", "--silent", str(folder)],
                    check=False,
                    capture_output=True,
                )
            ),
        )
        print("\none rule alone (reading and parsing included):")
        for rule in CHECKS:
            if not rule.needs_site:
                times = timed(lambda rule=rule: check(workspace, folder, catalogs, rule.id))  # type: ignore[misc]
                row(rule.id, times)
        if asked.profile:
            profile = cProfile.Profile()
            start = time.perf_counter()
            profile.runcall(check, workspace, folder, catalogs)
            print(f"\nunder the profiler ({time.perf_counter() - start:.1f} s):")
            pstats.Stats(profile).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    main()
