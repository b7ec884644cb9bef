"""The one full-text index over everything the product keeps.

It knows nothing of history, errors or notes: each room hands in a
:class:`~generator.model.entry.Collection` that lists its files and yields their entries.
"""

from generator.search.index import SearchIndex
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
