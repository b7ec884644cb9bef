"""The index beside SQLite FTS5 (trigram and unicode61), on the same messages in one run.

    python benchmarks/index.py [--messages 200000] [--files 2000] [--only ours,trigram,unicode61]

Each engine runs in a process of its own, so that memory is its own. Queries are given in CPU
milliseconds, which a busy machine does not change; indexing in both wall and CPU seconds, since
it uses several processes. FTS5 keeps the texts, our index reads them from the files.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import shutil
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from messages import Messages

from generator.model.entry import Entry, FileState
from generator.search import Filters, SearchIndex

ROLES = ("user", "assistant", "tool")
START, STEP = 1_700_000_000.0, 300.0


class Lines:
    """The generated files as a collection."""

    name = "history"

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def files(self) -> Iterator[FileState]:
        """List the files."""
        with os.scandir(self.folder) as found:
            for item in found:
                stat = item.stat()
                yield FileState(path=Path(item.path), size=stat.st_size, mtime_ns=stat.st_mtime_ns)

    def superseded(self, path: Path, start: int, looked: int) -> Sequence[Entry]:
        """Lines are only ever added."""
        return ()

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        """Read one file."""
        with path.open("rb") as handle:
            handle.seek(start)
            for line in handle:
                record = json.loads(line)
                yield Entry(
                    ref=f"conversation:{path.stem}#{record['n']}",
                    source="conversation",
                    text=record["text"],
                    start=start,
                    length=len(line),
                    session=path.stem,
                    agent="generated",
                    role=record["role"],
                    ts=record["ts"],
                )
                start += len(line)

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        """Read one text again."""
        with path.open("rb") as handle:
            handle.seek(start)
            return str(json.loads(handle.read(length))["text"])


@dataclass
class Measured:
    """What one engine took."""

    name: str
    index_wall: float = 0.0
    index_cpu: float = 0.0
    megabytes: float = 0.0
    peak: float = 0.0
    queries: dict[str, list[float]] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    others: dict[str, float] = field(default_factory=dict)


def generate(folder: Path, messages: int, files: int) -> float:
    """Write the messages; return their size in MB."""
    source = iter(Messages())
    each = -(-messages // files)
    number = 0
    for index in range(files):
        with (folder / f"s{index:05d}.jsonl").open("w", encoding="utf-8") as handle:
            for n in range(1, min(each, messages - number) + 1):
                record = {
                    "n": n,
                    "role": ROLES[number % 3],
                    "ts": START + STEP * number,
                    "text": next(source),
                }
                handle.write(json.dumps(record, ensure_ascii=False) + "\n")
                number += 1
    return sum(path.stat().st_size for path in folder.iterdir()) / 1e6


def queries(messages: int) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """Return the queries by kind: (text, filters)."""
    source = Messages()
    words, han = source.words, source.han
    middle = [words[rank] for rank in (120, 300, 700, 1500, 3000, 6000, 12000, 25000)]
    late = {"after": START + STEP * messages * 0.9}
    return {
        "1 word": [(word, {}) for word in middle],
        "2 words": [(f"{a} {b}", {}) for a, b in pairwise(middle)],
        "5 words": [(" ".join(middle[i : i + 5]), {}) for i in range(4)],
        "phrase": [
            ('"the error"', {}),
            ('"need to check"', {}),
            ('"file path"', {}),
            ('"run the test"', {}),
        ],
        "identifier": [("parse_token", {}), ("getUser", {}), ("src/core", {}), ("self.cache", {})],
        "Chinese": [(han[rank], {}) for rank in (3, 30, 300, 3000)],
        "Chinese 4": [(han[rank] + han[rank + 1], {}) for rank in (0, 2, 5)],
        "common": [("the", {}), ("the to of", {}), ("the to of and a", {}), ("file error", {})],
        "date filter": [(word, late) for word in ("the", "error", middle[0], middle[2])],
        "role filter": [(word, {"roles": ("user",)}) for word in ("the", "error", middle[0])],
        "literal": [("c++", {}), ("src/core/", {}), ("self.cache.get(", {})],
        "inside": [(middle[6][1:-1] + middle[7][:1], {}), (words[20000][1:], {})],
        "unknown": [("zzyzzyq", {}), ("qqwwxx", {})],
    }


def timed(work: Callable[[], int], tries: int = 3) -> tuple[float, int]:
    """Return the best CPU time in ms, and what the work returned."""
    best, result = float("inf"), 0
    for _ in range(tries):
        start = time.process_time()
        result = work()
        best = min(best, (time.process_time() - start) * 1e3)
    return best, result


def size_of(folder: Path) -> float:
    """Return the megabytes of a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def cpu() -> float:
    """Return the CPU seconds of this process and its children so far."""
    own, children = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def ours(folder: Path, work: Path, messages: int) -> Measured:
    """Measure our index."""
    measured = Measured("ours")
    index = SearchIndex(work / "index", [Lines(folder)])
    wall, used = time.perf_counter(), cpu()
    index.refresh()
    measured.index_wall, measured.index_cpu = time.perf_counter() - wall, cpu() - used
    measured.megabytes = size_of(work / "index")
    index.close()
    measured.others["first query, ms"] = timed(
        lambda: index.search("error", refresh=False).total, 1
    )[0]
    for kind, asked in queries(messages).items():
        for text, filters in asked:
            job = partial(find, index, text, Filters(**filters))
            cold = timed(job, 1)[0]
            best, hits = timed(job)
            measured.queries.setdefault(kind, []).append(best)
            measured.queries.setdefault(kind + " (first time)", []).append(cold)
            measured.hits[text] = hits
    measured.others["unchanged refresh, ms"] = timed(lambda: index.refresh().files)[0]
    measured.others["append of 50 visible, ms"] = min(append(index, folder, n) for n in range(3))
    measured.peak = peak()
    return measured


