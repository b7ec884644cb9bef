"""``status``: what is recorded, since when, and how the agents fare."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator import limits
from generator.counting import counted
from generator.history.register import Row
from generator.recall import overview
from generator.recall.days import local
from generator.recall.quoting import one_line, quote
from generator.recall.search import find
from generator.recall.store import Recall, open_recall
from generator.search import Filters
from generator.timestamps import Span
from generator.tools.base import Arguments, ModeResult, Result, Tool
from generator.tools.hits import HitView, search_result
from generator.tools.views import framed
from generator.workspace import Workspace

# What is remembered beside conversations.
_REMEMBERED = ("knowledge", "consolidated", "reflection", "episode", "note", "error", "report")


class StatusArguments(Arguments):
    """What may be asked."""

    mode: Literal["overview", "performance", "memory", "files", "channels"] = Field(
        "overview",
        description="overview: what is indexed and since when; performance: success rates and "
        "most used tools; memory: what is remembered and recent topics; files: the archive and "
        "artifacts; channels: last activity by channel",
    )


class StretchView(Result):
    """A group with the times it reaches over."""

    name: str = Field(description="source, agent or channel")
    count: int = Field(description="entries of a source; sessions of an agent or channel")
    messages: int = Field(description="messages of an agent or channel")
    oldest: str | None = Field(description="time of the oldest")
    newest: str | None = Field(description="time of the newest")


class ToolView(Result):
    """How the calls of one tool ended."""

    name: str = Field(description="the tool")
    calls: int = Field(description="calls")
    ok: int = Field(description="calls that went well")
    failed: int = Field(description="calls that failed")
    denied: int = Field(description="calls that were denied or cancelled")
    unfinished: int = Field(description="calls without a result")
    success: float | None = Field(description="share that went well of those that ended")


class TopicView(Result):
    """What a recent session was about."""

    ref: str = Field(description="ref of the session")
    agent: str = Field(description="the agent")
    updated: str | None = Field(description="time of the last record")
    topic: str = Field(description="its title, else its first request, on one line")


class StatusResult(ModeResult):
    """What the mode asks for: only its fields are given."""

    home: str = Field("", description="overview: the folder with the data")
    registered: list[str] = Field(
        default_factory=list, description="overview: sources that history is taken from"
    )
    sources: list[StretchView] = Field(
        default_factory=list, description="overview, memory: entries in the index by source"
    )
    agents: list[StretchView] = Field(
        default_factory=list, description="overview: sessions by agent"
    )
    channels: list[StretchView] = Field(
        default_factory=list, description="channels: sessions by channel, last active first"
    )
    tools: list[ToolView] = Field(
        default_factory=list, description="performance: tools, the most used first"
    )
    sessions: int = Field(0, description="performance: newest sessions that were counted")
    sessions_total: int = Field(0, description="performance, files: sessions in the archive")
    topics: list[TopicView] = Field(
        default_factory=list, description="memory: what the newest sessions were about"
    )
    archive_files: int = Field(0, description="files: files in the archive")
    archive_bytes: int = Field(0, description="files: bytes in the archive")
    artifacts: list[HitView] = Field(
        default_factory=list, description="files: newest artifacts, with refs"
    )
    artifacts_total: int = Field(0, description="files: artifacts in all")
    problems: list[str] = Field(default_factory=list, description="what could not be read")


def _handle(arguments: StatusArguments, workspace: Workspace) -> StatusResult:
    recall = open_recall(workspace)
    match arguments.mode:
        case "overview":
            return _overview(recall)
        case "performance":
            return _performance(recall)
        case "memory":
            return _memory(recall)
        case "files":
            return _files(recall)
        case "channels":
            rows = recall.reader.register.sessions()
            return StatusResult(
                channels=[_stretch(item, recall) for item in overview.by_channel(rows)]
            )


def _stretch(item: overview.Stretch, recall: Recall) -> StretchView:
    return StretchView(
        name=item.name,
        count=item.count,
        messages=item.messages,
        oldest=local(item.oldest, recall.workspace),
        newest=local(item.newest, recall.workspace),
    )


def _overview(recall: Recall) -> StatusResult:
    coverage = recall.index.coverage()
    rows = recall.reader.register.sessions()
    return StatusResult(
        home=str(recall.workspace.home.root),
        registered=list(recall.workspace.settings.sources),
        sources=[_stretch(item, recall) for item in overview.by_source(recall)],
        agents=[_stretch(item, recall) for item in overview.by_agent(rows)],
        problems=[
            *recall.problems,
            *([coverage.stale] if coverage.stale else []),
            *coverage.problems,
        ],
    )


def _performance(recall: Recall) -> StatusResult:
    counted = overview.performance(recall)
    return StatusResult(
        sessions=counted.sessions,
        sessions_total=counted.of,
        tools=[
            ToolView(
                name=tool.name,
                calls=tool.calls,
                ok=tool.ended["ok"],
                failed=tool.ended["error"],
                denied=tool.ended["denied"] + tool.ended["cancelled"],
                unfinished=tool.ended["unfinished"],
                success=tool.success,
            )
            for tool in counted.tools
        ],
    )


def _memory(recall: Recall) -> StatusResult:
    rows = [row for row in recall.reader.register.sessions() if not row.head.get("parent")]
    return StatusResult(
        sources=[
            _stretch(item, recall)
            for item in overview.by_source(recall)
            if item.name in _REMEMBERED
        ],
        topics=[_topic(row, recall) for row in rows[: limits.STATUS_ROWS]],
    )


def _topic(row: Row, recall: Recall) -> TopicView:
    text = str(row.head.get("title") or "")
    if not text:
        asked = row.marks.get("", bytearray()).find(b"u") + 1
        messages = recall.reader.messages(row, range(asked, asked + 1)) if asked else []
        text = messages[0].text if messages else ""
    return TopicView(
        ref=f"conversation:{row.id}",
        agent=str(row.head["agent"]),
        updated=local(row.updated, recall.workspace),
        topic=one_line(recall.veil.excerpt(text, 800)[0]),
    )


def _files(recall: Recall) -> StatusResult:
    rows = recall.reader.register.refresh()
    answer = find(recall, None, Filters(sources=("artifact",)), limit=limits.STATUS_ROWS)
    found = search_result(answer, recall, query=None, filters={}, span=Span())
    return StatusResult(
        archive_files=len(rows),
        archive_bytes=sum(row.size for row in rows.values()),
        sessions_total=sum(row.is_session for row in rows.values()),
        artifacts=found.hits,
        artifacts_total=found.total,
        problems=[
            f"{path.name} in the archive is no canonical file"
            for path, row in rows.items()
            if row.size and not row.head
        ],
    )


def _render(result: StatusResult) -> str:
    given = result.model_fields_set
    lines: list[str] = []
    if "home" in given:
        lines += [
            f"Home: {result.home}",
            f"Registered sources: {', '.join(result.registered) or 'none'}",
        ]
    for name, unit in (("sources", "entries"), ("agents", "sessions"), ("channels", "sessions")):
        if name in given:
            lines += _stretch_lines(name, unit, getattr(result, name))
    if "tools" in given:
        lines.append(
            f"Tool calls of the newest {result.sessions} of {result.sessions_total} sessions:"
        )
        lines += [_tool_line(tool) for tool in result.tools[: limits.STATUS_ROWS]]
        if len(result.tools) > limits.STATUS_ROWS:
            lines.append(f"  and {len(result.tools) - limits.STATUS_ROWS} tools more")
    if "topics" in given:
        lines.append("Recent topics:")
        for topic in result.topics:
            lines.append(f"{topic.ref}  ({topic.agent}, {topic.updated or 'no time known'})")
            lines.append(quote(topic.topic))
    if "archive_files" in given:
        lines.append(
            f"Archive: {counted(result.archive_files, 'file')}, {result.archive_bytes} bytes, "
            f"{counted(result.sessions_total, 'session')}."
        )
        lines.append(f"Artifacts: {result.artifacts_total}, the newest first.")
        for hit in result.artifacts:
            lines += [f"{hit.ref}  ({hit.ts or 'no time known'})", quote(hit.snippet)]
    lines += [f"problem: {one_line(problem, 400)}" for problem in result.problems]
    return framed(lines)


def _stretch_lines(name: str, unit: str, stretches: list[StretchView]) -> list[str]:
    if not stretches:
        return [
            f"{name.capitalize()}: nothing yet; 'fieldguide history add PATH' fills the archive."
        ]
    lines = [f"{name.capitalize()}:"]
    for item in stretches:
        reach = f"{item.oldest or '?'} until {item.newest or '?'}"
        told = f", {counted(item.messages, 'message')}" if unit == "sessions" else ""
        lines.append(f"  {one_line(item.name, 60)}: {item.count} {unit}{told}, {reach}")
    return lines


def _tool_line(tool: ToolView) -> str:
    rate = "no call ended" if tool.success is None else f"{tool.success:.0%} went well"
    return f"  {one_line(tool.name, 60)}: {counted(tool.calls, 'call')}, {rate}"


TOOL = Tool(
    name="status",
    group="history",
    what="Tells what is recorded and since when, success rates, recent topics, files, channels.",
    when="To know what a search covers before trusting a miss, or when asked how things stand.",
    precondition="None; without an archive it says so.",
    arguments=StatusArguments,
    result=StatusResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="wolffish",
    example={"mode": "overview"},
)
