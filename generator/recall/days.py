"""Days as callers name them, cut in the configured zone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from generator.exceptions import UsageError
from generator.workspace import Workspace

_RANGES = {"1d": 1, "7d": 7, "1m": 30, "1y": 365, "all": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time; None means open on that side.

    Attributes:
        start: First moment that belongs to it.
        end: First moment after it.
    """

    start: datetime | None = None
    end: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether it leaves nothing out."""
        return self.start is None and self.end is None

    def holds(self, moment: datetime | None) -> bool:
        """Tell whether a moment lies in it; an unknown moment only lies in an open span."""
        if moment is None:
            return self.is_open
        return (self.start is None or moment >= self.start) and (
            self.end is None or moment < self.end
        )

    def meets(self, first: datetime | None, last: datetime | None) -> bool:
        """Tell whether something that lasted from ``first`` to ``last`` shares a moment with it."""
        if self.is_open:
            return True
        if first is None and last is None:
            return False
        begins, ends = first or last, last or first
        assert begins is not None
        assert ends is not None
        return (self.end is None or begins < self.end) and (
            self.start is None or ends >= self.start
        )


def parse_day(text: str, workspace: Workspace, *, argument: str) -> date:
    """Read a day as a caller names it.

    Args:
        text: ``YYYY-MM-DD``, ``today`` or ``yesterday``; a time after the day is dropped.
        workspace: Its zone decides which day today is.
        argument: Name of the argument, for the message.

    Raises:
        UsageError: It is no day.
    """
    cleaned = text.strip().lower()
    today = workspace.now().date()
    if cleaned in ("today", "yesterday"):
        return today if cleaned == "today" else today - timedelta(days=1)
    try:
        return date.fromisoformat(cleaned[:10] if cleaned[10:11] in ("t", " ") else cleaned)
    except ValueError as error:
        raise UsageError(
            f"{argument} takes a day as YYYY-MM-DD, today or yesterday, not {text[:40]!r}.",
            hint=f"Today is {today.isoformat()}.",
        ) from error


def span_of_days(
    after: str | None,
    before: str | None,
    workspace: Workspace,
    *,
    names: tuple[str, str] = ("after", "before"),
) -> Span:
    """Turn two days, both included, into a span of time in the configured zone.

    Args:
        after: First day, or None.
        before: Last day, or None.
        workspace: Gives the zone.
        names: What the two arguments are called, for the message.

    Raises:
        UsageError: One is no day, or the last comes before the first.
    """
    first = parse_day(after, workspace, argument=names[0]) if after else None
    last = parse_day(before, workspace, argument=names[1]) if before else None
    if first and last and last < first:
        raise UsageError(
            f"{names[1]} ({last}) lies before {names[0]} ({first}), so no day is left.",
            hint="Swap the two days.",
        )
    return Span(
        start=_midnight(first, workspace) if first else None,
        end=_midnight(last + timedelta(days=1), workspace) if last else None,
    )


def _midnight(day: date, workspace: Workspace) -> datetime:
    return datetime.combine(day, time.min, tzinfo=workspace.zone)


def span_of_range(name: str, workspace: Workspace) -> Span:
    """Turn ``1d``, ``7d``, ``1m`` (30 days), ``1y`` (365 days) or ``all`` into a span up to now."""
    days = _RANGES[name]
    return Span() if days is None else Span(start=workspace.now() - timedelta(days=days))


def local(moment: datetime | None, workspace: Workspace) -> str | None:
    """Write a moment in the configured zone, to the second; None stays None."""
    if moment is None:
        return None
    return moment.astimezone(workspace.zone).isoformat(timespec="seconds")
