"""The recalling tools, and the older name of ``write_result``, as Python functions.

The other tools have their function beside their table entry; these would make long modules
longer. Each takes the arguments of its tool, works on the home of the process, and returns the
structured result. A value that does not fit raises ``ArgumentsError``, days that cannot be read
``UsageError``, an index that cannot be built ``IndexUnavailableError``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, cast

from generator.workspace import open_workspace

if TYPE_CHECKING:
    from generator.tools.chat_history import ChatHistoryResult
    from generator.tools.conversation_list import ConversationListResult
    from generator.tools.conversation_read import ConversationReadResult
    from generator.tools.hits import SearchResult
    from generator.tools.memory import MemoryResult
    from generator.tools.memory_get import MemoryGetResult
    from generator.tools.status import StatusResult
    from generator.tools.write_result import WriteResultResult


def _call(tool: str, /, **given: Any) -> Any:
    from generator.tools import get_tool

    # What was left out is left to the tool's own default.
    arguments = {key: value for key, value in given.items() if value is not None}
    return get_tool(tool).call(arguments, open_workspace())


def _many(value: str | Sequence[str]) -> str | list[str]:
    return value if isinstance(value, str) else list(value)


def chat_history(
    mode: Literal["list", "read", "tool_list", "tool", "search"] | None = None,
    *,
    task_id: str | Sequence[str] = (),
    name: str | None = None,
    keyword: str | None = None,
    match: Literal["keyword", "semantic"] = "keyword",
    scope: Literal["reference", "full"] | None = None,
    time_range: Literal["1d", "7d", "1m", "1y", "all"] = "all",
    session_id: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> ChatHistoryResult:
    """Tell what a session did, run by run, and find what was said in any.

    Args:
        mode: What is wanted; when left out, the other arguments tell.
        task_id: One or more runs, as ``list`` and ``search`` name them.
        name: ``tool``: the tool that was called.
        keyword: ``search``: what to look for.
        match: ``search``: by keyword, or by meaning among recent messages.
        scope: ``read``: only the expensive payloads, or everything.
        time_range: ``search``: how far back.
        session_id: The session meant; a unique suffix is enough.
        limit: How many runs, hits or characters; each mode has its own default and maximum.
        offset: How many to pass over.

    Raises:
        NotFoundError: There is no such run, call or session.
    """
    answer = _call(
        "chat_history", mode=mode, task_id=_many(task_id), name=name, keyword=keyword,
        match=match, scope=scope, time_range=time_range, session_id=session_id, limit=limit,
        offset=offset,
    )  # fmt: skip
    return cast("ChatHistoryResult", answer)


def memory(
    mode: Literal["search", "read", "summarize"] | None = None,
    *,
    query: str | None = None,
    session_id: str | None = None,
    date_range: str | Sequence[str] | Mapping[str, str] | None = None,
    date: str | None = None,
    order: Literal["asc", "desc", "newest"] = "asc",
    limit: int | None = None,
    top_k: int | None = None,
    offset: int = 0,
    since: str | None = None,
    until: str | None = None,
    focus: str | None = None,
    rounds: int | None = None,
    referent: bool = False,
) -> MemoryResult:
    """Search messages, read them in order, or get a digest of some days.

    Args:
        mode: What is wanted; when left out, the other arguments tell.
        query: ``search``: words to look for.
        session_id: The session that comes first, or is read.
        date_range: ``search``: two days, both included, or one text such as ``last week``.
        date: ``read``: a day.
        order: ``read``: which comes first.
        limit: Hits or messages.
        top_k: ``search``: the same as limit.
        offset: Hits or messages passed over.
        since: ``summarize``: first day.
        until: ``summarize``: last day, included.
        focus: ``summarize``: only runs that speak of one of these words.
        rounds: ``read``: only the last so many rounds of the session.
        referent: ``read``: what "my question" or "that file" may mean is wanted.

    Raises:
        NotFoundError: There is no such session.
    """
    if date_range is not None and not isinstance(date_range, str | Mapping):
        date_range = list(date_range)
    answer = _call(
        "memory", mode=mode, query=query, session_id=session_id, date_range=date_range,
        date=date, order=order, limit=limit, top_k=top_k, offset=offset, since=since,
        until=until, focus=focus, rounds=rounds, referent=referent,
    )  # fmt: skip
    return cast("MemoryResult", answer)


def memory_search(
    query: str,
    *,
    sources: str | Sequence[str] = (),
    after: str | None = None,
    before: str | None = None,
    session: str | None = None,
    agent: str | None = None,
    role: Literal["user", "assistant", "tool"] | None = None,
    tool: str | None = None,
    project: str | None = None,
    order: Literal["relevance", "recent", "newest", "oldest", "semantic", "hybrid"] = "relevance",
    limit: int | None = None,
    offset: int = 0,
) -> SearchResult:
    """Search everything that was done, said, noted or recorded.

    Args:
        query: Words to look for; quotes make a phrase.
        sources: Only these, such as ``conversation`` or ``note``.
        after: First day, as a date or in words.
        before: Last day, included.
        session: Only this session; a unique suffix is enough.
        agent: Only this agent.
        role: Only this role.
        tool: Only calls of this tool.
        project: Only this project.
        order: What comes first.
        limit: Hits.
        offset: Hits passed over.

    Raises:
        UnknownNameError: There is no such source.
    """
    answer = _call(
        "memory_search", query=query, sources=_many(sources), after=after, before=before,
        session=session, agent=agent, role=role, tool=tool, project=project, order=order,
        limit=limit, offset=offset,
    )  # fmt: skip
    return cast("SearchResult", answer)


def memory_get(ref: str, *, limit: int | None = None, offset: int | None = None) -> MemoryGetResult:
    """Give the whole content behind a ref.

    Args:
        ref: A ref as a search printed it, such as ``conversation:<id>#3``.
        limit: How much to give: characters, messages or lines, as the content has it.
        offset: How much to pass over.

    Raises:
        UsageError: It is not a ref.
        NotFoundError: Nothing stands behind it.
    """
    return cast("MemoryGetResult", _call("memory_get", ref=ref, limit=limit, offset=offset))


def conversation_list(
    *,
    channel: str | None = None,
    query: str | None = None,
    after: str | None = None,
    before: str | None = None,
    limit: int | None = None,
    offset: int = 0,
) -> ConversationListResult:
    """List past conversations, the newest first.

    Args:
        channel: Only this channel, or this agent.
        query: Rank by what was said about these words.
        after: First day, as a date or in words.
        before: Last day, included.
        limit: Conversations.
        offset: Conversations passed over.
    """
    answer = _call(
        "conversation_list", channel=channel, query=query, after=after, before=before,
        limit=limit, offset=offset,
    )  # fmt: skip
    return cast("ConversationListResult", answer)


def conversation_read(
    id: str,  # noqa: A002 - the tool's own name for it
    *,
    from_: int | None = None,
    to: int | None = None,
    what: Literal["messages", "tools", "all"] = "all",
    detail: Literal["brief", "full"] = "brief",
) -> ConversationReadResult:
    """Read a conversation, the newest part first when it is long.

    Args:
        id: The session; a unique suffix is enough.
        from_: First message; the tool's argument ``from``.
        to: Last message.
        what: Messages, tool calls or both.
        detail: How much of long texts.

    Raises:
        NotFoundError: There is no such session.
    """
    answer = _call(
        "conversation_read", **{"from": from_}, id=id, to=to, what=what, detail=detail
    )  # fmt: skip
    return cast("ConversationReadResult", answer)


def wolffish_recall(
    query: str | None = None,
    *,
    date: str | None = None,
    source: Literal["episodes", "tasks", "feedback", "knowledge", "conversations", "all"] = "all",
    limit: int | None = None,
) -> SearchResult:
    """Recall by words, by day or both.

    Args:
        query: Words to look for.
        date: A day, as a date or in words.
        source: Where to look.
        limit: Hits.

    Raises:
        UsageError: Neither words nor a day is given.
    """
    answer = _call("wolffish_recall", query=query, date=date, source=source, limit=limit)
    return cast("SearchResult", answer)


def status(
    mode: Literal["overview", "performance", "memory", "files", "channels"] = "overview",
) -> StatusResult:
    """Say what is stored and how it is.

    Args:
        mode: Which part.
    """
    return cast("StatusResult", _call("status", mode=mode))


def write_report(content: str) -> WriteResultResult:
    """Save a Markdown report; the older name of :func:`write_result`.

    Args:
        content: The complete file.

    Raises:
        StorageError: It cannot be written.
    """
    return cast("WriteResultResult", _call("write_report", content=content))
