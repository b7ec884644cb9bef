"""Times as agents write them, and days as people mean them.

Agents write ISO text with ``Z``, with an offset or without a zone, and numbers in seconds,
milliseconds, microseconds or nanoseconds; the size of a number tells its unit. Everything
becomes a datetime with a zone.

What people write ("yesterday", "last week") is read in ``spoken_days.py``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

# Below each bound a number counts in that unit; today is about 1.8e9 s, 1.8e12 ms, 1.8e18 ns.
_SECONDS_BELOW = 1e11
_MILLISECONDS_BELOW = 1e14
_MICROSECONDS_BELOW = 1e17

_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
# Fractions longer than microseconds, which fromisoformat reads only in part of our versions.
_FRACTION = re.compile(r"([.,]\d{6})\d+")


def parse_time(value: Any, zone: tzinfo) -> datetime | None:
    """Read a time in any shape agents use.

    Args:
        value: ISO text, a number, or a number as text.
        zone: The zone of texts without one.

    Returns:
        The time, with a zone; None when the value is no time. A day alone is its midnight.
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _from_number(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _NUMBER.fullmatch(text) and len(text.split(".")[0]) >= 9:
        return _from_number(float(text) if "." in text else int(text))
    try:
        # Up to microseconds and an offset of whole seconds, a text is no longer than this.
        moment = datetime.fromisoformat(_FRACTION.sub(r"\1", text) if len(text) > 26 else text)
    except ValueError:
        return None
    if moment.tzinfo is UTC:
        return moment
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    try:
        return moment.astimezone(UTC).astimezone(moment.tzinfo)
    except (OverflowError, ValueError):
        return None


def _from_number(value: float) -> datetime | None:
    size = abs(value)
    try:
        if size < _SECONDS_BELOW:
            whole, micro = divmod(round(value * 1_000_000), 1_000_000)
        elif size < _MILLISECONDS_BELOW:
            whole, micro = divmod(round(value * 1_000), 1_000_000)
        elif size < _MICROSECONDS_BELOW:
            whole, micro = divmod(int(value), 1_000_000)
        else:
            whole, micro = divmod(int(value) // 1_000, 1_000_000)
        return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=whole, microseconds=micro)
    except (OverflowError, ValueError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time, open where a bound is None.

    Attributes:
        start: First moment that belongs to it.
        end: First moment that no longer does.
    """

    start: datetime | None = None
    end: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it leaves nothing out."""
        return self.start is None and self.end is None

    def meets(self, first: datetime | None, last: datetime | None) -> bool:
        """Tell whether what lasted from ``first`` to ``last`` shares a moment with this span."""
        if self.is_open:
            return True
        begins, ends = first or last, last or first
        if begins is None or ends is None:
            return False
        return (self.end is None or begins < self.end) and (
            self.start is None or ends >= self.start
        )

    def holds(self, moment: datetime | None) -> bool:
        """Tell whether a moment lies inside; an unknown moment lies in the open span only."""
        if self.is_open:
            return True
        if moment is None:
            return False
        return (self.start is None or moment >= self.start) and (
            self.end is None or moment < self.end
        )


def day_start(day: date, zone: tzinfo) -> datetime:
    """Return the first moment of a day in a zone."""
    return datetime.combine(day, time.min, tzinfo=zone)


def days_between(after: date | None, before: date | None, zone: tzinfo) -> Span:
    """Return the span from one day to another, both included.

    Args:
        after: First day; None for no bound.
        before: Last day; None for no bound.
        zone: The zone that cuts days.
    """
    return Span(
        start=day_start(after, zone) if after else None,
        end=day_start(before + timedelta(days=1), zone) if before else None,
    )
