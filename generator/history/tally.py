"""Counting: one definition of message, call and token for every report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from generator.model.session import ActionRecord, Message, Tokens, ToolCall, Usage

Share = tuple[str, str, bool, int, int, int]
"""What a message counts for: thread, role, whether it is no reply yet, its calls, those that
failed and those that are unfinished."""


@dataclass(slots=True)
class Tally:
    """The numbers of one file, one session or everything.

    Attributes:
        sessions: Sessions.
        messages: Prompts and replies on active threads, by role.
        off_thread: The same off the thread.
        sidechain: The same in sidechains.
        calls: Tool calls on threads and in sidechains.
        errors: Calls that failed.
        unfinished: Calls without a result.
        tokens: What was spent, off-thread and sidechains included.
    """

    sessions: int = 0
    messages: dict[str, int] = field(default_factory=lambda: {"user": 0, "assistant": 0})
    off_thread: dict[str, int] = field(default_factory=lambda: {"user": 0, "assistant": 0})
    sidechain: dict[str, int] = field(default_factory=lambda: {"user": 0, "assistant": 0})
    calls: int = 0
    errors: int = 0
    unfinished: int = 0
    tokens: Tokens = field(default_factory=Tokens)

    def add_message(self, message: Message) -> None:
        """Count one message; its calls count unless it is off the thread."""
        self.add_share(share_of(message), message.tokens)

    def add_share(self, share: Share, tokens: Tokens | None) -> None:
        """Count one message by its share."""
        thread, role, partial, calls, errors, unfinished = share
        if not partial:
            counts = {
                "active": self.messages,
                "off": self.off_thread,
                "side": self.sidechain,
            }[thread]
            counts[role] += 1
        if thread != "off":
            self.calls += calls
            self.errors += errors
            self.unfinished += unfinished
        if tokens is not None:
            self.tokens = self.tokens + tokens

    def add(self, other: Tally) -> None:
        """Add the numbers of another tally."""
        self.sessions += other.sessions
        for mine, theirs in (
            (self.messages, other.messages),
            (self.off_thread, other.off_thread),
            (self.sidechain, other.sidechain),
        ):
            for role, count in theirs.items():
                mine[role] += count
        self.calls += other.calls
        self.errors += other.errors
        self.unfinished += other.unfinished
        self.tokens = self.tokens + other.tokens

    def add_usage(self, usage: Usage) -> None:
        """Count spending that no message carries."""
        self.tokens = self.tokens + usage.tokens

    def add_action(self, action: ActionRecord) -> None:
        """Count the calls of a run that the agent recorded itself."""
        self._add_calls(action.calls)

    def _add_calls(self, calls: Iterable[ToolCall]) -> None:
        for call in calls:
            self.calls += 1
            self.errors += call.status == "error"
            self.unfinished += call.status == "unfinished"

    @property
    def has_messages(self) -> bool:
        """Whether any message was counted, on or off a thread."""
        kinds = (self.messages, self.off_thread, self.sidechain)
        return any(sum(counts.values()) for counts in kinds)

    def as_json(self) -> dict[str, Any]:
        """Return the counts as ``history status`` prints them."""
        return {
            "sessions": self.sessions,
            "messages": dict(self.messages),
            "off_thread": dict(self.off_thread),
            "sidechain": dict(self.sidechain),
            "tool_calls": {
                "total": self.calls,
                "errors": self.errors,
                "unfinished": self.unfinished,
            },
            "tokens": tokens_as_json(self.tokens),
        }


def share_of(message: Message) -> Share:
    """Return what a message counts for."""
    calls = message.calls
    return (
        message.thread,
        message.role,
        message.partial,
        len(calls),
        sum(call.status == "error" for call in calls),
        sum(call.status == "unfinished" for call in calls),
    )


def tokens_as_json(tokens: Tokens) -> dict[str, int | None]:
    """Return token counts with their total."""
    return {
        "input": tokens.input,
        "output": tokens.output,
        "cache_read": tokens.cache_read,
        "cache_write": tokens.cache_write,
        "total": tokens.total,
    }
