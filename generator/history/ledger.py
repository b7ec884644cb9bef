"""Sums over the archive, each thing once: the total of the status, and what was spent."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from typing import Any

from generator.history.books import Books
from generator.history.prices import Prices
from generator.history.tally import Tally
from generator.model.session import Tokens
from generator.timestamps import Span


def total_tally(books: Books) -> Tally:
    """Return the numbers of the whole archive; copies are left out."""
    tally = Tally()
    database = books.database
    tally.sessions = database.execute(
        "SELECT count(*) FROM files WHERE holds = 'session'"
    ).fetchone()[0]
    groups = {"active": tally.messages, "off": tally.off_thread, "side": tally.sidechain}
    for thread, role, count in database.execute(
        "SELECT thread, role, count(*) FROM entries WHERE kind = 'message' AND copy IS NULL "
        "AND NOT partial GROUP BY thread, role"
    ):
        groups[thread][role] = count
    calls = database.execute(
        "SELECT sum(calls), sum(errors), sum(unfinished) FROM entries "
        "WHERE copy IS NULL AND (kind = 'action' OR (kind = 'message' AND thread != 'off'))"
    ).fetchone()
    tally.calls, tally.errors, tally.unfinished = (value or 0 for value in calls)
    tally.tokens = _tokens(
        database.execute(
            "SELECT sum(tin), sum(tout), sum(tread), sum(twrite) FROM entries WHERE copy IS NULL"
        ).fetchone()
    )
    return tally


def _tokens(row: Any) -> Tokens:
    return Tokens(input=row[0], output=row[1], cache_read=row[2], cache_write=row[3])


@dataclass(slots=True)
class Spent:
    """What a group of requests used.

    Attributes:
        requests: Requests to a model, as far as the exports tell them apart.
        tokens: Their tokens.
        cost: US dollars as far as they are known; None when no request has a price.
        unpriced: Requests whose model has no price.
    """

    requests: int = 0
    tokens: Tokens = field(default_factory=Tokens)
    cost: float | None = None
    unpriced: int = 0

    def add(self, tokens: Tokens, cost: float | None) -> None:
        """Count one request."""
        self.requests += 1
        self.tokens = self.tokens + tokens
        if cost is None:
            self.unpriced += 1
        else:
            self.cost = (self.cost or 0.0) + cost


@dataclass(slots=True, kw_only=True)
class Spending:
    """What was spent in a span of time.

    Attributes:
        total: Everything.
        models: By model.
        projects: By project.
        days: By day in the zone, in order.
        agents: By agent.
        sessions: By session id.
        unpriced: Models without a price, by name.
        undated: Requests without any time; they count only where no day is asked for.
        prices_date: The day the shipped prices are of.
    """

    total: Spent = field(default_factory=Spent)
    models: dict[str, Spent] = field(default_factory=dict)
    projects: dict[str, Spent] = field(default_factory=dict)
    days: dict[str, Spent] = field(default_factory=dict)
    agents: dict[str, Spent] = field(default_factory=dict)
    sessions: dict[str, Spent] = field(default_factory=dict)
    unpriced: list[str] = field(default_factory=list)
    undated: int = 0
    prices_date: str = ""


_UNKNOWN = "unknown"
_SPENT = (
    "SELECT e.ts, e.model, e.tin, e.tout, e.tread, e.twrite, e.cost, f.project, f.agent, "
    "f.session "
    "FROM entries e JOIN files f ON f.id = e.file WHERE e.copy IS NULL AND (e.tin IS NOT NULL "
    "OR e.tout IS NOT NULL OR e.tread IS NOT NULL OR e.twrite IS NOT NULL) "
    "AND (? IS NULL OR e.ts >= ?) AND (? IS NULL OR e.ts < ?)"
)


def spending(
    books: Books,
    span: Span,
    zone: tzinfo,
    prices: Prices,
    *,
    only: Collection[str] | None = None,
    of_agent: str = "",
) -> Spending:
    """Add up what was spent, each thing once.

    Args:
        books: The archive's books.
        span: Which time.
        zone: The zone that cuts days.
        prices: What tokens cost where the export does not say.
        only: Ids of the sessions that count; None for all, and for what an agent spent outside
            of them.
        of_agent: Only what this agent spent; empty for all.
    """
    found = Spending(prices_date=prices.date)
    start = span.start.timestamp() if span.start else None
    end = span.end.timestamp() if span.end else None
    for row in books.database.execute(_SPENT, (start, start, end, end)):
        ts, model, *counts, cost, project, agent, session = row
        if (only is not None and session not in only) or (of_agent and agent != of_agent):
            continue
        tokens = Tokens(
            input=counts[0], output=counts[1], cache_read=counts[2], cache_write=counts[3]
        )
        charged = cost if cost is not None else prices.cost(model, tokens)
        day = _UNKNOWN
        if ts is None:
            found.undated += 1
        else:
            day = datetime.fromtimestamp(ts, zone).date().isoformat()
        name = model or _UNKNOWN
        if charged is None and name not in found.unpriced:
            found.unpriced.append(name)
        for group, key in (
            (found.models, name),
            (found.projects, project or agent),
            (found.days, day),
            (found.agents, agent),
            (found.sessions, session or ""),
        ):
            group.setdefault(key, Spent()).add(tokens, charged)
        found.total.add(tokens, charged)
    found.days = dict(sorted(found.days.items()))
    for group in (found.models, found.projects, found.agents):
        ordered = sorted(
            group.items(), key=lambda item: (-(item[1].cost or 0), -(item[1].tokens.total or 0))
        )
        group.clear()
        group.update(ordered)
    found.unpriced.sort()
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """How one source's numbers came about.

    Attributes:
        path: The source.
        format: Its format.
        lines: Records in it that carry token numbers.
        naive: What adding up every one of them would give.
        right: What it is, counted as the format means it.
        dropped: Reason and number of what was left out.
    """

    path: str
    format: str
    lines: int
    naive: dict[str, int | None]
    right: dict[str, int | None]
    dropped: dict[str, int]


def explained(books: Books) -> tuple[list[Explained], int]:
    """Return how each source's numbers came about, and how many records are copies.

    Copies are what one source shows again of another; each source counts its own, and the
    total leaves them out.
    """
    rows = []
    for path, name, report, _ in books.reports():
        audit = report.get("audit", {})
        if audit.get("lines"):
            rows.append(
                Explained(
                    path=path,
                    format=name,
                    lines=audit["lines"],
                    naive=audit["naive"],
                    right=report["tokens"],
                    dropped=audit["dropped"],
                )
            )
    copies = books.database.execute(
        "SELECT count(*) FROM entries WHERE copy IS NOT NULL AND (tin IS NOT NULL "
        "OR tout IS NOT NULL OR tread IS NOT NULL OR twrite IS NOT NULL)"
    ).fetchone()[0]
    return rows, copies
