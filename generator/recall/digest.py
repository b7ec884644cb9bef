"""A digest of some days without a model: what was asked, what came of it, what it took.

Everything in it is a line that stands somewhere, with its ref. Lines are chosen, never written
anew: the most central sentences first, none that says what another one says, until the length
that is allowed is used up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date

from generator import limits
from generator.history.digest import Exchange, Line, Matter, gather, speaks_of
from generator.history.intake import open_books
from generator.history.ledger import Spending, spending
from generator.history.prices import load_prices
from generator.history.refs import conversation_ref
from generator.history.register import Row
from generator.history.runs import Run
from generator.history.sentences import Terms, centrality, say_the_same, terms_of
from generator.knowledge.facts import load_facts
from generator.recall.quoting import fair_shares, one_line
from generator.recall.store import Recall
from generator.timestamps import Span

# What a line costs beside its text and ref: marks, spaces, the line end.
_LINE_COST = 6
_FEWEST_ROOM = 500
_LISTED = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolLine:
    """How often a tool was called; the ref is of its newest failed call, else its newest."""

    name: str
    calls: int
    failed: int
    ref: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One request with what came of it; either may be missing."""

    asked: Line | None
    outcome: Line | None


@dataclass(slots=True, kw_only=True)
class SessionDigest:
    """What one session did on one day.

    Attributes:
        ref: The session's ref.
        title: Its title or project, empty when it has none.
        agent: The agent.
        runs: Runs of that day.
        tokens: What they cost, None when unknown.
        told: Requests and outcomes, in order.
        more: Further telling sentences.
        tools: Tools used, the most used first.
        failures: What failed calls brought back.
        files: Files that calls named.
        links: Addresses that were named.
        left_out: Lines of each kind that found no room.
    """

    ref: str
    title: str
    agent: str
    runs: int
    tokens: int | None
    told: list[Told] = field(default_factory=list)
    more: list[Line] = field(default_factory=list)
    tools: list[ToolLine] = field(default_factory=list)
    failures: list[Line] = field(default_factory=list)
    files: list[Line] = field(default_factory=list)
    links: list[Line] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True, kw_only=True)
