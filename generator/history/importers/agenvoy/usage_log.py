"""The usage log: a line a request, in local time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from generator.history.importers.base import Reading
from generator.history.importers.records import read_lines
from generator.model.session import Tokens, Usage
from generator.timestamps import parse_time

USAGE_LINE = re.compile(
    r"\[([^\]]+)\]\[([^\]]*)\]\s*in/\s*(\d{1,15})\s+out/\s*(\d{1,15})\s+"
    r"write/\s*(\d{1,15})\s+hit/\s*(\d{1,15})\s*"
)


def spending_in(path: Path, reading: Reading) -> Iterator[Usage]:
    """Yield the requests of a log; one that is missing has none."""
    if not path.is_file() or path.is_symlink():
        return
    equal: Counter[str] = Counter()
    with path.open("rb") as handle:
        for number, line in read_lines(handle):
            if not line.strip():
                continue
            found = USAGE_LINE.fullmatch(line)
            if found is None:
                reason = "a partial line" if number == 1 else "not a usage line"
                reading.notes.skip(number, f"{path.name}: {reason}")
                continue
            reading.notes.records += 1
            stamp, model, *counts = found.groups()
            fresh, output, written, hit = map(int, counts)
            tokens = Tokens(input=fresh, output=output, cache_read=hit, cache_write=written)
            reading.audit.line(tokens)
            key = f"{stamp} {model} {fresh}/{output}/{written}/{hit}"
            equal[key] += 1
            provider, _, name = model.rpartition("@")
            yield Usage(
                id=key if equal[key] == 1 else f"{key} {equal[key]}",
                tokens=tokens,
                ts=parse_time(stamp, reading.zone),
                model=name,
                provider=provider or None,
            )
