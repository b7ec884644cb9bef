"""The history model: sessions, messages, tool calls, tokens. One shape for every agent.

Counting terms are those of the format reference: a message is one human prompt or assistant
reply; off-thread and sidechain messages are kept, marked, and counted apart.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

Role = Literal["user", "assistant"]
Thread = Literal["active", "off", "side"]
CallStatus = Literal["ok", "error", "denied", "cancelled", "unfinished"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Four disjoint token counts; None means unknown, which is not 0."""

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
class ToolCall:
    """One call of a tool with what came back.

    Attributes:
        id: The agent's call id, or one made from place when it has none.
        name: The tool's name.
        arguments: What it was called with: a mapping, or text where the tool takes raw text.
        result: What came back, as text; None while unfinished or dropped.
        status: ``ok``, ``error``, ``denied``, ``cancelled`` or ``unfinished``.
        started: When it was called.
        ended: When the result came.
        child: Id of the subagent (sidechain id or session id) that this call started.
    """

    id: str
    name: str
    arguments: Any = None
    result: str | None = None
    status: CallStatus = "unfinished"
    started: datetime | None = None
    ended: datetime | None = None
    child: str | None = None


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
        calls: Tool calls inside this message, in order.
        attachments: Names and kinds of files that came along; ``text`` where it was pasted.
        tokens: What this message cost, when the export says so.
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
    calls: tuple[ToolCall, ...] = ()
    attachments: tuple[dict[str, Any], ...] = ()
    tokens: Tokens | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation as the archive keeps it.

    Attributes:
        id: Stable id; the agent's own where it has one.
        agent: ``claude-code``, ``codex``, ``gemini-cli``, ``opencode``, ``chatgpt``,
            ``claude-ai``, ``agenvoy``, ``wolffish`` or the name a canonical file gives.
        title: A title, when one is known.
        project: Name of the project, the last part of the working folder when unnamed.
        cwd: The working folder.
        channel: Where it was held, for agents with channels.
        parent: Session id that started this one.
        created: Time of the first record.
        updated: Time of the last record.
        messages: Every message in archive order, off-thread and sidechain included.
    """

    id: str
    agent: str
    title: str | None = None
    project: str | None = None
    cwd: str | None = None
    channel: str | None = None
    parent: str | None = None
    created: datetime | None = None
    updated: datetime | None = None
    messages: tuple[Message, ...] = field(default_factory=tuple)
