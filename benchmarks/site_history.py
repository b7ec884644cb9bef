"""Times the export of history beside claude-code-log on the same Claude Code files, in one run.

    python benchmarks/site_history.py [--sessions 1000] [--messages 100] [--without-rival]

The rival is taken from a virtual environment of its own, made on first use. Rows are wall time
and processor time, helper processes included; importing is told apart from exporting.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from generator.export.build import Builder
from generator.history.intake import register, take_in
from generator.paths import Home
from generator.workspace import Workspace

RIVAL = Path(__file__).resolve().parents[1] / ".tools" / "claude-code-log"
WORDS = (
    "the build fails when a test reads the clock so we pass it in and keep the old name as an "
    "alias then `make check` passes **again** see src/units.py for knots_to_ms parseXmlFile"
).split()


def main() -> None:
    """Make the sessions, time both, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--messages", type=int, default=100)
    parser.add_argument("--without-rival", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="fieldguide-bench-") as scratch:
        work = Path(scratch)
        size = write_sessions(work / "projects", given.sessions, given.messages)
        print(
            f"{given.sessions:,} sessions, {given.sessions * given.messages:,} messages, "
            f"{size / 1e6:,.0f} MB"
        )
        home = Home(work / "home")
        home.root.mkdir()
        register(Workspace(home=home), [work / "projects"])
        timed("import", lambda: take_in(Workspace(home=home)))
        out = work / "site"
        build = lambda: Builder(Workspace(home=home), out, sections=("history",)).build()  # noqa: E731
        timed("export", build)
        timed("export again, unchanged", build)
        write_session(work / "projects" / "p0" / "new.jsonl", given.messages, 10**6)
        timed("export with one new session", build)
        found = list((out / "search").rglob("*.js"))
        print(f"search: {len(found)} files, {sum(p.stat().st_size for p in found) / 1e6:,.1f} MB")
        largest = max(path.stat().st_size for path in (out / "history").rglob("*.html"))
        print(f"largest page {largest / 1e3:,.0f} KB")
        if not given.without_rival:
            program = rival()
            timed(
                "claude-code-log",
                lambda: subprocess.run(
                    [program, str(work / "projects"), "--no-cache"],
                    check=True,
                    capture_output=True,
                ),
            )


def timed(name: str, run: Callable[[], object]) -> None:
    """Run something and print its row."""
    start, before = time.perf_counter(), _processor()
    run()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:32} {time.perf_counter() - start:8.1f} s wall {_processor() - before:8.1f} s "
        f"processor, peak {peak:,.0f} MB",
        flush=True,
    )


def _processor() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(item.ru_utime + item.ru_stime for item in used)


def write_sessions(folder: Path, sessions: int, messages: int) -> int:
    """Write sessions as Claude Code does, ten projects; return their size."""
    for number in range(sessions):
        write_session(folder / f"p{number % 10}" / f"{number:08}.jsonl", messages, number)
    return sum(path.stat().st_size for path in folder.rglob("*.jsonl"))


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


def rival() -> str:
    """Return the rival's program, installing it on first use."""
    program = RIVAL / "bin" / "claude-code-log"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(RIVAL)], check=True)
        subprocess.run(
            [str(RIVAL / "bin" / "pip"), "install", "--quiet", "claude-code-log"], check=True
        )
    return str(program)


if __name__ == "__main__":
    main()
