"""``conversation_read``: one conversation, its messages and tool calls, a range at a time."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator import limits
from generator.counting import counted
from generator.echo import quoted
from generator.exceptions import UsageError
from generator.history.refs import conversation_ref
from generator.history.register import Row
from generator.recall.days import local
from generator.recall.quoting import one_line, quote
from generator.recall.store import Recall, open_recall
from generator.tools.base import Arguments, Result, Tool
from generator.tools.views import (
    MessageView,
    framed,
    lowered,
    message_lines,
    message_views,
    note_lines,
)
from generator.workspace import Workspace


class ConversationReadArguments(Arguments):
    """What may be asked."""

    id: str = Field(
        min_length=1, description="session id; a unique suffix is enough; ID/AGENT for a sidechain"
    )
    from_: int | None = Field(None, alias="from", ge=1, description="first message number")
    to: int | None = Field(
        None,
        ge=1,
        description="last message number; with neither bound the last "
        f"{limits.CONVERSATION_READ_DEFAULT} messages, at most {limits.CONVERSATION_READ_MAX} "
        "in one answer",
    )
    what: Literal["messages", "tools", "all"] = Field(
        "all", description="text only, tool calls only, or both"
    )
    detail: Literal["brief", "full"] = Field(
        "brief", description="brief cuts long texts and results, full cuts less"
    )


class ConversationReadResult(Result):
    """A range of a conversation."""

    ref: str = Field(description="ref of the whole conversation or sidechain")
    file: str = Field(description="ref of its archive file; memory_get returns the bytes in it")
    session: str = Field(description="session id")
    agent: str = Field(description="the agent it was held with")
    channel: str = Field(description="where it was held, else the agent")
    title: str | None = Field(description="its title, when one is known")
    project: str | None = Field(description="its project, when known")
    parent: str | None = Field(description="ref of the session that started this thread")
    sidechains: list[str] = Field(description="refs of its sidechains")
    tasks: list[str] = Field(description="refs of runs that the agent recorded itself")
    updated: str | None = Field(description="time of the last record")
    first: int = Field(description="number of the first message given; 0 when none is")
    last: int = Field(description="number of the last message given; 0 when none is")
    total: int = Field(description="number of the newest message of this thread")
    messages: list[MessageView] = Field(description="the messages, off-thread ones marked")
    notes: list[str] = Field(description="what the caller should know about this answer")


def _handle(arguments: ConversationReadArguments, workspace: Workspace) -> ConversationReadResult:
    recall = open_recall(workspace)
    row, agent = _find(arguments.id, recall)
    total = len(row.marks.get(agent, b""))
    numbers, notes = _range(arguments, total)
    messages = recall.reader.messages(row, numbers, agent)
    full = arguments.detail == "full"
    views = message_views(
        [(row.id, message) for message in messages],
        recall,
        what=arguments.what,
        text_room=limits.FILE_EXCERPT_CHARACTERS if full else limits.BRIEF_TEXT_CHARACTERS,
        call_room=limits.FILE_EXCERPT_CHARACTERS if full else limits.BRIEF_CALL_CHARACTERS,
        budget=limits.ANSWER_CHARACTERS,
    )
    if arguments.what == "tools":
        views = [view for view in views if view.calls]
    return ConversationReadResult(
        ref=conversation_ref(row.id, agent=agent or None),
        file=f"file:{row.path.relative_to(workspace.home.root).as_posix()}",
        session=row.id,
        agent=str(row.head["agent"]),
        channel=row.channel,
        title=recall.veil.hide(str(row.head["title"])) if row.head.get("title") else None,
        project=row.head.get("project"),
        parent=_parent(row, agent, recall),
        sidechains=[
            conversation_ref(row.id, agent=name) for name in row.marks if name not in ("", agent)
        ],
        tasks=[f"task:{task}" for task in row.tasks],
        updated=local(row.updated, workspace),
        first=messages[0].n if messages else 0,
        last=messages[-1].n if messages else 0,
        total=total,
        messages=views,
        notes=notes,
    )


def _find(name: str, recall: Recall) -> tuple[Row, str]:
    """Find a session, or a sidechain as ``session/agent``."""
    session, slash, agent = name.strip().rpartition("/")
    if slash and session:
        row = recall.reader.exact(name.strip().removeprefix("conversation:"))
        if row is not None:
            return row, ""
        row = recall.reader.find(session)
        if agent in row.marks:
            return row, agent
        known = ", ".join(name for name in row.marks if name) or "none"
        raise UsageError(
            f"Session {row.id} has no sidechain {quoted(agent)}.", hint=f"Its sidechains: {known}."
        )
    return recall.reader.find(name), ""


def _parent(row: Row, agent: str, recall: Recall) -> str | None:
    """Return the ref of what started this thread, when the archive holds it."""
    if agent:
        return conversation_ref(row.id)
    parent = str(row.head.get("parent") or "")
    return conversation_ref(parent) if parent and recall.reader.exact(parent) else None


def _range(arguments: ConversationReadArguments, total: int) -> tuple[range, list[str]]:
    """Return the numbers of the messages wanted, and a note when they were held to the limit."""
    first, last = arguments.from_, arguments.to
    if first is not None and last is not None and last < first:
        raise UsageError(
            f"to ({last}) lies before from ({first}), so no message is left.",
            hint="Swap the two numbers.",
        )
    if first is None:
        last = min(last, total) if last is not None else total
        first = max(1, last - limits.CONVERSATION_READ_DEFAULT + 1)
    elif last is None:
        last = first + limits.CONVERSATION_READ_MAX - 1
    count, notes = lowered(
        last - first + 1,
        limits.CONVERSATION_READ_DEFAULT,
        limits.CONVERSATION_READ_MAX,
        "the number of messages",
    )
    if total and first > total:
        notes.append(f"the conversation ends at message {total}")
    return range(first, min(first + count, total + 1)), notes


def _render(result: ConversationReadResult) -> str:
    facts = [result.channel, result.project, result.updated]
    lines = [f"{result.ref}  ({', '.join(fact for fact in facts if fact)})"]
    if result.title:
        lines.append(quote(one_line(result.title)))
    lines.append(f"whole file: {result.file}")
    if result.parent:
        lines.append(f"started by: {result.parent}")
    if result.sidechains:
        lines.append(f"sidechains: {', '.join(result.sidechains)}")
    if result.tasks:
        lines.append(f"recorded runs: {', '.join(result.tasks)}")
    if result.messages:
        lines.append(f"messages {result.first} to {result.last} of {result.total}")
    else:
        lines.append(
            f"Nothing of this kind in that range; the thread has {counted(result.total, 'message')}."
        )
    for view in result.messages:
        lines += ["", *message_lines(view)]
    if result.first > 1:
        lines += ["", f"Earlier: the same call with to={result.first - 1}."]
    if result.last and result.last < result.total:
        lines += ["", f"Later: the same call with from={result.last + 1}."]
    return framed([*lines, *note_lines(result.notes)])


TOOL = Tool(
    name="conversation_read",
    group="history",
    what="Reads one conversation: messages and tool calls, a range at a time.",
    when="After a search or a list named a conversation, and to recover folded turns.",
    precondition="An id from conversation_list or a ref; the end of the id is enough.",
    arguments=ConversationReadArguments,
    result=ConversationReadResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="wolffish",
    example={"id": "3f1c9a10", "from": 1, "to": 4},
)
