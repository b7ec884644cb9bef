"""Days as callers name them, cut in the configured zone."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from generator.exceptions import UsageError
from generator.timestamps import Span, days_between, parse_day
from generator.workspace import Workspace

_RANGES = {"1d": 1, "7d": 7, "1m": 30, "1y": 365, "all": None}


def named_day(text: str, workspace: Workspace, argument: str) -> date:
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
    return parse_day(cleaned[:10] if cleaned[10:11] in ("t", " ") else cleaned, argument)


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
    first = named_day(after, workspace, names[0]) if after else None
    last = named_day(before, workspace, names[1]) if before else None
    if first and last and last < first:
        raise UsageError(
            f"{names[1]} ({last}) lies before {names[0]} ({first}), so no day is left.",
            hint="Swap the two days.",
        )
    return days_between(first, last, workspace.zone)


def span_of_range(name: str, workspace: Workspace) -> Span:
    """Turn ``1d``, ``7d``, ``1m`` (30 days), ``1y`` (365 days) or ``all`` into a span up to now."""
    days = _RANGES[name]
    return Span() if days is None else Span(start=workspace.now() - timedelta(days=days))


def local(moment: datetime | None, workspace: Workspace) -> str | None:
    """Write a moment in the configured zone, to the second; None stays None."""
    if moment is None:
        return None
    return moment.astimezone(workspace.zone).isoformat(timespec="seconds")
