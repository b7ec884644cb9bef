"""A message of a rollout while it is gathered from its records."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from generator.history.tally import Share


@dataclass(slots=True)
class Part:
    """A message being gathered: the places of what belongs to it.

    ``share`` is what it counted for when it was last put together.
    """

    id: str
    role: str
    ts: datetime | None
    model: str | None = None
    said: tuple[int, int] | None = None
    event: bool = False
    thoughts: list[tuple[int, int]] = field(default_factory=list)
    calls: list[tuple[tuple[int, int], datetime | None]] = field(default_factory=list)
    off: bool = False
    replayed: bool = False
    changed: bool = True
    share: Share | None = None
