"""Times the export of history beside other programs on the same Claude Code files, in one run.

    python benchmarks/site_history.py [--sessions 1000] [--messages 100] [--without-rivals]

The others (claude-code-log, claude-code-transcripts) are taken from a virtual environment of
their own, made on first use. Each row is a whole command: wall time, processor time with all
helper processes, and the most memory that the command and its helpers held at one moment.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import Cost, command, size

TOOLS = Path(__file__).resolve().parents[1] / ".tools" / "session-pages"
RIVALS = ("claude-code-log", "claude-code-transcripts")
WORDS = (
    "the build fails when a test reads the clock so we pass it in and keep the old name as an "
    "alias then `make check` passes **again** see src/units.py for knots_to_ms parseXmlFile"
).split()


def main() -> None:
    """Make the sessions, time every program, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=100)
    parser.add_argument("--without-rivals", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fieldguide-bench-") as scratch:
        work = Path(scratch)
        write_sessions(work / "projects", given.sessions, given.messages)
        print(
            f"{given.sessions:,} sessions, {given.sessions * given.messages:,} messages, "
            f"{size(work / 'projects')}, {os.cpu_count()} cores"
        )
        print(f"{'':<44} {'wall':>9} {'processor':>11} {'peak':>9}")
        ours = measure_fieldguide(work, given.messages)
        if not given.without_rivals:
            install()
            measure_rivals(work, ours)


def measure_fieldguide(work: Path, messages: int) -> Cost:
    """Time our own import and export; returns the cost of both from nothing."""
    home = work / "home"
    home.mkdir()
    program = (sys.executable, "-m", "generator", "--home", home)
    build = (*program, "build", "--with", "history", "--out", work / "site")
    taken = command(*program, "history", "add", work / "projects")
    row("fieldguide, import", taken)
    alone = command(*program, "build", "--out", work / "handbook")
    row("fieldguide, handbook without history", alone, size(work / "handbook"))
    built = command(*build)
    row("fieldguide, export with history", built, size(work / "site"))
    both = taken + built
    row("fieldguide, import and export", both)
    row("fieldguide, nothing changed", command(*build))
    write_session(work / "projects" / "p0" / "new.jsonl", messages, 10**6)
    row("fieldguide, one new session", command(*build))
    search = list((work / "site" / "search").rglob("*.js"))
    largest = max(path.stat().st_size for path in (work / "site" / "history").rglob("*.html"))
    print(
        f"  search {sum(path.stat().st_size for path in search) / 1e6:,.1f} MB in {len(search)} "
        f"files; largest page {largest / 1e3:,.0f} KB"
    )
    return both


def measure_rivals(work: Path, ours: Cost) -> None:
    """Time the other programs, cold and again after one new session."""
    surroundings = os.environ | {"HOME": str(work / "elsewhere")}
    (work / "elsewhere").mkdir()
    projects = work / "projects"
    # Its memory of earlier runs lies in the projects folder, so the first run is cold.
    log = (
        TOOLS / "bin" / "claude-code-log",
        *("--all-projects", "--projects-dir", projects, "--output", work / "log"),
    )
    transcripts = (
        TOOLS / "bin" / "claude-code-transcripts",
        *("all", "--source", projects, "--output", work / "transcripts", "--quiet"),
    )
    for name, call in zip(RIVALS, (log, transcripts), strict=True):
        cold = command(*call, environment=surroundings)
        out = work / name.rpartition("-")[2]
        note = f"{size(out)}, {cold.processor / ours.processor:.1f} times our processor time"
        row(name, cold, f"{note}, {cold.wall / ours.wall:.1f} times our wall time")
        write_session(projects / "p1" / f"new-{out.name}.jsonl", 100, 10**6 + len(out.name))
        row(f"{name}, one new session", command(*call, environment=surroundings))
        largest = max(path.stat().st_size for path in out.rglob("*.html"))
        print(f"  largest page {largest / 1e3:,.0f} KB")


def row(name: str, cost: Cost, note: str = "") -> None:
    """Print one row of the table."""
    print(
        f"{name:<44} {cost.wall:>7.1f} s {cost.processor:>9.1f} s {cost.peak / 1e6:>6,.0f} MB  "
        f"{note}",
        flush=True,
    )


def write_sessions(folder: Path, sessions: int, messages: int) -> None:
    """Write sessions as Claude Code does, ten projects."""
    for number in range(sessions):
        write_session(folder / f"p{number % 10}" / f"{number:08}.jsonl", messages, number)


def write_session(path: Path, messages: int, seed: int) -> None:
    """Write one session: every fifth message a request, a call with its result in between."""
    random.seed(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    session = f"00000000-0000-4000-8000-{seed:012}"
    lines = []
    parent = None
    for at in range(messages):
        uid = f"{seed:08}-0000-4000-8000-{at:012}"
        stamp = (
            f"2026-{1 + seed % 12:02}-{1 + seed % 28:02}T{at // 60 % 24:02}:{at % 60:02}:00.000Z"
        )
        base = {
            "parentUuid": parent, "isSidechain": False, "userType": "external",
            "cwd": f"/home/dev/p{seed % 10}", "sessionId": session, "version": "2.0.1",
            "uuid": uid, "timestamp": stamp,
        }  # fmt: skip
        said = " ".join(random.choices(WORDS, k=60))
        if at % 5 == 0:
            lines.append({**base, "type": "user", "message": {"role": "user", "content": said}})
        else:
            call = f"toolu_{seed}_{at}"
            content = [
                {"type": "text", "text": said},
                {"type": "tool_use", "id": call, "name": "Bash",
                 "input": {"command": f"grep -rn knots_{seed}_{at} src"}},
            ]  # fmt: skip
            message = {
                "id": f"msg_{seed}_{at}", "type": "message", "role": "assistant",
                "model": "claude-sonnet-4-5", "content": content, "stop_reason": "tool_use",
                "usage": {"input_tokens": 5, "output_tokens": 80, "cache_read_input_tokens": 900,
                          "cache_creation_input_tokens": 30},
            }  # fmt: skip
            lines.append({**base, "type": "assistant", "requestId": f"req_{seed}_{at}",
                          "message": message})  # fmt: skip
            result = [{"type": "tool_result", "tool_use_id": call,
                       "content": "\n".join(" ".join(random.choices(WORDS, k=10)) for _ in range(8))}]  # fmt: skip
            lines.append({**base, "uuid": uid[:-1] + "f", "parentUuid": uid, "type": "user",
                          "message": {"role": "user", "content": result}})  # fmt: skip
            uid = uid[:-1] + "f"
        parent = uid
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def install() -> None:
    """Make the virtual environment of the other programs, on first use."""
    if all((TOOLS / "bin" / name).exists() for name in RIVALS):
        return
    subprocess.run([sys.executable, "-m", "venv", str(TOOLS)], check=True)
    subprocess.run([str(TOOLS / "bin" / "pip"), "install", "--quiet", *RIVALS], check=True)


if __name__ == "__main__":
    main()
