"""Relative links, so that the site opens from disk and from any folder of a server."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote


@lru_cache(maxsize=20_000)  # long lists link to the same pages on each rebuild
def relative(page: str, target: str) -> str:
    """Return the address of one file of the site as seen from another.

    Args:
        page: The page that links, relative to the site: ``guides/recall.html``.
        target: What it links to, likewise; may end with ``#anchor``.

    Returns:
        A relative address, percent-encoded: ``../bundles/all.md``.
    """
    path, _, anchor = target.partition("#")
    here = page.split("/")[:-1]
    there = path.split("/")
    common = 0
    while common < min(len(here), len(there) - 1) and here[common] == there[common]:
        common += 1
    steps = [".."] * (len(here) - common) + there[common:]
    address = quote("/".join(steps), safe="/-._~")
    return f"{address}#{quote(anchor)}" if anchor else address