class DayDigest:
    """What was done on one day.

    Attributes:
        day: The day; None for what has no time.
        tokens: Tokens spent on it by all sessions, None when unknown.
        cost: US dollars as far as known.
        facts: Facts and decisions saved on it.
        sessions: What each session did.
    """

    day: date | None
    tokens: int | None = None
    cost: float | None = None
    facts: list[Line] = field(default_factory=list)
    sessions: list[SessionDigest] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A digest of some days.

    Attributes:
        days: The days on which something was done, in order.
        sessions: Sessions that had something to tell.
        runs: Their runs.
        tokens: Tokens spent in the whole time, None when unknown.
        cost: US dollars as far as known.
        unpriced: Requests to models without a price.
        untold: Refs of sessions that found no room.
        unread: Sessions in that time that were not read, because there are too many.
        off_focus: Runs that do not speak of the focus.
        characters: Characters of all lines and refs.
    """

    days: tuple[DayDigest, ...]
    sessions: int
    runs: int
    tokens: int | None
    cost: float | None
    unpriced: int
    untold: tuple[str, ...]
    unread: int
    off_focus: int
    characters: int


def make_digest(
    recall: Recall, span: Span, focus: str = "", *, characters: int = limits.DIGEST_CHARACTERS
) -> Digest:
    """Make the digest of a span of days.

    Args:
        recall: The home.
        span: The days.
        focus: What it should be about; runs that do not speak of it are left out.
        characters: Length that all lines together keep to.
    """
    zone, wanted = recall.workspace.zone, terms_of(focus)
    rows = [
        row for row in recall.reader.register.sessions() if span.meets(row.created, row.updated)
    ]
    matters: list[tuple[Row, Matter]] = []
    passed_over = Counter[str]()

    def speaks(run: Run) -> bool:
        fits = speaks_of(run, wanted)
        passed_over["runs"] += not fits
        return fits

    read = rows[: limits.DIGEST_SESSIONS]
    for done, row in enumerate(read):
        recall.workspace.progress("Reading sessions", done, len(read))
        runs = recall.reader.runs(row)
        matters += [(row, found) for found in gather(runs, span, zone, recall.veil.hide, speaks)]
    with open_books(recall.workspace) as books:
        spent = spending(books, span, zone, load_prices(recall.workspace.settings.prices))
    days = _facts(recall, span, wanted)
    composer = _Composer(wanted)
    for line in (line for day in days.values() for line in day.facts):
        composer.take(line)
    shown, untold = _shares(matters, characters - composer.used)
    for (row, matter), room in shown:
        day = days.setdefault(matter.day, DayDigest(day=matter.day))
        day.sessions.append(composer.compose(row, matter, room))
    return Digest(
        days=tuple(_priced(day, spent) for day in _in_order(days.values())),
        sessions=len({row.id for row, _ in matters}),
        runs=sum(matter.runs for _, matter in matters),
        tokens=spent.total.tokens.total,
        cost=spent.total.cost,
        unpriced=spent.total.unpriced,
        untold=tuple(dict.fromkeys(conversation_ref(row.id) for row, _ in untold)),
        unread=len(rows) - len(read),
        off_focus=passed_over["runs"],
        characters=composer.used,
    )


def _facts(recall: Recall, span: Span, focus: Terms) -> dict[date | None, DayDigest]:
    """Return the facts that were saved in the days, by day."""
    days: dict[date | None, DayDigest] = {}
    zone = recall.workspace.zone
    first = span.start.astimezone(zone).date() if span.start else date.min
    end = span.end.astimezone(zone).date() if span.end else date.max
    for fact in load_facts(recall.workspace.home)[0]:
        terms = terms_of(fact.text)
        if fact.saved and first <= fact.saved < end and (not focus or focus & terms):
            text = one_line(recall.veil.hide(fact.text), limits.DIGEST_LINE_CHARACTERS)
            day = days.setdefault(fact.saved, DayDigest(day=fact.saved))
            if len(day.facts) < _LISTED:
                day.facts.append(Line(text=text, ref=fact.ref, terms=terms))
    return days


def _shares(
    matters: Sequence[tuple[Row, Matter]], characters: int
) -> tuple[list[tuple[tuple[Row, Matter], int]], list[tuple[Row, Matter]]]:
    """Give each session of each day its room; those with the fewest runs go without if need be."""
    most = max(1, characters // _FEWEST_ROOM)
    by_weight = sorted(range(len(matters)), key=lambda at: (-matters[at][1].runs, at))
    kept = sorted(by_weight[:most], key=lambda at: (matters[at][1].day or date.min, at))
    rooms = fair_shares([_size(matters[at][1]) for at in kept], characters)
    left = [matters[at] for at in sorted(by_weight[most:])]
    return [(matters[at], room) for at, room in zip(kept, rooms, strict=True)], left


def _size(matter: Matter) -> int:
    """Return how many characters all lines of a session would take."""
    lines = [line for item in matter.exchanges for line in (item.asked, *item.answers) if line]
    lines += matter.failures
    texts = [*matter.files.items(), *matter.links.items()]
    return (
        sum(_cost(line) for line in lines)
        + sum(len(text) + len(ref) + _LINE_COST for text, ref in texts)
        + sum(len(name) + len(use.ref) + 20 for name, use in matter.tools.items())
        + 200
    )


def _cost(line: Line) -> int:
    return min(len(line.text), limits.DIGEST_LINE_CHARACTERS) + len(line.ref) + _LINE_COST


class _Composer:
    """Chooses lines; it remembers what the whole digest says already.

    Args:
        focus: Terms that the reader asks for.
    """

    def __init__(self, focus: Terms) -> None:
        self.used = 0
        self._focus = focus
        self._said: list[Terms] = []

    def take(self, line: Line) -> None:
        """Count a line that is told."""
        self.used += _cost(line)
        if line.terms:
            self._said.append(line.terms)

    def compose(self, row: Row, matter: Matter, room: int) -> SessionDigest:
        """Choose what to tell of one session on one day.

        Args:
            row: The session.
            matter: What it did.
            room: Characters that may be used.
        """
        title = str(row.head.get("title") or row.head.get("project") or "")
        digest = SessionDigest(
            ref=conversation_ref(row.id),
            title=one_line(title, 80),
            agent=str(row.head["agent"]),
            runs=matter.runs,
            tokens=matter.tokens.total,
        )
        end = self.used + room
        self.used += len(digest.ref) + len(digest.title) + len(digest.agent) + 40
        weighed = _weighed(matter.exchanges, self._focus)
        # Where not all finds room, most of it is for what was asked and done; tools, files and
        # links come next, and further sentences fill what is left.
        scarce = room < _size(matter)
        self._tell(digest, weighed, self.used + (end - self.used) * 6 // 10 if scarce else end)
        self._tools(digest, matter, end)
        for kind, found in (("files", matter.files), ("links", matter.links)):
            lines = [Line(text=text, ref=ref) for text, ref in found.items()]
            self._some(digest, kind, lines[:_LISTED], end)
            digest.left_out[kind] += max(0, len(lines) - _LISTED)
        self._more(digest, weighed, end)
        return digest

    def _tell(self, digest: SessionDigest, weighed: Sequence[_Weighed], end: int) -> None:
        chosen: list[tuple[int, Told]] = []
        for item in sorted(weighed, key=lambda item: (-item.weight, item.place)):
            asked = item.exchange.asked
            if asked and self._repeats(asked.terms, whole=False):
                asked = None
            outcome = item.best(lambda line: not self._repeats(line.terms), asked)
            lines = [line for line in (asked, outcome) if line]
            if not lines:
                continue
            if chosen and self.used + sum(map(_cost, lines)) > end:
                digest.left_out["requests"] += 1
                continue
            for line in lines:
                self.take(line)
            chosen.append((item.place, Told(asked=_cut(asked), outcome=_cut(outcome))))
        digest.told = [told for _, told in sorted(chosen, key=lambda pair: pair[0])]

    def _tools(self, digest: SessionDigest, matter: Matter, end: int) -> None:
        ranked = sorted(matter.tools.items(), key=lambda pair: (-pair[1].calls, pair[0]))
        for name, use in ranked:
            cost = len(name) + len(use.ref) + 20
            if len(digest.tools) == _LISTED or self.used + cost > end:
                digest.left_out["tools"] += 1
                continue
            self.used += cost
            digest.tools.append(
                ToolLine(name=name, calls=use.calls, failed=use.failed, ref=use.ref)
            )
        self._some(digest, "failures", matter.failures, end)

    def _some(self, digest: SessionDigest, kind: str, lines: Iterable[Line], end: int) -> None:
        kept: list[Line] = getattr(digest, kind)
        for line in lines:
            if line.terms and self._repeats(line.terms):
                continue
            if self.used + _cost(line) > end or len(kept) == _LISTED:
                digest.left_out[kind] += 1
                continue
            self.take(line)
            kept.append(_shortened(line))

    def _more(self, digest: SessionDigest, weighed: Sequence[_Weighed], end: int) -> None:
        sentences = [
            (weight, item.place, at, line)
            for item in weighed
            for at, (line, weight) in enumerate(
                zip(item.exchange.answers, item.weights, strict=True)
            )
        ]
        chosen: list[tuple[int, int, Line]] = []
        for _, place, at, line in sorted(sentences, key=lambda found: (-found[0], *found[1:3])):
            if not self._repeats(line.terms) and self.used + _cost(line) <= end:
                self.take(line)
                chosen.append((place, at, _shortened(line)))
        digest.more = [line for _, _, line in sorted(chosen, key=lambda found: found[:2])]

    def _repeats(self, terms: Terms, *, whole: bool = True) -> bool:
        """Tell whether this was said already; a sentence of no terms says nothing."""
        if not terms:
            return whole
        return any(say_the_same(terms, said) for said in self._said)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """An exchange with the weight of each of its answers, and of the whole."""

    place: int
    exchange: Exchange
    weights: tuple[float, ...]
    weight: float

    def best(self, new: Callable[[Line], bool], asked: Line | None) -> Line | None:
        """Return the weightiest answer that is new and does not repeat the request."""
        ranked = sorted(
            zip(self.weights, self.exchange.answers, strict=True), key=lambda pair: -pair[0]
        )
        for _, line in ranked:
            if new(line) and not (asked and say_the_same(line.terms, asked.terms)):
                return line
        return None


def _weighed(exchanges: Sequence[Exchange], focus: Terms) -> list[_Weighed]:
    lines = [line for item in exchanges for line in (item.asked, *item.answers) if line]
    weight_of = dict(
        zip(map(id, lines), centrality([line.terms for line in lines], focus), strict=True)
    )
    weighed = []
    for place, exchange in enumerate(exchanges):
        weights = tuple(weight_of[id(line)] for line in exchange.answers)
        asked = weight_of[id(exchange.asked)] if exchange.asked else 0.0
        weighed.append(_Weighed(place, exchange, weights, asked + max(weights, default=0.0)))
    return weighed


def _shortened(line: Line) -> Line:
    return Line(
        text=one_line(line.text, limits.DIGEST_LINE_CHARACTERS), ref=line.ref, terms=line.terms
    )


def _cut(line: Line | None) -> Line | None:
    return _shortened(line) if line else None


def _in_order(days: Iterable[DayDigest]) -> list[DayDigest]:
    return sorted(days, key=lambda item: (item.day is None, item.day or date.min))


def _priced(day: DayDigest, spent: Spending) -> DayDigest:
    found = spent.days.get(day.day.isoformat()) if day.day else None
    if found:
        day.tokens, day.cost = found.tokens.total, found.cost
    return day
