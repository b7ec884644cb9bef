"""What topics there are, as data for lists."""

from __future__ import annotations

from typing import Any

from generator.exceptions import GuideError
from generator.guides.compose import compile_guide
from generator.guides.loader import Library
from generator.tokens import estimate_tokens


def list_topics(library: Library) -> list[dict[str, Any]]:
    """Describe every loaded topic.

    Args:
        library: The loaded guides.

    Returns:
        For each: topic, title, summary, since, aliases, tools, audience, tokens, origin,
        overrides, path, and ``problem``: why its text cannot be compiled, else None.
    """
    rows = []
    for guide in library.guides.values():
        tokens, problem = 0, None
        try:
            tokens = estimate_tokens(compile_guide(guide).text)
        except GuideError as error:
            problem = str(error)
        rows.append(
            {
                "topic": guide.topic,
                "title": guide.title,
                "summary": guide.summary,
                "since": guide.since,
                "aliases": list(guide.aliases),
                "tools": list(guide.tools),
                "audience": guide.audience,
                "tokens": tokens,
                "origin": guide.origin,
                "overrides": guide.overrides,
                "path": str(guide.path),
                "problem": problem,
            }
        )
    return rows
