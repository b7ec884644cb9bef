"""Heads in the books, and what several sources know of one session joined into one head."""

from __future__ import annotations

import json
from dataclasses import replace

from generator.exceptions import RecordError
from generator.history.canonical import decode, encode
from generator.model.session import Head, SubagentInfo


def head_text(head: Head) -> str:
    """Write a head for the books."""
    return encode(head).decode()


def head_from(text: str) -> Head:
    """Read a head that :func:`head_text` wrote."""
    found = decode(text)
    assert isinstance(found, Head)
    return found


def load_head(text: str) -> Head | None:
    """Read a head from the books; None when it is broken."""
    try:
        return head_from(text)
    except (RecordError, AssertionError, json.JSONDecodeError):
        return None


def merged(old: Head | None, new: Head, *, newer_holds: bool) -> Head:
    """Join what two sources know of one session.

    Args:
        old: What the archive knows, None for a new session.
        new: What a source says now.
        newer_holds: Whether the source's word goes first where both say something.
    """
    if old is None:
        return new
    first, second = (new, old) if newer_holds else (old, new)
    agents: dict[str, SubagentInfo] = {}
    for info in (*old.subagents, *new.subagents):
        before = agents.get(info.id)
        agents[info.id] = SubagentInfo(
            id=info.id,
            kind=info.kind or (before.kind if before else None),
            description=info.description or (before.description if before else None),
        )
    moments = [moment for moment in (old.created, new.created) if moment]
    ends = [moment for moment in (old.updated, new.updated) if moment]
    return replace(
        first,
        title=first.title or second.title,
        project=first.project or second.project,
        cwd=first.cwd or second.cwd,
        channel=first.channel or second.channel,
        parent=first.parent or second.parent,
        created=min(moments, default=None),
        updated=max(ends, default=None),
        subagents=tuple(agents.values()),
        sources=tuple(dict.fromkeys((*old.sources, *new.sources))),
    )
