"""``usage_report``: what agents spent, each thing once, and how the numbers came about."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from generator.counting import counted
from generator.recall.days import DAY, days_text, span_of_days
from generator.tools.base import Arguments, Result, Tool
from generator.tools.texts import Text
from generator.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from generator.history.ledger import Spending, Spent
    from generator.timestamps import Span

_DAYS = {"week": 7, "month": 30}


class UsageReportArguments(Arguments):
    """Which time to add up."""

    period: Literal["today", "yesterday", "week", "month", "all"] = Field(
        "today", description="week is the last 7 days, month the last 30, today included"
    )
    after: Text | None = Field(
        None, description=f"first day: {DAY}; after and before override the period"
    )
    before: Text | None = Field(None, description="last day, included")
    explain: bool = Field(
        False,
        description="also say for each source which lines were read, what was left out and why, "
        "and what adding up every line would have given",
    )


class TokenCounts(Result):
    """Four disjoint counts; null is unknown, which is not 0."""

    input: int | None = Field(None, description="fresh input")
    output: int | None = Field(None, description="output, reasoning included")
    cache_read: int | None = Field(None, description="input read from a cache")
    cache_write: int | None = Field(None, description="input written to a cache")
    total: int | None = Field(None, description="sum of the known parts")


class UsageGroup(Result):
    """What a group of requests used."""

    name: str = Field(description="the model, project or day; 'total' for everything")
    requests: int = Field(description="requests to a model")
    tokens: TokenCounts = Field(description="tokens of the requests")
    cost: float | None = Field(description="US dollars, as far as known; null without any price")
    unpriced: int = Field(description="requests whose model has no price; cost leaves them out")


class ExplainedSource(Result):
    """How one source's numbers came about."""

    path: str = Field(description="the source")
    format: str = Field(description="its format")
    lines: int = Field(description="records in it that carry token numbers")
    naive: TokenCounts = Field(description="what adding up every record would give")
    right: TokenCounts = Field(description="what it is")
    dropped: dict[str, int] = Field(description="reason and number of records left out")


class Explanation(Result):
    """How the numbers came about, over all time."""

    sources: list[ExplainedSource] = Field(description="sources with token numbers")
    copies: int = Field(
        description="records that several sources show; each source counts them, the total once"
    )
    naive: TokenCounts = Field(description="sum of every record of every source")
    right: TokenCounts = Field(description="the archive's total over all time")


class UsageReportResult(Result):
    """What was spent in the period."""

    period: str = Field(description="the days that were added up")
    zone: str = Field(description="the zone that cuts days")
    total: UsageGroup = Field(description="everything")
    by_model: list[UsageGroup] = Field(description="by model, the dearest first")
    by_project: list[UsageGroup] = Field(description="by project, the dearest first")
    by_day: list[UsageGroup] = Field(description="by day, in order")
    unpriced_models: list[str] = Field(description="models that were counted and have no price")
    undated: int = Field(description="requests without a time; they count only in period=all")
    prices_date: str = Field(description="the day the shipped prices are of")
    explanation: Explanation | None = Field(None, description="with explain: how it came about")


def _handle(arguments: UsageReportArguments, workspace: Workspace) -> UsageReportResult:
    from generator.history.intake import open_books, take_in
    from generator.history.ledger import spending
    from generator.history.prices import load_prices

    span, words = _span(arguments, workspace)
    take_in(workspace)
    with open_books(workspace) as books:
        prices = load_prices(workspace.settings.prices)
        found = spending(books, span, workspace.zone, prices)
        explanation = _explanation(books) if arguments.explain else None
    return _result(found, words, str(workspace.zone), explanation)


def _span(arguments: UsageReportArguments, workspace: Workspace) -> tuple[Span, str]:
    from generator.timestamps import days_between

    if arguments.after or arguments.before:
        span = span_of_days(arguments.after, arguments.before, workspace)
        return span, days_text(span)
    today = workspace.now().date()
    if arguments.period == "all":
        return days_between(None, None, workspace.zone), "all"
    if arguments.period == "yesterday":
        day = today - timedelta(days=1)
        return days_between(day, day, workspace.zone), f"yesterday ({day})"
    first = today - timedelta(days=_DAYS.get(arguments.period, 1) - 1)
    words = f"{first}" if first == today else f"{first} to {today}"
    return days_between(first, today, workspace.zone), f"{arguments.period} ({words})"


