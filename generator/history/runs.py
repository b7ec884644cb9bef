"""Runs: one user request up to the next, with everything that came of it.

A session's main thread is cut at each prompt. What stands off the thread (rewound, edited,
regenerated) stays with the run it belonged to and keeps its mark. Sidechains are not cut: the
call that started one names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from generator.model.session import Message, Session, Thread, Tokens, ToolCall

# Calls that change something or keep books: their result is an acknowledgement, and asking for
# it again would not save a fetch. Judged by the words of the tool's name.
_NOT_REUSABLE = frozenset(
    (
        *("write", "edit", "patch", "remove", "delete", "save", "update", "create", "insert"),
        *("move", "rename", "store", "record", "todo", "send", "notify", "ask", "kill"),
    )
)
_NAME_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunCall:
    """A tool call inside a run, with its place.

    Attributes:
        message: Number of the message that holds it.
        position: Which call of that message it is, from 1.
        call: The call itself.
    """

    message: int
    position: int
    call: ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One user request and what came of it.

    Attributes:
        task_id: Stable id: the agent's own where it has one, else ``<session>.<number of the
            prompt>``.
        session: Id of the session.
        agent: The agent's name.
        project: The project's name, when known.
        thread: ``active``, or ``off`` when the prompt itself was rewound or edited away.
        first: Number of the first message.
        last: Number of the last message.
        objective: What was asked, as it was said; empty when the session opens with a reply.
        calls: Tool calls in order.
        reply: The text the run ended on; empty when it ended without one.
        models: Models that replied, in order of first use.
        tokens: What the run's messages cost; all unknown when the export does not say.
        started: When the request was made.
        ended: When the last message or result came.
        messages: The messages of the run in archive order.
    """

    task_id: str
    session: str
    agent: str
    project: str | None
    thread: Thread
    first: int
    last: int
    objective: str
    calls: tuple[RunCall, ...]
    reply: str
    models: tuple[str, ...]
    tokens: Tokens
    started: datetime | None
    ended: datetime | None
    messages: tuple[Message, ...]

    @property
    def characters(self) -> int:
        """Characters of everything the run holds, as a reader would see it."""
        results = sum(len(item.call.result or "") for item in self.calls)
        return len(self.objective) + results + len(self.reply)


def session_runs(session: Session) -> tuple[Run, ...]:
    """Cut a session into its runs.

    Args:
        session: A session with all its messages.

    Returns:
        The runs in archive order, the oldest first.
    """
    return tuple(_build(session, group) for group in _groups(session.messages))


def _groups(messages: Iterable[Message]) -> list[list[Message]]:
    """Put each reply of the main thread with the prompt it answers."""
    groups: list[list[Message]] = []
    newest_active: list[Message] | None = None
    for message in messages:
        if message.thread == "side":
            continue
        if message.role == "user":
            groups.append([message])
            if message.thread == "active":
                newest_active = groups[-1]
        elif message.thread == "active" and newest_active is not None:
            # A branch that was rewound may stand in between: the thread goes on past it.
            newest_active.append(message)
        elif groups:
            groups[-1].append(message)
        else:
            groups.append([message])
            newest_active = groups[-1]
    return groups


def _build(session: Session, messages: list[Message]) -> Run:
    prompt = messages[0] if messages[0].role == "user" else None
    thread: Thread = messages[0].thread
    replies = [message for message in messages if message.role == "assistant"]
    shown = [message for message in replies if message.thread == thread]
    calls = tuple(
        RunCall(message=message.n, position=position, call=call)
        for message in messages
        for position, call in enumerate(message.calls, start=1)
    )
    times = [message.ts for message in messages if message.ts]
    times += [item.call.ended for item in calls if item.call.ended]
    return Run(
        task_id=f"{session.id}.{messages[0].n}",
        session=session.id,
        agent=session.agent,
        project=session.project,
        thread=thread,
        first=messages[0].n,
        last=max(message.n for message in messages),
        objective=prompt.text if prompt else "",
        calls=calls,
        reply=next((message.text for message in reversed(shown) if message.text), ""),
        models=tuple(dict.fromkeys(message.model for message in replies if message.model)),
        tokens=sum((message.tokens for message in messages if message.tokens), Tokens()),
        started=messages[0].ts,
        ended=max(times, default=None),
        messages=tuple(messages),
    )


def reusable(call: ToolCall) -> bool:
    """Tell whether a call's result is worth asking for again instead of calling again.

    It succeeded, it brought something back, and its name does not say that it writes.
    """
    words = {word.lower() for word in _NAME_WORDS.findall(call.name)}
    return call.status == "ok" and bool(call.result) and not words & _NOT_REUSABLE


def reusable_calls(runs: Iterable[Run]) -> Iterator[tuple[Run, RunCall]]:
    """Yield the reusable calls of some runs, in the order given."""
    for run in runs:
        for item in run.calls:
            if reusable(item.call):
                yield run, item
