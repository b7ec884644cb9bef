"""The usage of a reply, in the four numbers of the ledger."""

from __future__ import annotations

from typing import Any

from generator.history.importers.base import count_of, object_of
from generator.model.session import Tokens


def tokens_of(usage: dict[str, Any]) -> Tokens:
    """Read a usage object."""
    written = count_of(usage.get("cache_creation_input_tokens"))
    if written is None:
        parts = object_of(usage.get("cache_creation"))
        known = [count for part in parts.values() if (count := count_of(part)) is not None]
        written = sum(known) if known else None
    return Tokens(
        input=count_of(usage.get("input_tokens")),
        output=count_of(usage.get("output_tokens")),
        cache_read=count_of(usage.get("cache_read_input_tokens")),
        cache_write=written,
    )