def _explanation(books: object) -> Explanation:
    from generator.history.books import Books
    from generator.history.ledger import explained, total_tally
    from generator.history.tally import tokens_as_json
    from generator.model.session import Tokens

    assert isinstance(books, Books)
    rows, copies = explained(books)
    naive = Tokens()
    for row in rows:
        counts = {name: count for name, count in row.naive.items() if name != "total"}
        naive = naive + Tokens(**counts)
    return Explanation(
        sources=[
            ExplainedSource(
                path=row.path,
                format=row.format,
                lines=row.lines,
                naive=TokenCounts(**row.naive),
                right=TokenCounts(**row.right),
                dropped=row.dropped,
            )
            for row in rows
        ],
        copies=copies,
        naive=TokenCounts(**tokens_as_json(naive)),
        right=TokenCounts(**tokens_as_json(total_tally(books).tokens)),
    )


def _result(
    found: Spending, words: str, zone: str, explanation: Explanation | None
) -> UsageReportResult:
    return UsageReportResult(
        period=words,
        zone=zone,
        total=_group("total", found.total),
        by_model=[_group(name, spent) for name, spent in found.models.items()],
        by_project=[_group(name, spent) for name, spent in found.projects.items()],
        by_day=[_group(name, spent) for name, spent in found.days.items()],
        unpriced_models=found.unpriced,
        undated=found.undated,
        prices_date=found.prices_date,
        explanation=explanation,
    )


def _group(name: str, spent: Spent) -> UsageGroup:
    from generator.history.tally import tokens_as_json

    return UsageGroup(
        name=name,
        requests=spent.requests,
        tokens=TokenCounts(**tokens_as_json(spent.tokens)),
        cost=None if spent.cost is None else round(spent.cost, 6),
        unpriced=spent.unpriced,
    )


def render(result: UsageReportResult) -> str:
    """Return the report as lines of text."""
    lines = [f"Usage, {result.period}, days in {result.zone}:", _line(result.total)]
    if not result.total.requests:
        lines.append("No export of this period tells tokens; this is coverage, not proof of none.")
        lines.append("next: usage_report(period=all), or look at status() for what is archived.")
    for title, groups in (
        ("By model", result.by_model),
        ("By project", result.by_project),
        ("By day", result.by_day),
    ):
        if groups:
            lines += ["", f"{title}:", *(_line(group) for group in groups)]
    if result.unpriced_models:
        lines += ["", f"Without a price: {', '.join(result.unpriced_models)}."]
    lines.append(f"Prices as of {result.prices_date}; costs that an agent recorded go first.")
    if result.explanation is not None:
        lines += _explained_lines(result.explanation)
    return "\n".join(lines)


def _line(group: UsageGroup) -> str:
    tokens = group.tokens
    counts = ", ".join(
        f"{word} {'unknown' if count is None else format(count, ',')}"
        for word, count in (
            ("in", tokens.input),
            ("out", tokens.output),
            ("cache read", tokens.cache_read),
            ("cache write", tokens.cache_write),
        )
    )
    cost = "no price" if group.cost is None else f"${group.cost:,.4f}"
    short = f" ({counted(group.unpriced, 'request')} without a price)" if group.unpriced else ""
    return f"- {group.name}: {counted(group.requests, 'request')}, {counts}, {cost}{short}"


def _explained_lines(explanation: Explanation) -> list[str]:
    lines = ["", "How the numbers came about, over all time:"]
    for source in explanation.sources:
        lines.append(
            f"- {source.path} ({source.format}): {counted(source.lines, 'line')} with tokens; adding all up "
            f"gives {source.naive.total}, right is {source.right.total}"
        )
        lines += [f"    left out: {count} ({reason})" for reason, count in source.dropped.items()]
    lines.append(f"In several sources, and counted once: {counted(explanation.copies, 'record')}.")
    lines.append(f"Naive sum {explanation.naive.total}, right {explanation.right.total}.")
    return lines


TOOL = Tool(
    name="usage_report",
    group="history",
    what="Adds up what agents spent: requests, tokens in, out and cached, and cost, each thing once.",
    when="Call it for questions about usage, tokens or cost, of one day or all time.",
    precondition="Only what exports tell is known: some agents write no token numbers.",
    arguments=UsageReportArguments,
    result=UsageReportResult,
    handler=_handle,
    render=render,
    read_only=True,
    idempotent=True,
    seed="wolffish",
    example={"period": "week"},
)


def usage_report(
    period: Literal["today", "yesterday", "week", "month", "all"] = "today",
    after: str | None = None,
    before: str | None = None,
    explain: bool = False,
) -> UsageReportResult:
    """Add up what agents spent.

    Args:
        period: ``today``, ``yesterday``, ``week``, ``month`` or ``all``.
        after: First day, as a date or in words; overrides the period.
        before: Last day, included.
        explain: Also say how the numbers came about.

    Raises:
        ArgumentsError: A value does not fit.
        StorageError: The archive cannot be written though a source changed.
    """
    raw = {"period": period, "after": after, "before": before, "explain": explain}
    return TOOL.call(raw, open_workspace())