def peak() -> float:
    """Return the most memory of this process and of its largest child, in MB."""
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(each).ru_maxrss for each in who) / 1024


def find(index: SearchIndex, text: str, filters: Filters) -> int:
    """Ask for the top 10 and return how many there are."""
    return index.search(text, filters=filters, limit=10, refresh=False).total


def append(index: SearchIndex, folder: Path, number: int) -> float:
    """Append 50 messages to a file and return the CPU ms until a query finds them."""
    path = sorted(folder.iterdir())[number]
    with path.open("a", encoding="utf-8") as handle:
        for n in range(50):
            record = {
                "n": 10_000 + n,
                "role": "user",
                "ts": START,
                "text": f"appended{number} text {n}",
            }
            handle.write(json.dumps(record) + "\n")
    start = time.process_time()
    total = index.search(f"appended{number}").total
    assert total == 50, total
    return (time.process_time() - start) * 1e3


def fts5(tokenizer: str, folder: Path, work: Path, messages: int) -> Measured:
    """Measure FTS5."""
    measured = Measured(f"FTS5 {tokenizer}")
    base = sqlite3.connect(work / "fts.db")
    base.execute("PRAGMA journal_mode=WAL")
    base.execute(
        f"CREATE VIRTUAL TABLE m USING fts5(text, ref UNINDEXED, role UNINDEXED, ts UNINDEXED, tokenize='{tokenizer}')"
    )

    def rows() -> Iterator[tuple[str, str, str, float]]:
        collection = Lines(folder)
        for state in collection.files():
            for entry in collection.entries(state.path, 0):
                yield entry.text, entry.ref, entry.role, entry.ts or 0.0

    wall, used = time.perf_counter(), cpu()
    with base:
        base.executemany("INSERT INTO m VALUES (?, ?, ?, ?)", rows())
    measured.index_wall, measured.index_cpu = time.perf_counter() - wall, cpu() - used
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    measured.megabytes = size_of(work)
    trigram = tokenizer == "trigram"

    def ask(text: str, filters: dict[str, Any]) -> int:
        phrase = text.startswith('"')
        words = [text.strip('"')] if phrase else text.split()
        conditions, values = [], []
        if trigram and any(len(word) < 3 for word in words):
            if len(words) == 1:  # shorter than a trigram: FTS5 itself scans for LIKE
                conditions.append("text LIKE ?")
                values.append(f"%{words[0]}%")
            words = [word for word in words if len(word) >= 3] if len(words) > 1 else []
        if words:
            conditions.append("m MATCH ?")
            values.append(" OR ".join('"' + word.replace('"', '""') + '"' for word in words))
        if "after" in filters:
            conditions.append("ts >= ?")
            values.append(filters["after"])
        if "roles" in filters:
            conditions.append("role = ?")
            values.append(filters["roles"][0])
        order = "ORDER BY rank" if words else ""
        sql = (
            "SELECT ref, snippet(m, 0, '**', '**', '…', 32) FROM m "
            f"WHERE {' AND '.join(conditions)} {order} LIMIT 10"
        )
        return len(base.execute(sql, values).fetchall())

    for kind, asked in queries(messages).items():
        for text, filters in asked:
            best, hits = timed(partial(ask, text, filters))
            measured.queries.setdefault(kind, []).append(best)
            measured.hits[text] = hits
    measured.peak = peak()
    return measured


