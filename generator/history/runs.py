"""Runs: one user request up to the next, with everything that came of it.

A session's main thread is cut at each prompt. What stands off the thread (rewound, edited,
regenerated) stays with the run it belonged to and keeps its mark. Sidechains are not cut: the
call that started one names it, and their cost belongs to its run. An agent that records its
runs itself (Agenvoy) is taken at its word: such a record is the run, under the agent's own
task id, and the prompt it answers is found by time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from generator.history.refs import conversation_ref, task_ref
from generator.model.session import (
    ActionRecord,
    Message,
    Session,
    Thread,
    Tokens,
    ToolCall,
    Usage,
)

# A recorded run knows its end to the minute, from the name of its file.
_END_PRECISION = timedelta(minutes=1)

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
        number: Which call of the run it is, from 1.
        call: The call itself.
        message: Number of the message that holds it; None in a run that the agent recorded.
        position: Which call of that message it is, from 1.
    """

    number: int
    call: ToolCall
    message: int | None = None
    position: int | None = None


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
        objective: What was asked, as it was said; empty when the session opens with a reply.
        reply: The text the run ended on; empty when it ended without one.
        calls: Tool calls in order.
        models: Models that replied, in order of first use.
        tokens: What the run cost, its sidechains included; all unknown when no record says.
        started: When the request was made.
        ended: When the last message or result came.
        messages: Its messages on the main thread, in archive order; empty when the agent's
            record is all there is.
        recorded: The agent recorded this run itself.
        details: What that record holds beside (todos, next steps, answers).
    """

    task_id: str
    session: str
    agent: str
    project: str | None
    thread: Thread
    objective: str
    reply: str
    calls: tuple[RunCall, ...]
    models: tuple[str, ...]
    tokens: Tokens
    started: datetime | None
    ended: datetime | None
    messages: tuple[Message, ...]
    recorded: bool = False
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def characters(self) -> int:
        """Characters of the request, every result and the reply."""
        results = sum(len(item.call.result or "") for item in self.calls)
        return len(self.objective) + results + len(self.reply)


def session_runs(session: Session) -> tuple[Run, ...]:
    """Cut a session into its runs.

    Args:
        session: A session with everything in it.

    Returns:
        The runs, the oldest first.
    """
    groups = _groups(session.messages)
    pairs = _pair_with_records(groups, session.actions)
    runs = [
        _recorded(session, action, messages) if action else _spoken(session, messages)
        for action, messages in pairs
    ]
    return tuple(
        replace(run, tokens=run.tokens + spent)
        for run, spent in zip(runs, _spending(session, runs), strict=True)
    )


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


def _pair_with_records(
    groups: list[list[Message]], actions: Iterable[ActionRecord]
) -> list[tuple[ActionRecord | None, list[Message]]]:
    """Give each recorded run the newest prompt that came before its end."""
    left = list(groups)
    pairs: list[tuple[ActionRecord | None, list[Message]]] = []
    dated = [action for action in actions if action.ended]
    for action in sorted(dated, key=lambda item: (item.ended, item.id)):
        assert action.ended is not None
        end = action.ended + _END_PRECISION
        earlier: list[list[Message]] = []
        while left and (left[0][0].ts is None or left[0][0].ts < end):
            earlier.append(left.pop(0))
        pairs += [(None, messages) for messages in earlier[:-1]]
        pairs.append((action, earlier[-1] if earlier else []))
    pairs += [(None, messages) for messages in left]
    return pairs + [(action, []) for action in actions if not action.ended]


def _spoken(session: Session, messages: list[Message]) -> Run:
    """Make a run of a prompt and its replies."""
    thread: Thread = messages[0].thread
    replies = [message for message in messages if message.role == "assistant"]
    shown = [message.text for message in replies if message.thread == thread and message.text]
    placed = [
        (message.n, position, call)
        for message in messages
        for position, call in enumerate(message.calls, start=1)
    ]
    times = [message.ts for message in messages if message.ts]
    times += [call.ended for _, _, call in placed if call.ended]
    return Run(
        task_id=f"{session.id}.{messages[0].n}",
        session=session.id,
        agent=session.agent,
        project=session.project,
        thread=thread,
        objective=messages[0].text if messages[0].role == "user" else "",
        reply=shown[-1] if shown else "",
        calls=tuple(
            RunCall(number=number, call=call, message=n, position=position)
            for number, (n, position, call) in enumerate(placed, start=1)
        ),
        models=tuple(dict.fromkeys(message.model for message in replies if message.model)),
        tokens=_sum(message.tokens for message in messages if not message.copy_of),
        started=messages[0].ts,
        ended=max(times, default=None),
        messages=tuple(messages),
    )


def _recorded(session: Session, action: ActionRecord, messages: list[Message]) -> Run:
    """Make a run of the agent's own record and the messages that fall into it."""
    return Run(
        task_id=action.id,
        session=session.id,
        agent=session.agent,
        project=session.project,
        thread="active",
        objective=action.objective or (messages[0].text if messages else ""),
        reply=action.reply,
        calls=tuple(
            RunCall(number=number, call=call) for number, call in enumerate(action.calls, start=1)
        ),
        models=(action.model,) if action.model else (),
        tokens=_sum(message.tokens for message in messages if not message.copy_of),
        started=messages[0].ts if messages else None,
        ended=action.ended,
        messages=tuple(messages),
        recorded=True,
        details=action.details,
    )


def _spending(session: Session, runs: Sequence[Run]) -> list[Tokens]:
    """Return, for each run, what no message of its own carries: sidechains and ledger lines."""
    spent = [Tokens() for _ in runs]
    by_message = {message.n: at for at, run in enumerate(runs) for message in run.messages}
    by_child: dict[str | None, int] = {
        item.call.child: at for at, run in enumerate(runs) for item in run.calls if item.call.child
    }
    for message in session.messages:
        if message.thread == "side" and message.tokens and not message.copy_of:
            at = by_child.get(message.agent)
            if at is not None:
                spent[at] += message.tokens
    for line in session.usage:
        if not line.copy_of:
            at = _owner(line, runs, by_message, by_child)
            if at is not None:
                spent[at] += line.tokens
    return spent


def _owner(
    line: Usage, runs: Sequence[Run], by_message: dict[int, int], by_child: dict[str | None, int]
) -> int | None:
    """Find the run a ledger line belongs to: by its sidechain, its message, else its time."""
    if line.agent is not None:
        return by_child.get(line.agent)
    if line.n is not None:
        return by_message.get(line.n)
    if line.ts is None:
        return None
    newest: int | None = None
    for at, run in enumerate(runs):
        if run.recorded and run.ended and line.ts < run.ended + _END_PRECISION:
            return at
        if run.started and run.started <= line.ts:
            newest = at
    return newest


def _sum(parts: Iterable[Tokens | None]) -> Tokens:
    return sum((part for part in parts if part), Tokens())


def run_call_ref(run: Run, item: RunCall) -> str:
    """Return the ref of a call in a run: its message's place, else its place in the run."""
    if item.message is None:
        return task_ref(run.task_id, f"detail{item.number}")
    return conversation_ref(run.session, item.message, item.position)


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
