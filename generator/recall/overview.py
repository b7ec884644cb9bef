"""What a home holds and how its agents fare, counted for ``status``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from generator import limits
from generator.history.register import Row
from generator.recall.search import SOURCES, find
from generator.recall.store import Recall
from generator.search import Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A group of things with the times it reaches over."""

    name: str
    count: int
    messages: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None


@dataclass(slots=True, kw_only=True)
class ToolRecord:
    """How the calls of one tool ended."""

    name: str
    ended: Counter[str] = field(default_factory=Counter)

    @property
    def calls(self) -> int:
        """Every call."""
        return self.ended.total()

    @property
    def success(self) -> float | None:
        """The share that went well of those that ended, None when none did."""
        finished = self.calls - self.ended["unfinished"]
        return round(self.ended["ok"] / finished, 3) if finished else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """How tool calls ended in the newest sessions.

    Attributes:
        sessions: Sessions that were read.
        of: Sessions in all.
        tools: The tools, the most used first.
    """

    sessions: int
    of: int
    tools: tuple[ToolRecord, ...]


def by_source(recall: Recall) -> list[Stretch]:
    """Count the index by source, with the times each reaches over."""
    held = recall.index.coverage().sources
    stretches = []
    for source in [*SOURCES, *(name for name in held if name not in SOURCES)]:
        if source in held:
            filters = Filters(sources=(source,))
            newest = find(recall, None, filters, limit=1).hits
            oldest = find(recall, None, filters, limit=1, order="oldest").hits
            stretches.append(
                Stretch(
                    name=source,
                    count=held[source],
                    oldest=_moment(oldest[0].hit.ts) if oldest else None,
                    newest=_moment(newest[0].hit.ts) if newest else None,
                )
            )
    return stretches


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


def by_agent(rows: Sequence[Row]) -> list[Stretch]:
    """Count sessions by agent, the last active first."""
    return _grouped(rows, [str(row.head["agent"]) for row in rows])


def by_channel(rows: Sequence[Row]) -> list[Stretch]:
    """Count sessions by channel, the last active first."""
    return _grouped(rows, [row.channel for row in rows])


def _grouped(rows: Sequence[Row], names: Sequence[str]) -> list[Stretch]:
    groups: dict[str, list[Row]] = {}
    for name, row in zip(names, rows, strict=True):
        groups.setdefault(name, []).append(row)
    stretches = [
        Stretch(
            name=name,
            count=len(group),
            messages=sum(row.messages for row in group),
            oldest=min((row.created for row in group if row.created), default=None),
            newest=max((row.updated for row in group if row.updated), default=None),
        )
        for name, group in groups.items()
    ]
    dated = [item for item in stretches if item.newest]
    dated.sort(key=lambda item: (item.newest, item.name), reverse=True)
    return dated + [item for item in stretches if not item.newest]


def performance(recall: Recall) -> Performance:
    """Count how the tool calls of the newest sessions ended."""
    rows = recall.reader.register.sessions()
    tools: dict[str, ToolRecord] = {}
    read, sessions = 0, 0
    for row in rows:
        if read and read + row.messages > limits.STATUS_MESSAGES:
            break
        session = recall.reader.session(row)
        calls = [call for message in session.messages for call in message.calls]
        calls += [call for action in session.actions for call in action.calls]
        for call in calls:
            tools.setdefault(call.name, ToolRecord(name=call.name)).ended[call.status] += 1
        read += len(session.messages)
        sessions += 1
    ranked = sorted(tools.values(), key=lambda item: (-item.calls, item.name))
    return Performance(sessions=sessions, of=len(rows), tools=tuple(ranked))