def _run(name: str, folder: Path, work: Path, messages: int, results: Any) -> None:
    work.mkdir()
    results.put(
        ours(folder, work, messages) if name == "ours" else fts5(name, folder, work, messages)
    )


def report(measured: list[Measured], messages: int, megabytes: float) -> None:
    """Print the tables."""
    print(f"\n{messages:,} messages, {megabytes:.0f} MB of JSON Lines\n")
    print(f"| {'':28} | " + " | ".join(f"{item.name:>16}" for item in measured) + " |")
    print("|" + "-" * 30 + ("|" + "-" * 18) * len(measured) + "|")
    lines: list[tuple[str, list[str]]] = [
        ("messages a second (wall)", [f"{messages / item.index_wall:,.0f}" for item in measured]),
        ("messages a CPU second", [f"{messages / item.index_cpu:,.0f}" for item in measured]),
        ("size, MB", [f"{item.megabytes:.0f}" for item in measured]),
        ("peak memory, MB", [f"{item.peak:.0f}" for item in measured]),
    ]
    for kind in dict.fromkeys(kind for item in measured for kind in item.queries):
        cells = []
        for item in measured:
            times = item.queries.get(kind)
            cells.append(f"{statistics.median(times):.1f} / {max(times):.1f}" if times else "")
        lines.append((f"{kind}, ms", cells))
    everything = [
        [ms for kind, times in item.queries.items() if "first" not in kind for ms in times]
        for item in measured
    ]
    lines.append(
        ("all queries, ms", [f"{statistics.median(ms):.1f} / {max(ms):.1f}" for ms in everything])
    )
    for name in dict.fromkeys(name for item in measured for name in item.others):
        lines.append(
            (name, [f"{item.others[name]:.1f}" if name in item.others else "" for item in measured])
        )
    for label, cells in lines:
        print(f"| {label:28} | " + " | ".join(f"{cell:>16}" for cell in cells) + " |")
    print("\nQueries: median / slowest of their kind, the best of three runs each.")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=200_000)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--only", default="ours,trigram,unicode61")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="fieldguide-bench-"))
    try:
        (folder / "files").mkdir()
        megabytes = generate(folder / "files", options.messages, options.files)
        measured = []
        for name in options.only.split(","):
            results: Any = multiprocessing.Queue()
            process = multiprocessing.Process(
                target=_run, args=(name, folder / "files", folder / name, options.messages, results)
            )
            process.start()
            measured.append(results.get())
            process.join()
        report(measured, options.messages, megabytes)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
