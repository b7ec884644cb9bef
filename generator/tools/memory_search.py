"""``memory_search``: ranked search over everything that is indexed."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator import limits
from generator.recall.days import DAY, span_of_days
from generator.recall.meaning import find_by_both, find_by_meaning
from generator.recall.search import SOURCES, find, named_sources, session_ids, within
from generator.recall.store import open_recall
from generator.search import Filters
from generator.tools.base import Arguments, OneOrMany, Tool
from generator.tools.hits import SearchResult, search_result, search_text
from generator.tools.views import lowered
from generator.workspace import Workspace


class MemorySearchArguments(Arguments):
    """What may be asked."""

    query: str = Field(
        description="words to look for; hits with all of them come first; quotes make a phrase"
    )
    sources: OneOrMany = Field(
        default_factory=list,
        description=f"only these, as a list or with commas between: {', '.join(SOURCES)}",
    )
    after: str | None = Field(None, description=f"first day: {DAY}")
    before: str | None = Field(None, description="last day, included")
    session: str | None = Field(None, description="only this session; a unique suffix is enough")
    agent: str | None = Field(None, description="only this agent, such as claude-code")
    role: Literal["user", "assistant", "tool"] | None = Field(None, description="only this role")
    tool: str | None = Field(None, description="only calls of this tool")
    project: str | None = Field(None, description="only this project")
    order: Literal["relevance", "recent", "newest", "oldest", "semantic", "hybrid"] = Field(
        "relevance",
        description="relevance; recent (relevance that fades with age); by time alone; semantic "
        "(the newest messages by meaning); hybrid (words and meaning together)",
    )
    limit: int | None = Field(
        None,
        ge=1,
        description=f"hits (default {limits.MEMORY_SEARCH_DEFAULT}, at most "
        f"{limits.MEMORY_SEARCH_MAX})",
    )
    offset: int = Field(0, ge=0, description="hits passed over")


def _handle(arguments: MemorySearchArguments, workspace: Workspace) -> SearchResult:
    sources = named_sources(
        name for given in arguments.sources for name in given.replace("，", ",").split(",")
    )
    span = span_of_days(arguments.after, arguments.before, workspace)
    limit, notes = lowered(arguments.limit, limits.MEMORY_SEARCH_DEFAULT, limits.MEMORY_SEARCH_MAX)
    recall = open_recall(workspace)
    sessions = session_ids(recall, arguments.session)
    given = {
        "sources": sources,
        "session": sessions,
        "agent": _one(arguments.agent),
        "role": _one(arguments.role),
        "tool": _one(arguments.tool),
        "project": _one(arguments.project),
    }
    filters = Filters(
        sources=sources,
        sessions=sessions,
        agents=given["agent"],
        roles=given["role"],
        tools=given["tool"],
        projects=given["project"],
    )
    query, allowed, offset = arguments.query, within(filters, span), arguments.offset
    if arguments.order == "semantic":
        found = find_by_meaning(recall, query, allowed, limit=limit, offset=offset)
        answer, notes = found.answer, [*notes, *found.notes]
    elif arguments.order == "hybrid":
        found = find_by_both(recall, query, allowed, limit=limit, offset=offset)
        answer, notes = found.answer, [*notes, *found.notes]
    else:
        answer = find(recall, query, allowed, limit=limit, offset=offset, order=arguments.order)
    return search_result(
        answer, recall, query=arguments.query, filters=given, span=span, notes=notes
    )


def _one(value: str | None) -> tuple[str, ...]:
    return (value.strip(),) if value and value.strip() else ()


def _render(result: SearchResult) -> str:
    return search_text(result.hits, result.total, result.searched)


TOOL = Tool(
    name="memory_search",
    group="history",
    what="Searches everything ever done, said, noted or recorded; gives snippets with refs.",
    when="Before saying that something is not known, and when the user points at the past.",
    precondition="None; follow a hit with memory_get, and a miss with another wording.",
    arguments=MemorySearchArguments,
    result=SearchResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="wolffish",
    example={"query": "knots_to_ms", "sources": "conversation,task", "limit": 3},
)
