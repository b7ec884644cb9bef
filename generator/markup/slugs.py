"""Anchors of headings: the form GitHub gives them, so that links work there as well."""

from __future__ import annotations

import re

_DROPPED = re.compile(r"[^\w\- ]")


def slug(title: str) -> str:
    """Turn a heading into an anchor.

    Args:
        title: The heading as plain text, in any script: ``部署 流程`` becomes ``部署-流程``.

    Returns:
        Small letters, digits, hyphens and underscores; ``section`` when nothing is left.
    """
    return _DROPPED.sub("", title.strip().lower()).replace(" ", "-") or "section"
