"""The token counter of a thread: what it says, and what it grew by."""

from __future__ import annotations

from typing import Any

from generator.history.importers.base import count_of
from generator.model.session import Tokens


def tokens_of(usage: Any) -> Tokens | None:
    """Read a usage object: its input includes what was cached, its output the reasoning."""
    if not isinstance(usage, dict):
        return None
    whole = count_of(usage.get("input_tokens"))
    cached = count_of(usage.get("cached_input_tokens"))
    fresh = None if whole is None else max(whole - (cached or 0), 0)
    return Tokens(input=fresh, output=count_of(usage.get("output_tokens")), cache_read=cached)


def growth_of(left: Tokens, right: Tokens) -> Tokens | None:
    """Return what the counter grew by; None when it went down."""
    if (left.total or 0) < (right.total or 0):
        return None

    def part(now: int | None, before: int | None) -> int | None:
        return now if now is None or before is None else now - before

    grown = Tokens(
        input=part(left.input, right.input),
        output=part(left.output, right.output),
        cache_read=part(left.cache_read, right.cache_read),
    )
    return None if (grown.output or 0) < 0 or (grown.cache_read or 0) < 0 else grown
