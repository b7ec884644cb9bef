"""``conversation_list``: past conversations across every agent and channel."""

from __future__ import annotations

from pydantic import Field

from generator import limits
from generator.counting import counted
from generator.history.refs import conversation_ref
from generator.history.register import Row
from generator.recall.days import DAY, local, span_of_days
from generator.recall.quoting import one_line, quote
from generator.recall.store import Recall, open_recall
from generator.tools.base import Arguments, Result, Tool
from generator.tools.views import framed, lowered, note_lines
from generator.workspace import Workspace


class ConversationListArguments(Arguments):
    """What may be asked."""

    channel: str | None = Field(
        None,
        description="only this channel: electron, telegram, whatsapp, heartbeat or procedure; "
        "for other agents the agent's name",
    )
    query: str | None = Field(None, description="rank by what was said about these words")
    after: str | None = Field(None, description=f"first day last updated: {DAY}")
    before: str | None = Field(None, description="last day last updated, included")
    limit: int | None = Field(
        None,
        ge=1,
        description=f"conversations (default {limits.CONVERSATION_LIST_DEFAULT}, at most "
        f"{limits.CONVERSATION_LIST_MAX})",
    )
    offset: int = Field(0, ge=0, description="conversations passed over")


class ConversationRow(Result):
    """One conversation."""

    ref: str = Field(description="its ref; conversation_read and memory_get take it")
    id: str = Field(description="session id")
    channel: str = Field(description="where it was held, else the agent")
    agent: str = Field(description="the agent")
    title: str | None = Field(description="its title, when one is known")
    project: str | None = Field(description="its project, when known")
    messages: int = Field(description="messages on its thread")
    created: str | None = Field(description="time of the first record")
    updated: str | None = Field(description="time of the last record")
    parent: str | None = Field(description="id of the session that started it")


class ConversationListResult(Result):
    """The conversations."""

    conversations: list[ConversationRow] = Field(
        description="newest first, or by how well they match the query"
    )
    total: int = Field(description="conversations that fit in all")
    archived: int = Field(description="conversations in the archive")
    channels: dict[str, int] = Field(description="conversations by channel in the archive")
    next_offset: int | None = Field(description="offset that reads on; null at the end")
    notes: list[str] = Field(description="what the caller should know about this answer")


def _handle(arguments: ConversationListArguments, workspace: Workspace) -> ConversationListResult:
    recall = open_recall(workspace)
    limit, notes = lowered(
        arguments.limit, limits.CONVERSATION_LIST_DEFAULT, limits.CONVERSATION_LIST_MAX
    )
    rows = recall.reader.register.sessions()
    channels: dict[str, int] = {}
    for row in rows:
        channels[row.channel] = channels.get(row.channel, 0) + 1
    fitting = _fitting(arguments, rows, recall)
    end = arguments.offset + limit
    if arguments.query:
        page, total = _ranked(arguments, fitting, recall, limit=limit, all_fit=fitting == rows)
    else:
        page, total = fitting[arguments.offset : end], len(fitting)
    return ConversationListResult(
        conversations=[_row(row, recall) for row in page],
        total=total,
        archived=len(rows),
        channels=dict(sorted(channels.items(), key=lambda item: (-item[1], item[0]))),
        next_offset=end if end < total else None,
        notes=notes,
    )


def _fitting(arguments: ConversationListArguments, rows: list[Row], recall: Recall) -> list[Row]:
    span = span_of_days(arguments.after, arguments.before, recall.workspace)
    wanted = (arguments.channel or "").strip().lower()
    return [
        row
        for row in rows
        if span.holds(row.updated)
        and (not wanted or wanted in (row.channel.lower(), str(row.head["agent"]).lower()))
    ]


def _ranked(
    arguments: ConversationListArguments,
    rows: list[Row],
    recall: Recall,
    *,
    limit: int,
    all_fit: bool,
) -> tuple[list[Row], int]:
    """Order sessions by their best hit; those whose title alone holds the query come last."""
    from generator.recall.search import best_sessions

    query = arguments.query or ""
    by_id = {row.id: row for row in rows}
    if not by_id:
        return [], 0
    found, every = best_sessions(
        recall,
        query,
        () if all_fit else tuple(by_id),
        limit=limit,
        offset=arguments.offset,
    )
    wanted = query.strip().lower()
    titled = [
        row
        for row in rows
        if wanted in str(row.head.get("title") or "").lower() and row.id not in every
    ]
    known = sum(session in by_id for session in every)
    start = max(0, arguments.offset - known)
    page = [by_id[session] for session in found if session in by_id]
    return page + titled[start : start + limit - len(page)], known + len(titled)


def _row(row: Row, recall: Recall) -> ConversationRow:
    title = row.head.get("title")
    return ConversationRow(
        ref=conversation_ref(row.id),
        id=row.id,
        channel=row.channel,
        agent=str(row.head["agent"]),
        title=one_line(recall.veil.hide(str(title))) if title else None,
        project=row.head.get("project"),
        messages=row.messages,
        created=local(row.created, recall.workspace),
        updated=local(row.updated, recall.workspace),
        parent=row.head.get("parent"),
    )


def _render(result: ConversationListResult) -> str:
    if not result.archived:
        return "The archive holds no conversation: 'fieldguide history add PATH' fills it."
    lines = [
        f"{len(result.conversations)} of {result.total} conversations that fit; "
        f"{result.archived} in the archive."
    ]
    if not result.total:
        known = ", ".join(f"{name} ({count})" for name, count in result.channels.items())
        lines.append(
            f"None fits. This says what is archived, not what happened; channels: {known}."
        )
    for row in result.conversations:
        facts = [row.channel, row.project, counted(row.messages, "message"), row.updated]
        lines += ["", f"{row.ref}  ({', '.join(fact for fact in facts if fact)})"]
        if row.title:
            lines.append(quote(row.title))
        if row.parent:
            lines.append(f"started by session {one_line(row.parent)}")
    if result.next_offset is not None:
        lines += ["", f"More: the same call with offset={result.next_offset}."]
    return framed([*lines, *note_lines(result.notes)])


TOOL = Tool(
    name="conversation_list",
    group="history",
    what="Lists past conversations of every agent and channel, newest first.",
    when="To find which conversation something was said in, or what was worked on in some days.",
    precondition="None; without an archive it says so.",
    arguments=ConversationListArguments,
    result=ConversationListResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="wolffish",
    example={"limit": 5},
)
