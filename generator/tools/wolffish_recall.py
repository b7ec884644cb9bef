"""``wolffish_recall``: the same index by keyword and day, under its older name."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator import limits
from generator.exceptions import UsageError
from generator.recall.days import DAY, span_of_days
from generator.recall.search import find, within
from generator.recall.store import open_recall
from generator.search import Filters
from generator.tools.base import Arguments, Tool
from generator.tools.hits import SearchResult, search_result, search_text
from generator.tools.views import lowered
from generator.workspace import Workspace

_SOURCES: dict[str, tuple[str, ...]] = {
    "episodes": ("episode",),
    "tasks": ("task",),
    "feedback": ("feedback",),
    "knowledge": ("knowledge", "consolidated"),
    "conversations": ("conversation",),
    "all": (),
}


class WolffishRecallArguments(Arguments):
    """What may be asked."""

    query: str | None = Field(None, description="words to look for; optional when date is given")
    date: str | None = Field(None, description=f"only this day: {DAY}")
    source: Literal["episodes", "tasks", "feedback", "knowledge", "conversations", "all"] = Field(
        "all", description="where to look"
    )
    limit: int | None = Field(
        None,
        ge=1,
        description=f"hits (default {limits.WOLFFISH_RECALL_DEFAULT}, at most "
        f"{limits.WOLFFISH_RECALL_MAX})",
    )


def _handle(arguments: WolffishRecallArguments, workspace: Workspace) -> SearchResult:
    query = (arguments.query or "").strip() or None
    if query is None and not arguments.date:
        raise UsageError(
            "wolffish_recall needs query or date.", hint="Give words to look for, a day, or both."
        )
    span = span_of_days(arguments.date, arguments.date, workspace, names=("date", "date"))
    limit, notes = lowered(
        arguments.limit, limits.WOLFFISH_RECALL_DEFAULT, limits.WOLFFISH_RECALL_MAX
    )
    recall = open_recall(workspace)
    sources = _SOURCES[arguments.source]
    answer = find(recall, query, within(Filters(sources=sources), span), limit=limit)
    return search_result(
        answer, recall, query=query, filters={"source": sources}, span=span, notes=notes
    )


def _render(result: SearchResult) -> str:
    return search_text(result.hits, result.total, result.searched)


TOOL = Tool(
    name="wolffish_recall",
    group="history",
    what="Looks something up by keyword, by day, or both, in the same index as memory_search.",
    when="For a quick look at one day, or when a guide names it; else memory_search does more.",
    precondition="A query or a date.",
    arguments=WolffishRecallArguments,
    result=SearchResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="wolffish",
    example={"date": "2026-05-04"},
)
