"""The named bundles: sets of topics that are wanted together."""

from __future__ import annotations

from collections.abc import Sequence

# name: topics, in order. `all` holds every topic there is.
BUNDLES: dict[str, tuple[str, ...]] = {
    "recovery": ("tool_error",),
    "reporting": ("html_render", "figure", "office"),
    "research": ("web_search", "market_analysis", "subagent_dispatch", "write_todo"),
}
ALL = "all"


def named_bundles(available: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return every named bundle with the topics of it that are there, empty ones left out.

    Args:
        available: The topics that are there, in topic order.
    """
    bundles = {
        name: tuple(topic for topic in topics if topic in available)
        for name, topics in BUNDLES.items()
    }
    bundles[ALL] = tuple(available)
    return {name: topics for name, topics in bundles.items() if topics}
