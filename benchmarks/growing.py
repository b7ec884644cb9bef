"""Appends to a long live session until a search sees it: the whole path, in CPU milliseconds.

    python benchmarks/growing.py [--messages 20000] [--appends 7] [--profile]

A session of Claude Code and one of Codex, each alone in a home of its own. What is timed is what
a question costs after the agent wrote one more line: the source is taken in, the archive and the
index are brought up to date, the search runs. The kinds of lines are those of a working agent: a
prompt, a reply, a tool call, and the result that completes a reply which is known already.
CPU time is given, the best and the middle of several; a busy machine does not change it.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from messages import Messages

from generator.history.intake import register
from generator.paths import Home
from generator.recall.store import open_recall
from generator.workspace import Workspace

SESSION = "0f0e0d0c-0000-4000-8000-000000000001"
Lines = Iterator[tuple[str, list[dict[str, Any]]]]
"""What was said, and the records that say it."""


def stamp(number: int) -> str:
    """Return the time of a record."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(1_760_000_000 + number))


def claude_code() -> Lines:
    """Yield prompts, replies and calls as Claude Code writes them, without end."""
    texts = iter(Messages())
    parent: str | None = None
    number = 0

    def record(kind: str, message: dict[str, Any]) -> dict[str, Any]:
        nonlocal parent, number
        number += 1
        uuid = f"{number:08x}-1111-4000-8000-000000000001"
        made = {
            "type": kind,
            "uuid": uuid,
            "parentUuid": parent,
            "sessionId": SESSION,
            "timestamp": stamp(number),
            "cwd": "/home/dev/boat",
            "version": "2.1.0",
            "isSidechain": False,
            "message": message,
        }
        parent = uuid
        return made

    def reply(block: dict[str, Any]) -> dict[str, Any]:
        usage = {"input_tokens": 10, "output_tokens": number, "cache_read_input_tokens": 5000}
        message = {"id": f"msg_{number:08}", "role": "assistant", "model": "claude-opus-4"}
        return record("assistant", {**message, "content": [block], "usage": usage})

    while True:
        text = next(texts)
        yield "prompt", [record("user", {"role": "user", "content": text})]
        call = {"type": "tool_use", "id": f"toolu_{number:08}", "name": "Bash"}
        yield "call", [reply({**call, "input": {"command": text[:60]}})]
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": text}
        yield "result", [record("user", {"role": "user", "content": [result]})]
        yield "reply", [reply({"type": "text", "text": next(texts)})]


def codex() -> Lines:
    """Yield prompts, replies and calls as Codex writes them, without end."""
    texts = iter(Messages())
    number = 0

    def record(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        nonlocal number
        number += 1
        return {"timestamp": stamp(number), "type": kind, "payload": payload}

    def said(role: str, text: str) -> dict[str, Any]:
        part = {"type": "input_text" if role == "user" else "output_text", "text": text}
        return record("response_item", {"type": "message", "role": role, "content": [part]})

    def count() -> dict[str, Any]:
        total = {"input_tokens": number * 100, "cached_input_tokens": number * 50}
        total["output_tokens"] = number * 7
        info = {"total_token_usage": total, "last_token_usage": {"input_tokens": 100}}
        return record("event_msg", {"type": "token_count", "info": info})

    meta = {"id": SESSION, "timestamp": stamp(0), "cwd": "/home/dev/boat"}
    opening = [record("session_meta", meta), record("turn_context", {"model": "gpt-5-codex"})]
    while True:
        text = next(texts)
        twin = record("event_msg", {"type": "user_message", "message": text})
        yield "prompt", [*opening, said("user", text), twin]
        opening = []
        name = f"call_{number:08}"
        arguments = json.dumps({"command": ["bash", "-lc", text[:60]]})
        call = {"type": "function_call", "name": "shell", "arguments": arguments, "call_id": name}
        yield "call", [record("response_item", call)]
        output = {"type": "function_call_output", "call_id": name, "output": text}
        yield "result", [record("response_item", output)]
        reply = next(texts)
        twin = record("event_msg", {"type": "agent_message", "message": reply})
        yield "reply", [said("assistant", reply), twin, count()]


def write(path: Path, records: list[dict[str, Any]]) -> None:
    """Append records to a file."""
    with path.open("a", encoding="utf-8") as handle:
        handle.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def spent(work: Callable[[], Any]) -> float:
    """Return the CPU milliseconds of a piece of work."""
    before = time.process_time()
    work()
    return (time.process_time() - before) * 1e3


def measure(name: str, lines: Lines, folder: Path, options: argparse.Namespace) -> None:
    """Grow one session and print its rows."""
    source = folder / "sessions"
    source.mkdir(parents=True)
    path = source / f"{SESSION}.jsonl"
    home = Home(folder / "home")
    home.root.mkdir()
    workspace = Workspace(home=home)
    register(workspace, [source])
    # Two messages in three kinds of lines out of four: prompts and replies are messages.
    records: list[dict[str, Any]] = []
    written, kind = 0, ""
    while written < options.messages or kind != "reply":
        kind, made = next(lines)
        records += made
        written += kind != "result"
    write(path, records)

    def ask(word: str) -> None:
        recall = open_recall(workspace)
        found = recall.index.search(word)
        assert found.total == 1, (word, found.total)

    whole = spent(lambda: open_recall(workspace).index.search("error"))
    megabytes = path.stat().st_size / 1e6
    print(f"\n{name}: {written:,} messages, {megabytes:.0f} MB; import and index {whole:,.0f} ms")
    times: dict[str, list[float]] = {}
    unchanged = []
    profile = cProfile.Profile(time.process_time)
    for number in range(options.appends * 4):
        kind, made = next(lines)
        word = f"zqx{number}qz"
        write(path, json.loads(_marked(json.dumps(made), word)))
        if options.profile:
            profile.enable()
        times.setdefault(kind, []).append(spent(lambda word=word: ask(word)))
        profile.disable()
        unchanged.append(spent(lambda word=word: ask(word)))
    for kind, taken in {**times, "nothing new": unchanged}.items():
        print(f"  {kind:12} {statistics.median(taken):8.1f} ms median {min(taken):8.1f} ms best")
    if options.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(28)


def _marked(text: str, word: str) -> str:
    """Put a word of its own at the beginning of what the records say."""
    for key in ('"content": "', '"text": "', '"message": "', '"output": "', '"command": "'):
        text = text.replace(key, f"{key}{word} ")
    return text.replace('\\"-lc\\", \\"', f'\\"-lc\\", \\"{word} ')


def main() -> None:
    """Measure both formats."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=20_000)
    parser.add_argument("--appends", type=int, default=7)
    parser.add_argument("--only", default="Claude Code,Codex")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    formats = {"Claude Code": claude_code, "Codex": codex}
    with tempfile.TemporaryDirectory(prefix="fieldguide-bench-") as scratch:
        for name in options.only.split(","):
            measure(name, formats[name](), Path(scratch) / name, options)


if __name__ == "__main__":
    main()
