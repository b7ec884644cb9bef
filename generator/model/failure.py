"""A failure that was fixed, and a failure that was only seen in past runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from generator.model.session import CallStatus

Outcome = Literal["resolved", "failed", "abandoned"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One error record: what went wrong with a tool, and what fixed it.

    Attributes:
        hash: Eight hexadecimal characters made from the content; its name.
        tool_name: The tool that failed.
        keywords: Words to find it by.
        symptom: What was seen, as it stood there.
        cause: Why it happened, when known.
        action: What fixed it.
        outcome: Always ``resolved`` for a record that was kept.
        recorded_at: When it was recorded, with a zone.
        mined: Id of the mined draft it was accepted from, else None.
    """

    hash: str
    tool_name: str
    keywords: tuple[str, ...]
    symptom: str
    action: str
    outcome: Outcome
    recorded_at: datetime
    cause: str | None = None
    mined: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedCall:
    """A tool call in the archive, as mining looks at it.

    Attributes:
        ref: Its ref.
        agent: The agent that made it.
        lane: Calls of one lane follow each other: a session's main thread, or one sidechain.
        tool: The tool's name.
        arguments: What it was called with, as text.
        result: What came back, as text.
        status: How it ended.
        ts: When, None when unknown.
    """

    ref: str
    agent: str
    lane: str
    tool: str
    arguments: str
    result: str
    status: CallStatus
    ts: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LikelyFix:
    """The next successful call of the tool that had failed.

    Attributes:
        ref: Its ref.
        arguments: What it was called with.
        failed_arguments: What the failed call before it was called with.
        after: How many calls lay between.
    """

    ref: str
    arguments: str
    failed_arguments: str
    after: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedFailure:
    """Failures of one kind, gathered from past runs.

    Attributes:
        id: Eight hexadecimal characters made from tool and signature; stable between runs.
        tool: The tool.
        signature: What all of them say, without what changes from run to run.
        symptom: What the newest of them said.
        count: How many there were.
        agents: How many of them each agent had.
        first: The earliest, None when no time is known.
        last: The latest.
        refs: Refs of the newest of them.
        fix: The likely fix, None when no call of the tool succeeded afterwards.
        fixed: After how many of them a call of the tool succeeded.
        accepted: Hash of the record it was accepted as.
        masked: Secrets that were masked in it, by kind.
    """

    id: str
    tool: str
    signature: str
    symptom: str
    count: int
    agents: Mapping[str, int] = field(default_factory=dict)
    first: datetime | None = None
    last: datetime | None = None
    refs: tuple[str, ...] = ()
    fix: LikelyFix | None = None
    fixed: int = 0
    accepted: str | None = None
    masked: Mapping[str, int] = field(default_factory=dict)
