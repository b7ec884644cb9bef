"""Columns of a chart: days, weeks or months without a gap, so that their distance tells time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Step = Literal["day", "week", "month"]
_MOST = 60
"""Columns that can still be told apart on a phone."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a chart that is 100 units high.

    Attributes:
        name: What it stands for.
        value: How much.
        x: Its place from the left.
        height: In units.
    """

    name: str
    value: float
    x: int
    height: float


def columns(values: Sequence[tuple[str, float]]) -> list[Column]:
    """Return the columns for names and values, the largest value as high as the chart."""
    most = max((value for _, value in values), default=0) or 1
    return [
        Column(name, value, at, round(100 * value / most, 2))
        for at, (name, value) in enumerate(values)
    ]


def calendar_columns(days: Mapping[str, float]) -> tuple[Step, list[Column]]:
    """Return the columns of values by day, each step of the calendar with one of its own.

    Args:
        days: Values by day (``YYYY-MM-DD``); other keys are no day and are left out.

    Returns:
        What a column stands for, the shortest step that leaves at most 60 columns (of months the
        last 60), and the columns, named by their first day.
    """
    dated: dict[date, float] = {}
    for name, value in days.items():
        try:
            dated[date.fromisoformat(name)] = value
        except ValueError:
            continue
    if not dated:
        return "day", []
    first, last = min(dated), max(dated)
    span = (last - first).days
    step: Step = "day" if span < _MOST else "week" if span < 7 * (_MOST - 1) else "month"
    sums = dict.fromkeys(_starts(first, last, step), 0.0)
    for day, value in dated.items():
        sums[_start(day, step)] += value
    return step, columns([(day.isoformat(), value) for day, value in sums.items()][-_MOST:])


def _start(day: date, step: Step) -> date:
    if step == "week":
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if step == "month" else day


def _starts(first: date, last: date, step: Step) -> Iterator[date]:
    at = _start(first, step)
    while at <= last:
        yield at
        # 32 days on from the first of a month is in the next one.
        at = _start(at + timedelta(days={"day": 1, "week": 7, "month": 32}[step]), step)
