"""Runs as ``chat_history`` gives them: rows, whole runs, reusable calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field

from generator.counting import counted
from generator.history.runs import Run, RunCall, reusable, run_call_ref
from generator.history.wording import arguments_text
from generator.recall.days import local
from generator.recall.quoting import fair_shares, one_line, quote
from generator.recall.store import Recall
from generator.tools.base import Result
from generator.tools.views import (
    CallView,
    TokensView,
    call_lines,
    call_view,
    tokens_view,
)

_ROW_CHARACTERS = 200


class RunRow(Result):
    """One run on one line."""

    task_id: str = Field(description="its stable id")
    ref: str = Field(description="its ref; memory_get returns it whole")
    objective: str = Field(description="what was asked for, on one line")
    reply: str = Field(description="what it ended on, on one line")
    thread: str = Field(description="active, or off when the request was rewound or edited away")
    calls: int = Field(description="tool calls")
    failed: int = Field(description="tool calls that failed or were denied")
    models: list[str] = Field(description="models that replied")
    tokens: int | None = Field(description="tokens it cost; null when unknown")
    started: str | None = Field(description="when it was asked for")
    ended: str | None = Field(description="when the last thing happened")


class RunView(Result):
    """One run in full."""

    task_id: str = Field(description="its stable id")
    ref: str = Field(description="its ref; memory_get returns it whole")
    session: str = Field(description="session id")
    agent: str = Field(description="the agent")
    thread: str = Field(description="active, or off when the request was rewound or edited away")
    objective: str = Field(description="what was asked for; empty with scope=reference")
    reply: str = Field(description="what it ended on; empty with scope=reference")
    calls: list[CallView] = Field(description="its tool calls with what came back")
    details: str = Field(description="what the agent recorded beside: todos, next steps")
    models: list[str] = Field(description="models that replied")
    tokens: TokensView = Field(description="what it cost")
    started: str | None = Field(description="when it was asked for")
    ended: str | None = Field(description="when the last thing happened")
    characters: int = Field(description="characters of request, results and reply in full")
    withheld: float | None = Field(
        default=None,
        description="confidence with which the decision model judged it unrelated to the current "
        "request: only its objective is given, and reading it again gives it whole",
    )


class ReusableCall(Result):
    """A call whose result is there for the asking."""

    task_id: str = Field(description="run it belongs to")
    name: str = Field(description="the tool")
    ref: str = Field(description="its ref; memory_get returns it whole")
    arguments: str = Field(description="what it was called with, on one line")
    characters: int = Field(description="characters of the result")
    preview: str = Field(description="how the result begins, on one line")
    ts: str | None = Field(description="when")


def run_row(run: Run, recall: Recall) -> RunRow:
    """Give a run on one line."""
    return RunRow(
        task_id=run.task_id,
        ref=f"task:{run.task_id}",
        objective=_line(run.objective, recall),
        reply=_line(run.reply, recall),
        thread=run.thread,
        calls=len(run.calls),
        failed=sum(item.call.status in ("error", "denied") for item in run.calls),
        models=list(run.models),
        tokens=run.tokens.total,
        started=local(run.started, recall.workspace),
        ended=local(run.ended, recall.workspace),
    )


def _line(text: str, recall: Recall) -> str:
    shown, _ = recall.veil.excerpt(text, _ROW_CHARACTERS * 4)
    return one_line(shown, _ROW_CHARACTERS)


def run_views(
    runs: Sequence[Run],
    recall: Recall,
    *,
    only_payloads: bool,
    text_room: int,
    call_room: int,
    budget: int,
    withheld: Mapping[str, float],
) -> list[RunView]:
    """Give runs in full, cut so that all of them together fit a budget.

    Args:
        runs: The runs.
        recall: Hides secrets.
        only_payloads: Keep only the calls whose results are worth reusing.
        text_room: Most characters of a request or a reply.
        call_room: Most characters of a call.
        budget: Most characters in all.
        withheld: By task id, runs of which only the objective is given, with the confidence.
    """
    whole = [run for run in runs if run.task_id not in withheld]
    kept = {
        run.task_id: [item for item in run.calls if not only_payloads or reusable(item.call)]
        for run in whole
    }
    sizes: list[int] = []
    for run in whole:
        if not only_payloads:
            details = arguments_text(run.details)
            sizes += [min(len(text), text_room) for text in (run.objective, run.reply, details)]
        sizes += [min(_size(item), call_room) for item in kept[run.task_id]]
    rooms = iter(fair_shares(sizes, budget))
    return [
        _withheld_view(run, recall, withheld[run.task_id])
        if run.task_id in withheld
        else _run_view(run, kept[run.task_id], recall, rooms, only_payloads)
        for run in runs
    ]


def _withheld_view(run: Run, recall: Recall, confidence: float) -> RunView:
    return RunView(
        task_id=run.task_id,
        ref=f"task:{run.task_id}",
        session=run.session,
        agent=run.agent,
        thread=run.thread,
        objective=_line(run.objective, recall),
        reply="",
        calls=[],
        details="",
        models=list(run.models),
        tokens=tokens_view(run.tokens),
        started=local(run.started, recall.workspace),
        ended=local(run.ended, recall.workspace),
        characters=run.characters,
        withheld=confidence,
    )


def _run_view(
    run: Run, calls: Sequence[RunCall], recall: Recall, rooms: Iterable[int], only_payloads: bool
) -> RunView:
    room = iter(rooms)

    def text(whole: str) -> str:
        return "" if only_payloads else recall.veil.excerpt(whole, next(room))[0]

    return RunView(
        task_id=run.task_id,
        ref=f"task:{run.task_id}",
        session=run.session,
        agent=run.agent,
        thread=run.thread,
        objective=text(run.objective),
        reply=text(run.reply),
        details=text(arguments_text(run.details)),
        calls=[
            call_view(item.call, run_call_ref(run, item), recall, next(room), session=run.session)
            for item in calls
        ],
        models=list(run.models),
        tokens=tokens_view(run.tokens),
        started=local(run.started, recall.workspace),
        ended=local(run.ended, recall.workspace),
        characters=run.characters,
    )


def _size(item: RunCall) -> int:
    return len(arguments_text(item.call.arguments)) + len(item.call.result or "")


def reusable_view(run: Run, item: RunCall, recall: Recall) -> ReusableCall:
    """Give a reusable call on one line."""
    result = item.call.result or ""
    return ReusableCall(
        task_id=run.task_id,
        name=item.call.name,
        ref=run_call_ref(run, item),
        arguments=_line(arguments_text(item.call.arguments), recall),
        characters=len(result),
        preview=_line(result, recall),
        ts=local(item.call.ended or item.call.started or run.ended, recall.workspace),
    )


def row_lines(row: RunRow) -> list[str]:
    """Write a run's row for an agent."""
    facts = [row.started or row.ended or "no time known", counted(row.calls, "call")]
    if row.failed:
        facts.append(f"{row.failed} failed")
    if row.tokens is not None:
        facts.append(counted(row.tokens, "token"))
    if row.thread == "off":
        facts.append("off-thread")
    lines = [f"task_id {row.task_id}  ({', '.join(facts)})", quote(row.objective or "(no request)")]
    if row.reply:
        lines.append(quote(f"=> {row.reply}"))
    return lines


