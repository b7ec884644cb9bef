"""The one full-text index over everything the product keeps.

It knows nothing of history, errors or notes: each room hands in a
:class:`~generator.model.entry.Collection` that lists its files and yields their entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from generator.search.query import Term, parse_query
from generator.search.results import (
    Filters,
    Hit,
    Order,
    Pointer,
    Refreshed,
    Results,
    Searched,
    Snippet,
)

if TYPE_CHECKING:
    from generator.search.index import SearchIndex

__all__ = [
    "Filters",
    "Hit",
    "Order",
    "Pointer",
    "Refreshed",
    "Results",
    "SearchIndex",
    "Searched",
    "Snippet",
    "Term",
    "parse_query",
]


def __getattr__(name: str) -> Any:
    """Load the index, and Whoosh with it, only where it is used."""
    if name == "SearchIndex":
        from generator.search.index import SearchIndex

        return SearchIndex
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
