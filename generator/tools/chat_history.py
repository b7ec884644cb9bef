"""``chat_history``: what this session did, run by run, and what was said in any."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator import limits
from generator.counting import counted
from generator.echo import quoted, shown
from generator.exceptions import NotFoundError, UsageError
from generator.history.register import Row
from generator.history.runs import Run, RunCall, reusable_calls, run_call_ref
from generator.recall.days import span_of_range
from generator.recall.meaning import find_by_meaning
from generator.recall.quoting import one_line, quote
from generator.recall.search import find, session_ids, within
from generator.recall.session import current_session
from generator.recall.store import Recall, open_recall
from generator.recall.withholding import withheld_runs
from generator.search import Filters
from generator.tools.base import Arguments, ModeResult, OneOrMany, Tool
from generator.tools.hits import HitView, SearchedView, search_result, search_text
from generator.tools.run_views import (
    ReusableCall,
    RunRow,
    RunView,
    reusable_lines,
    reusable_view,
    row_lines,
    run_lines,
    run_row,
    run_views,
)
from generator.tools.views import call_view, framed, lowered, note_lines
from generator.workspace import Workspace

# Where past messages stand: conversations, and the runs that an agent recorded itself.
_SEARCHED = ("conversation", "task")

Mode = Literal["list", "read", "tool_list", "tool", "search"]


class ChatHistoryArguments(Arguments):
    """What may be asked."""

    mode: Mode | None = Field(
        None,
        description="list: recent runs; read: whole runs; tool_list: calls worth reusing; tool: "
        "one such call's output; search: past messages. When left out: task_id and name mean "
        "tool, task_id means read, keyword means search, nothing means list",
    )
    task_id: OneOrMany = Field(
        default_factory=list, description="one or more runs, as list and search name them"
    )
    name: str | None = Field(None, description="tool: name of the tool that was called")
    keyword: str | None = Field(None, description="search: what to look for")
    match: Literal["keyword", "semantic"] = Field(
        "keyword",
        description="search: keyword over the whole archive, or semantic over recent messages, "
        f"each with the {limits.SEMANTIC_BEFORE} before and the {limits.SEMANTIC_AFTER} after",
    )
    scope: Literal["reference", "full"] | None = Field(
        None,
        description="read: reference keeps only the expensive payloads, full keeps everything; "
        "left out, long texts are cut",
    )
    time_range: Literal["1d", "7d", "1m", "1y", "all"] = Field(
        "all", description="search: how far back"
    )
    session_id: str | None = Field(
        None, description="the session meant, else the current one; a unique suffix is enough"
    )
    limit: int | None = Field(
        None,
        ge=1,
        description=f"list: runs (default {limits.CHAT_HISTORY_LIST_DEFAULT}, at most "
        f"{limits.CHAT_HISTORY_LIST_MAX}); search: hits (default "
        f"{limits.CHAT_HISTORY_SEARCH_DEFAULT}, at most {limits.CHAT_HISTORY_SEARCH_MAX})",
    )
    offset: int = Field(
        0,
        ge=0,
        description="list: newer runs passed over; search: hits passed over; tool: characters "
        "passed over",
    )


class ChatHistoryResult(ModeResult):
    """What the mode asks for: only its fields are given."""

    session: str | None = Field(None, description="list, tool_list: session id; null when none")
    chosen: str | None = Field(None, description="list, tool_list: why it is this session")
    runs: list[RunRow] | list[RunView] = Field(
        default_factory=list, description="list: a row each, newest first; read: whole runs"
    )
    calls: list[ReusableCall] = Field(
        default_factory=list,
        description=f"tool_list: calls worth reusing in the last {limits.CHAT_HISTORY_TOOL_RUNS} "
        "runs, newest run first",
    )
    total: int | None = Field(None, description="list: runs in all; search: hits in all")
    next_offset: int | None = Field(None, description="offset that reads on; null at the end")
    task_id: str | None = Field(None, description="tool: the run")
    name: str | None = Field(None, description="tool: the tool")
    ref: str | None = Field(None, description="tool: ref of the call")
    status: str | None = Field(None, description="tool: how the call ended")
    arguments: str | None = Field(None, description="tool: what it was called with")
    output: str | None = Field(None, description="tool: what came back, raw")
    characters: int | None = Field(None, description="tool: characters of the output in full")
    others: list[str] = Field(
        default_factory=list, description="tool: refs of the run's other calls of that tool"
    )
    hits: list[HitView] = Field(default_factory=list, description="search: what was found")
    searched: SearchedView | None = Field(None, description="search: what the answer covers")
    notes: list[str] = Field(
        default_factory=list, description="what the caller should know about this answer"
    )


def _mode_of(arguments: ChatHistoryArguments) -> Mode:
    if arguments.mode:
        return arguments.mode
    if arguments.task_id:
        return "tool" if arguments.name else "read"
    return "search" if arguments.keyword else "list"


def _handle(arguments: ChatHistoryArguments, workspace: Workspace) -> ChatHistoryResult:
    recall = open_recall(workspace)
    match _mode_of(arguments):
        case "list":
            return _list(arguments, recall)
        case "read":
            return _read(arguments, recall)
        case "tool_list":
            return _tool_list(arguments, recall)
        case "tool":
            return _tool(arguments, recall)
        case "search":
            return _search(arguments, recall)


def _recent(
    arguments: ChatHistoryArguments, recall: Recall
) -> tuple[Row | None, str | None, list[Run], list[str]]:
    """Return the session, why it is this one, its runs with the newest first, and notes."""
    current = current_session(recall.reader, recall.workspace, arguments.session_id)
    if current is None:
        return None, None, [], ["the archive is empty: 'fieldguide history add PATH' fills it"]
    runs = list(reversed(recall.reader.runs(current.row)))
    return current.row, current.how, runs, []


def _list(arguments: ChatHistoryArguments, recall: Recall) -> ChatHistoryResult:
    limit, notes = lowered(
        arguments.limit, limits.CHAT_HISTORY_LIST_DEFAULT, limits.CHAT_HISTORY_LIST_MAX
    )
    row, how, runs, more = _recent(arguments, recall)
    end = arguments.offset + limit
    return ChatHistoryResult(
        session=row.id if row else None,
        chosen=how,
        runs=[run_row(run, recall) for run in runs[arguments.offset : end]],
        total=len(runs),
        next_offset=end if end < len(runs) else None,
        notes=notes + more,
    )


def _read(arguments: ChatHistoryArguments, recall: Recall) -> ChatHistoryResult:
    if not arguments.task_id:
        raise UsageError(
            "chat_history(mode=read) needs task_id.", hint="List the runs with mode=list."
        )
    runs = [_run(task_id, recall) for task_id in dict.fromkeys(arguments.task_id)]
    whole = arguments.scope is not None
    withheld, notes = withheld_runs(runs, recall)
    views = run_views(
        runs,
        recall,
        only_payloads=arguments.scope == "reference",
        text_room=limits.ANSWER_CHARACTERS if whole else limits.BRIEF_TEXT_CHARACTERS,
        call_room=limits.ANSWER_CHARACTERS if whole else limits.BRIEF_CALL_CHARACTERS,
        budget=limits.ANSWER_CHARACTERS,
        withheld=withheld,
    )
    if any(call.cut for view in views for call in view.calls):
        how = "memory_get with a call's ref gives it whole"
        notes.append(f"results were cut: {how}" + ("" if whole else ", scope=full cuts less"))
    return ChatHistoryResult(runs=views, notes=notes)


def _run(named: str, recall: Recall) -> Run:
    task_id = named.strip().removeprefix("task:")
    run = recall.reader.find_run(task_id)
    if run is not None:
        return run
    if recall.reader.documents(task=task_id):
        raise NotFoundError(
            f"Task {quoted(task_id)} is a record of Wolffish, not a run of a session.",
            hint=f"Read it with memory_get(ref='task:{shown(task_id)}').",
        )
    raise NotFoundError(
        f"There is no run {quoted(task_id)} in the archive.",
        hint="List the runs with chat_history(mode=list); the id is given there whole.",
    )


def _tool_list(arguments: ChatHistoryArguments, recall: Recall) -> ChatHistoryResult:
    row, how, runs, notes = _recent(arguments, recall)
    recent = runs[: limits.CHAT_HISTORY_TOOL_RUNS]
    return ChatHistoryResult(
        session=row.id if row else None,
        chosen=how,
        calls=[reusable_view(run, item, recall) for run, item in reusable_calls(recent)],
        notes=notes,
    )


def _tool(arguments: ChatHistoryArguments, recall: Recall) -> ChatHistoryResult:
    if len(arguments.task_id) != 1 or not arguments.name:
        raise UsageError(
            "chat_history(mode=tool) needs one task_id and the name of the tool.",
            hint="Find both with mode=tool_list.",
        )
    run = _run(arguments.task_id[0], recall)
    item, others = _newest_call(run, arguments.name)
    result = item.call.result or ""
    ref = run_call_ref(run, item)
    end = arguments.offset + limits.ANSWER_CHARACTERS
    view = call_view(item.call, ref, recall, limits.BRIEF_TEXT_CHARACTERS)
    return ChatHistoryResult(
        task_id=run.task_id,
        name=item.call.name,
        ref=ref,
        status=item.call.status,
        arguments=view.arguments,
        output=recall.veil.window(result, arguments.offset, min(end, len(result))),
        characters=len(result),
        next_offset=end if end < len(result) else None,
        others=[run_call_ref(run, other) for other in others],
        notes=[] if item.call.result is not None else [f"{item.call.name} brought nothing back"],
    )


def _newest_call(run: Run, name: str) -> tuple[RunCall, list[RunCall]]:
    """Pick the newest good call of a tool in a run, and return the others beside it."""
    named = [item for item in run.calls if item.call.name == name]
    named = named or [item for item in run.calls if item.call.name.lower() == name.lower()]
    if not named:
        known = ", ".join(dict.fromkeys(item.call.name for item in run.calls)) or "none"
        raise NotFoundError(
            f"Run {run.task_id} called no tool {quoted(name)}.", hint=f"It called: {known[:500]}."
        )
    good = [item for item in named if item.call.status == "ok" and item.call.result]
    chosen = (good or named)[-1]
    return chosen, [item for item in named if item is not chosen]


def _search(arguments: ChatHistoryArguments, recall: Recall) -> ChatHistoryResult:
    if not arguments.keyword:
        raise UsageError("chat_history(mode=search) needs keyword.", hint="Name what to look for.")
    limit, notes = lowered(
        arguments.limit, limits.CHAT_HISTORY_SEARCH_DEFAULT, limits.CHAT_HISTORY_SEARCH_MAX
    )
    span = span_of_range(arguments.time_range, recall.workspace)
    sessions = session_ids(recall, arguments.session_id)
    filters = within(Filters(sources=_SEARCHED, sessions=sessions), span)
    keyword, offset, around = arguments.keyword, arguments.offset, False
    if arguments.match == "semantic":
        by_meaning = find_by_meaning(recall, keyword, filters, limit=limit, offset=offset)
        answer, around = by_meaning.answer, by_meaning.by_meaning
        notes += by_meaning.notes
    else:
        answer = find(recall, keyword, filters, limit=limit, offset=offset)
    found = search_result(
        answer,
        recall,
        query=arguments.keyword,
        filters={"sources": _SEARCHED, "session": sessions},
        span=span,
        notes=notes,
        around=around,
    )
    return ChatHistoryResult(hits=found.hits, total=found.total, searched=found.searched)


def _render(result: ChatHistoryResult) -> str:
    given = result.model_fields_set
    if "hits" in given:
        assert result.searched is not None
        return search_text(result.hits, result.total or 0, result.searched)
    lines: list[str] = []
    if "session" in given:
        lines.append(
            f"Session {result.session} ({result.chosen})." if result.session else "No session."
        )
    if "total" in given and result.session:
        lines.append(
            f"{counted(result.total or 0, 'run')}, newest first; {len(result.runs)} shown."
        )
    if "calls" in given:
        lines.append(
            f"{counted(len(result.calls), 'call')} worth reusing in the last "
            f"{limits.CHAT_HISTORY_TOOL_RUNS} runs."
        )
    for run in result.runs:
        lines += ["", *(row_lines(run) if isinstance(run, RunRow) else run_lines(run))]
    for call in result.calls:
        lines += ["", *reusable_lines(call)]
    if "output" in given:
        lines += _output_lines(result)
    if result.next_offset is not None:
        lines += ["", f"More: the same call with offset={result.next_offset}."]
    return framed([*lines, *note_lines(result.notes)])


def _output_lines(result: ChatHistoryResult) -> list[str]:
    lines = [f"{result.ref}  {one_line(result.name or '', 80)}: {result.status}"]
    if result.arguments:
        lines.append(quote(result.arguments))
    lines.append(f"output, {result.characters} characters:")
    lines.append(quote(result.output or ""))
    if result.others:
        lines.append(f"other calls of it in this run: {', '.join(result.others)}")
    return lines


TOOL = Tool(
    name="chat_history",
    group="history",
    what="The action log: recent runs, whole runs, reusable tool results, past messages.",
    when="Before repeating work or a fetch, and when the user points at something done earlier.",
    precondition="None; without an archive it says so.",
    arguments=ChatHistoryArguments,
    result=ChatHistoryResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="agenvoy",
    example={"mode": "list"},
)