def run_lines(view: RunView) -> list[str]:
    """Write a run for an agent."""
    if view.withheld is not None:
        return [
            f"task_id {view.task_id}  (withheld: {view.characters} characters judged unrelated to "
            f"the current request, confidence {view.withheld:.2f}; read it again for the whole)",
            quote(view.objective or "(no request)"),
        ]
    facts = [view.agent, view.started or view.ended or "no time known", *view.models]
    if view.tokens.total is not None:
        facts.append(counted(view.tokens.total, "token"))
    if view.thread == "off":
        facts.append("off-thread")
    lines = [f"task_id {view.task_id}  ({', '.join(facts)})"]
    if view.objective:
        lines += ["asked:", quote(view.objective)]
    if view.calls:
        lines.append("calls:")
        for call in view.calls:
            lines += call_lines(call)
    if view.details:
        lines += ["recorded:", quote(view.details)]
    if view.reply:
        lines += ["replied:", quote(view.reply)]
    return lines


def reusable_lines(view: ReusableCall) -> list[str]:
    """Write a reusable call for an agent."""
    lines = [
        f"{one_line(view.name, 80)}  task_id {view.task_id}  {view.ref}"
        f"  ({view.characters} characters, {view.ts or 'no time known'})"
    ]
    if view.arguments:
        lines.append(quote(view.arguments))
    lines.append(quote(f"-> {view.preview}"))
    return lines
