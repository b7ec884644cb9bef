"""Days as callers name them, cut in the configured zone."""

from __future__ import annotations

from datetime import datetime, timedelta

from generator.echo import quoted
from generator.exceptions import UsageError
from generator.spoken_days import EXAMPLES, Days, read_days
from generator.timestamps import Span, days_between
from generator.workspace import Workspace

DAY = "YYYY-MM-DD, or in words such as yesterday, 3 days ago, last week, 昨天, 上週"
"""How arguments that take a day say so."""

_RANGES = {"1d": 1, "7d": 7, "1m": 30, "1y": 365, "all": None}


def named_days(text: str, workspace: Workspace, argument: str) -> Days:
    """Read a day, or a stretch of days, as a caller names it.

    Args:
        text: ``YYYY-MM-DD`` or words such as ``yesterday``, ``last week``, 昨天.
        workspace: Its clock and zone decide which day today is.
        argument: Name of the argument, for the message.

    Raises:
        UsageError: It names no day.
    """
    days = read_days(text, workspace.now())
    if days is None:
        raise UsageError(
            f"{argument} takes a day as YYYY-MM-DD or in words (got {quoted(text)}).",
            hint=f"Write it like 2026-05-04, or like: {EXAMPLES}.",
        )
    return days


def span_of_days(
    after: str | None,
    before: str | None,
    workspace: Workspace,
    *,
    names: tuple[str, str] = ("after", "before"),
) -> Span:
    """Turn two days, both included, into a span of time in the configured zone.

    Args:
        after: First day, or None; of a stretch such as ``last week`` its first day.
        before: Last day, or None; of a stretch its last day.
        workspace: Gives the clock and the zone.
        names: What the two arguments are called, for the message.

    Raises:
        UsageError: One is no day, or the last comes before the first.
    """
    first = named_days(after, workspace, names[0]).first if after else None
    last = named_days(before, workspace, names[1]).last if before else None
    if first and last and last < first:
        raise UsageError(
            f"{names[1]} ({last}) lies before {names[0]} ({first}), so no day is left.",
            hint="Swap the two days.",
        )
    return days_between(first, last, workspace.zone)


def days_text(span: Span) -> str:
    """Write a span of whole days: ``2026-05-04``, ``2026-04-27 to 2026-05-03``."""
    first = span.start.date().isoformat() if span.start else "the beginning"
    last = (span.end - timedelta(days=1)).date().isoformat() if span.end else "now"
    return first if first == last else f"{first} to {last}"


def span_of_range(name: str, workspace: Workspace) -> Span:
    """Turn ``1d``, ``7d``, ``1m`` (30 days), ``1y`` (365 days) or ``all`` into a span up to now."""
    days = _RANGES[name]
    return Span() if days is None else Span(start=workspace.now() - timedelta(days=days))


def local(moment: datetime | None, workspace: Workspace) -> str | None:
    """Write a moment in the configured zone, to the second; None stays None."""
    if moment is None:
        return None
    return moment.astimezone(workspace.zone).isoformat(timespec="seconds")
