"""Wolffish's spending: one line a call, in a file a day and again in a file a provider.

Only the daily files are added up; a provider's file stands in for days that have none. Two
equal lines are two calls.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generator.history.importers.base import Reading, Unit
from generator.history.importers.records import read_lines
from generator.model.session import Document, Tokens, Usage
from generator.timestamps import parse_time

_NUMBERS = (
    r"in:(\d{1,15}) out:(\d{1,15})(?: cw:(\d{1,15}))?(?: cr:(\d{1,15}))?\s*"
    r"(?:\|\s*\$(\d{1,12}(?:\.\d+)?(?:[eE]-?\d{1,2})?))?\s*"
)
_DAILY = re.compile(
    r"- (\d{2}:\d{2}:\d{2}) \| ([^|]*?) \| ([^|]*?) \| " + _NUMBERS  # time, provider, model
)
_PROVIDER = re.compile(r"- (\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) \| ([^|]*?) \| " + _NUMBERS)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


def read(unit: Unit, reading: Reading) -> Iterator[tuple[Document, Usage]]:
    """Yield each counted line as a document and as spending."""
    assert unit.root is not None
    relative = unit.path.relative_to(unit.root).as_posix()
    daily = unit.path.parent.name == "daily"
    day = unit.path.stem
    provider = unit.path.stem
    covered = {path.stem for path in (unit.root / "usage" / "daily").glob("*.md")}
    equal: Counter[str] = Counter()
    with unit.open() as handle:
        for number, line in read_lines(handle):
            bare = line.strip()
            if not bare or bare.startswith("#"):
                if daily and (found := _DAY.search(bare)):
                    day = found.group()
                elif bare.startswith("# ") and not daily:
                    provider = bare[2:].strip()
                continue
            found = (_DAILY if daily else _PROVIDER).fullmatch(bare)
            if found is None:
                reading.notes.skip(number, "not a ledger line")
                continue
            reading.notes.records += 1
            if daily:
                clock, who, model, *counts = found.groups()
            else:
                day, clock, model, *counts = found.groups()
                who = provider
            tokens = _tokens(counts)
            reading.audit.line(tokens)
            if not daily and day in covered:
                reading.audit.drop("the same spending stands in usage/daily")
                continue
            # The key is the same from both files, so that a day is never counted twice.
            key = f"{day} {clock} {model} {'/'.join(str(count) for count in counts[:4])}"
            equal[key] += 1
            key = key if equal[key] == 1 else f"{key} {equal[key]}"
            ts = parse_time(f"{day}T{clock}", reading.zone)
            cost = float(counts[4]) if counts[4] else None
            yield (
                Document(
                    id=f"usage#{key}",
                    source="usage",
                    path=relative,
                    title=f"{who} {model}",
                    text=bare.removeprefix("- "),
                    ts=ts,
                ),
                Usage(id=key, tokens=tokens, ts=ts, model=model, provider=who, cost=cost),
            )


def _tokens(counts: list[str | None]) -> Tokens:
    fresh, output, written, hit = (int(count or 0) for count in counts[:4])
    return Tokens(input=fresh, output=output, cache_read=hit, cache_write=written)
