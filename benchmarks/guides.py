"""Guides for the benchmarks: the same on every run."""

from __future__ import annotations

import random
from pathlib import Path

WORDS = [
    "search",
    "before",
    "the",
    "second",
    "retry",
    "and",
    "read",
    "the",
    "whole",
    "message",
    "then",
    "change",
    "one",
    "argument",
    "when",
    "the",
    "tool",
    "answers",
    "with",
    "an",
    "error",
    "record",
    "what",
    "fixed",
    "it",
    "so",
    "that",
    "the",
    "next",
    "session",
    "finds",
    "it",
    "错误",
    "重试",
]


def write_guides(folder: Path, count: int) -> list[Path]:
    """Write guides with headings, lists, a table, code and links, the same on every run."""
    folder.mkdir(parents=True)
    chance = random.Random(7)
    paths = []
    for number in range(count):
        path = folder / f"topic_{number:04}.md"
        path.write_text(guide(number, count, chance), encoding="utf-8")
        paths.append(path)
    return paths


def guide(number: int, count: int, chance: random.Random) -> str:
    """Return one guide of about 5 KB."""

    def sentence() -> str:
        return " ".join(chance.choices(WORDS, k=14)).capitalize() + "."

    parts = [f"---\ntitle: Topic {number}\nsummary: {sentence()}\nsince: 0.1.0\n---\n"]
    for part in range(6):
        parts.append(f"## Part {part + 1} of topic {number}\n")
        parts += [f"{sentence()} {sentence()} `write_error` {sentence()}\n" for _ in range(2)]
        parts.append("\n".join(f"- {sentence()}" for _ in range(4)) + "\n")
        other = chance.randrange(count)
        parts.append(f"See [topic {other}](topic_{other:04}.md).\n")
    parts.append("| a | b |\n|---|---|\n" + "".join(f"| {i} | {sentence()} |\n" for i in range(5)))
    parts.append("```python\ndef answer(value: int) -> str:\n    return f'{value:>4}'\n```\n")
    return "\n".join(parts)
