"""The history model: sessions, messages, tool calls, runs, spending, documents.

One shape for every agent. Counting terms are those of the format reference: a message is one
human prompt or assistant reply on the active thread; off-thread and sidechain messages are
kept, marked, and counted apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Role = Literal["user", "assistant"]
Thread = Literal["active", "off", "side"]
CallStatus = Literal["ok", "error", "denied", "cancelled", "unfinished"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Four disjoint token counts; None means unknown, which is not 0.

    Attributes:
        input: Fresh input, without what came from a cache.
        output: Output, reasoning included.
        cache_read: Input that was read from a cache.
        cache_write: Input that was written to a cache.
    """

    input: int | None = None
    output: int | None = None
    cache_read: int | None = None
    cache_write: int | None = None

    @property
    def total(self) -> int | None:
        """The sum of the known parts; None only when all four are unknown."""
        known = [
            part
            for part in (self.input, self.output, self.cache_read, self.cache_write)
            if part is not None
        ]
        return sum(known) if known else None

    def __add__(self, other: Tokens) -> Tokens:
        def both(left: int | None, right: int | None) -> int | None:
            return right if left is None else left if right is None else left + right

        return Tokens(
            input=both(self.input, other.input),
            output=both(self.output, other.output),
            cache_read=both(self.cache_read, other.cache_read),
            cache_write=both(self.cache_write, other.cache_write),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came along with a message or a tool's result.

    Attributes:
        name: File name, or what the agent calls it.
        kind: Media type or kind (``image``, ``document``), when known.
        size: Bytes, when known.
        text: Its text where that was pasted or extracted.
        file: Where its image is kept, below ``images/`` of the archive or the export:
            ``ab/<sha-256>.png``, named by its content. Other binary content is never kept.
    """

    name: str
    kind: str | None = None
    size: int | None = None
    text: str = ""
    file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool with what came back.

    Attributes:
        id: The agent's call id, or one made from place when it has none.
        name: The tool's name.
        arguments: What it was called with: a mapping, or text where the tool takes raw text.
        result: What came back, as text, whole; None while unfinished or dropped.
        status: ``ok``, ``error``, ``denied``, ``cancelled`` or ``unfinished``.
        started: When it was called.
        ended: When the result came.
        child: Id of the subagent (sidechain id or session id) that this call started.
        attachments: Images that came back with the result.
    """

    id: str
    name: str
    arguments: Any = None
    result: str | None = None
    status: CallStatus = "unfinished"
    started: datetime | None = None
    ended: datetime | None = None
    child: str | None = None
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One prompt or reply.

    Attributes:
        n: Number in the session (or in its sidechain), from 1 in archive order; never changes.
        id: The agent's message id, or one made from place when it has none.
        role: Who speaks.
        text: What was said, as Markdown.
        thinking: The model's visible reasoning, when the export holds it.
        ts: When, with a zone; inherited from the record before when missing.
        model: The model that replied.
        thread: ``active``, ``off`` (rewound, edited, regenerated, reverted) or ``side``.
        agent: Sidechain id when ``thread`` is ``side``.
        sender: Name of the person, where an agent knows several.
        calls: Tool calls inside this message, in order.
        attachments: Files that came along.
        tokens: What this message cost, when the export says so.
        cost: US dollars, when the export says so.
        partial: It carries calls or spending but is no reply (yet): Codex calls whose turn was
            cut short. It is read and searched, and not counted as a message.
        copy_of: Ref of the original when this is a copy that another session holds (a resumed
            or forked session repeats its past). A copy is read but neither counted nor searched.
    """

    n: int
    id: str
    role: Role
    text: str = ""
    thinking: str = ""
    ts: datetime | None = None
    model: str | None = None
    thread: Thread = "active"
    agent: str | None = None
    sender: str | None = None
    calls: tuple[ToolCall, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    tokens: Tokens | None = None
    cost: float | None = None
    partial: bool = False
    copy_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRecord:
    """One run as an agent records it itself (Agenvoy): request, calls with results, reply.

    Other agents keep no such record: their runs are the messages from one prompt to the next.

    Attributes:
        id: The agent's task id.
        objective: What was asked for.
        reply: What the run ended on.
        model: The model, as ``provider@model`` when the agent writes it so.
        calls: Every tool call with what came back.
        ended: End of the run.
        details: What else the record holds: completed, next_steps, todos, questions, answers.
    """

    id: str
    objective: str = ""
    reply: str = ""
    model: str | None = None
    calls: tuple[ToolCall, ...] = ()
    ended: datetime | None = None
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Spending that no single message carries: a ledger line, growth of a counter.

    What ``Message.tokens`` says is never repeated here, so a session costs the sum of both.

    Attributes:
        id: Stable id of the ledger line.
        tokens: The four counts.
        ts: When.
        model: The model.
        provider: Who was paid, when the ledger says.
        cost: US dollars, when the ledger says.
        n: Number of the message it belongs to, when known.
        agent: Sidechain of that message.
        copy_of: Session id that already holds this spending; then it is not counted.
    """

    id: str
    tokens: Tokens
    ts: datetime | None = None
    model: str | None = None
    provider: str | None = None
    cost: float | None = None
    n: int | None = None
    agent: str | None = None
    copy_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What happened between messages and is worth keeping: a compaction, an error notice.

    Attributes:
        id: Stable id.
        kind: ``compaction``, ``notice``, or an unknown record type of a newer version
            (``opaque:<type>``).
        text: What it says: a compaction's summary, or the raw record as JSON.
        ts: When.
        after: Number of the main-thread message it follows; 0 before the first.
    """

    id: str
    kind: str
    text: str = ""
    ts: datetime | None = None
    after: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A piece of an agent's notebook that is no conversation: a section of a file, a ledger row.

    Attributes:
        id: Stable id: the path in the workspace, with ``#`` and the section's number from 1
            (``brain/hippocampus/episodes/2026-05-04.md#1``).
        source: ``episode``, ``knowledge``, ``consolidated``, ``task``, ``feedback``, ``usage``,
            ``corpus``, ``log``, ``artifact``, ``reflection`` or ``doc``.
        path: Path of the file in its workspace, with forward slashes.
        title: Heading of the section, or the file's name.
        text: Its text, as it stands in the file.
        ts: When, as far as the file says; else the file's time.
        task: Task id, for tasks (``TASK-mabc12xy``) and their details.
        part: ``detail2`` for a section of a task's detail log.
        tool: Tool name, for feedback and task steps.
        outcome: ``success``, ``failed``, ``denied`` ..., where the file says.
        session: Owning conversation, for artifacts and corpus turns.
        origin: Who made it, where that is marked (``heartbeat`` for machine-made episodes).
        size: Bytes of an artifact.
        removed: The file or section is gone from its workspace; the text is kept.
    """

    id: str
    source: str
    path: str
    title: str = ""
    text: str = ""
    ts: datetime | None = None
    task: str | None = None
    part: str | None = None
    tool: str | None = None
    outcome: str | None = None
    session: str | None = None
    origin: str | None = None
    size: int | None = None
    removed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentInfo:
    """A sidechain of a session.

    Attributes:
        id: Its id, as messages carry it in ``agent``.
        kind: What kind of agent it was (``Explore``).
        description: What it was started for.
    """

    id: str
    kind: str | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What is known of a session, or of a workspace's documents, as a whole.

    Attributes:
        id: Stable id; the agent's own where it has one.
        agent: ``claude-code``, ``codex``, ``gemini-cli``, ``opencode``, ``chatgpt``,
            ``claude-ai``, ``agenvoy``, ``wolffish`` or the name a canonical file gives.
        holds: ``session``, or ``documents`` for a file with documents instead of messages.
        title: A title, when one is known.
        project: Name of the project, the last part of the working folder when unnamed.
        cwd: The working folder (the workspace's root, for documents).
        channel: Where it was held, for agents with channels.
        parent: Session id that started this one.
        created: Time of the first record.
        updated: Time of the last record.
        subagents: Its sidechains.
        sources: Files it was imported from.
    """

    id: str
    agent: str
    holds: Literal["session", "documents"] = "session"
    title: str | None = None
    project: str | None = None
    cwd: str | None = None
    channel: str | None = None
    parent: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    subagents: tuple[SubagentInfo, ...] = ()
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Session(Head):
    """One conversation as the archive keeps it: its head and everything in it.

    Attributes:
        messages: Every message in archive order, off-thread included, sidechains last.
        actions: Runs that the agent recorded itself.
        usage: Spending that no message carries.
        events: Compactions and notices.
    """

    messages: tuple[Message, ...] = ()
    actions: tuple[ActionRecord, ...] = ()
    usage: tuple[Usage, ...] = ()
    events: tuple[Event, ...] = ()

    def thread(self) -> list[Message]:
        """Return the active thread, in order."""
        return [message for message in self.messages if message.thread == "active"]
