"""Anchors of headings: the form GitHub gives them, so that links work there as well."""

from __future__ import annotations

import re
from collections.abc import Iterable

_DROPPED = re.compile(r"[^\w\- ]")


def slug(title: str) -> str:
    """Turn a heading into an anchor.

    Args:
        title: The heading as plain text, in any script: ``部署 流程`` becomes ``部署-流程``.

    Returns:
        Small letters, digits, hyphens and underscores; ``section`` when nothing is left.
    """
    return _DROPPED.sub("", title.strip().lower()).replace(" ", "-") or "section"


def unique_anchors(slugs: Iterable[str]) -> list[str]:
    """Number anchors that stand several times, as the Markdown parser does: ``a``, ``a-1``, ``a-2``.

    Args:
        slugs: The anchor each heading of a text would have alone, in order.
    """
    anchors: list[str] = []
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    for plain in slugs:
        anchor = plain
        while anchor in taken:
            numbers[plain] = numbers.get(plain, 0) + 1
            anchor = f"{plain}-{numbers[plain]}"
        taken.add(anchor)
        anchors.append(anchor)
    return anchors
