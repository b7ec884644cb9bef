"""``memory``: past conversations by keyword or by day, this session first."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, field_validator

from generator import limits
from generator.counting import counted
from generator.echo import quoted
from generator.exceptions import NotFoundError, UsageError
from generator.history.refs import conversation_ref
from generator.history.register import Row
from generator.model.session import Message
from generator.recall.days import DAY, days_text, span_of_days
from generator.recall.digest import make_digest
from generator.recall.search import find, find_current_first, within
from generator.recall.session import Current, current_session
from generator.recall.store import Recall, open_recall
from generator.search import Filters
from generator.timestamps import Span
from generator.tools.base import Arguments, ModeResult, Tool
from generator.tools.digest_view import DigestView, digest_lines, digest_view
from generator.tools.hits import HitView, SearchedView, search_result, search_text
from generator.tools.views import (
    MessageView,
    framed,
    lowered,
    message_lines,
    message_views,
    note_lines,
)
from generator.workspace import Workspace

Mode = Literal["search", "read", "summarize"]

# Where dialogue stands: conversations, and the runs that an agent recorded itself.
_SEARCHED = ("conversation", "task")


class DateRange(BaseModel):
    """Two days, both included."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    start: str | None = Field(None, description=f"first day: {DAY}")
    end: str | None = Field(None, description="last day, included")


_PAIR_SCHEMA = WithJsonSchema(
    {
        "anyOf": [
            DateRange.model_json_schema(),
            {
                "type": "array",
                "items": {"anyOf": [{"type": "string"}, {"type": "null"}]},
                "minItems": 2,
                "maxItems": 2,
            },
            {"type": "string"},
            {"type": "null"},
        ]
    }
)


class MemoryArguments(Arguments):
    """What may be asked."""

    mode: Mode | None = Field(
        None,
        description="search: by keyword, this session first; read: messages in order; summarize: "
        "a digest of some days. When left out: query or date_range mean search, since means "
        "summarize, nothing means read",
    )
    query: str | None = Field(None, description="search: words; left out, only the days count")
    session_id: str | None = Field(
        None,
        description="search: the session that comes first; read: the session to read; else the "
        "current one",
    )
    date_range: Annotated[DateRange | None, _PAIR_SCHEMA] = Field(
        None,
        description="search: days as {start, end} or [start, end], both included, or one "
        "text such as last week",
    )
    top_k: int | None = Field(None, ge=1, description="search: the same as limit")
    date: str | None = Field(None, description=f"read: {DAY}")
    rounds: int | None = Field(
        None,
        ge=1,
        description="read: only the last so many rounds of the session, a round being a request "
        f"with all that came of it (at most {limits.REFERENT_ROUNDS_MAX})",
    )
    referent: bool = Field(
        False,
        description="read: to find what 'my question' or 'that file' means; without rounds, date "
        "and session_id the last rounds of this session are read (referent_context_rounds, "
        f"{limits.REFERENT_CONTEXT_ROUNDS} unless set)",
    )
    order: Literal["asc", "desc", "newest"] = Field(
        "asc", description="read: asc is oldest first, desc and newest are newest first"
    )
    limit: int | None = Field(
        None,
        ge=1,
        description=f"search: hits (default from memory_search_default_limit, "
        f"{limits.MEMORY_MODE_SEARCH_DEFAULT} unless set, at most "
        f"{limits.MEMORY_MODE_SEARCH_MAX}); read: messages (default "
        f"{limits.MEMORY_READ_DEFAULT}, at most {limits.MEMORY_READ_MAX})",
    )
    offset: int = Field(0, ge=0, description="hits or messages passed over")
    since: str | None = Field(None, description="summarize: first day, as for date")
    until: str | None = Field(None, description="summarize: last day, included")
    focus: str | None = Field(
        None,
        description="summarize: only runs that speak of one of these words, the sentences that "
        f"hold them first; an answer keeps to {limits.DIGEST_CHARACTERS} characters",
    )

    @field_validator("date_range", mode="before")
    @classmethod
    def _pair(cls, value: Any) -> Any:
        """Take ``[start, end]`` as ``{start, end}``."""
        if isinstance(value, list | tuple):
            if len(value) != 2:
                message = "takes days as {start, end}, [start, end] or one text such as last week"
                raise ValueError(message)
            return {"start": value[0], "end": value[1]}
        if isinstance(value, str):
            return {"start": value, "end": value}
        return value


class MemoryResult(ModeResult):
    """What the mode asks for: only its fields are given."""

    hits: list[HitView] = Field(
        default_factory=list, description="search: this session's hits, then the others'"
    )
    searched: SearchedView | None = Field(None, description="search: what the answer covers")
    session: str | None = Field(
        None, description="read: session id; null when a day of all sessions is read"
    )
    chosen: str | None = Field(None, description="read: why it is this session")
    messages: list[MessageView] = Field(default_factory=list, description="read: the messages")
    total: int = Field(0, description="hits or messages in all")
    next_offset: int | None = Field(None, description="read: offset that reads on")
    referents: list[str] = Field(
        default_factory=list,
        description="read: the newest requests of this session, what 'my question' can mean "
        "(referent_context_rounds)",
    )
    digest: DigestView | None = Field(None, description="summarize: what was done on those days")
    notes: list[str] = Field(
        default_factory=list, description="read: what the caller should know about this answer"
    )


def _mode_of(arguments: MemoryArguments) -> Mode:
    if arguments.mode:
        return arguments.mode
    if arguments.since or arguments.until:
        return "summarize"
    return "search" if arguments.query or arguments.date_range else "read"


def _handle(arguments: MemoryArguments, workspace: Workspace) -> MemoryResult:
    match _mode_of(arguments):
        case "search":
            return _search(arguments, open_recall(workspace))
        case "read":
            return _read(arguments, open_recall(workspace))
        case "summarize":
            return _summarize(arguments, open_recall(workspace))


def _search(arguments: MemoryArguments, recall: Recall) -> MemoryResult:
    query = (arguments.query or "").strip() or None
    given = arguments.date_range or DateRange(start=None, end=None)
    span = span_of_days(
        given.start, given.end, recall.workspace, names=("date_range.start", "date_range.end")
    )
    if query is None and span.is_open:
        raise UsageError(
            "memory(mode=search) needs query or date_range.",
            hint="Give words to look for, or days; mode=read reads this session.",
        )
    limit, notes = lowered(
        arguments.top_k if arguments.limit is None else arguments.limit,
        recall.workspace.settings.memory_search_default_limit,
        limits.MEMORY_MODE_SEARCH_MAX,
    )
    current = _current(arguments.session_id, recall, notes)
    filters = within(Filters(sources=_SEARCHED), span)
    if current is None:
        answer = find(recall, query, filters, limit=limit, offset=arguments.offset)
    else:
        notes.append(f"session {current.row.id} comes first ({current.how})")
        answer = find_current_first(
            recall,
            query,
            filters,
            current=current.row.id,
            limit=limit,
            offset=arguments.offset,
        )
    found = search_result(
        answer, recall, query=query, filters={"sources": _SEARCHED}, span=span, notes=notes
    )
    return MemoryResult(hits=found.hits, total=found.total, searched=found.searched)


def _summarize(arguments: MemoryArguments, recall: Recall) -> MemoryResult:
    if not arguments.since or not arguments.until:
        raise UsageError(
            "memory(mode=summarize) needs since and until.",
            hint="Give both days, included: since='last week', until='today'.",
        )
    span = span_of_days(
        arguments.since, arguments.until, recall.workspace, names=("since", "until")
    )
    focus = (arguments.focus or "").strip()
    digest = make_digest(recall, span, focus)
    return MemoryResult(digest=digest_view(digest, days_text(span), focus))


def _current(name: str | None, recall: Recall, notes: list[str]) -> Current | None:
    """Return the session that comes first; a variable that names none is only noted."""
    try:
        return current_session(recall.reader, recall.workspace, name)
    except NotFoundError as error:
        if name:
            raise
        notes.append(error.message)
        return None


def _read(arguments: MemoryArguments, recall: Recall) -> MemoryResult:
    rounds, notes = _rounds(arguments, recall)
    default = limits.MEMORY_READ_MAX if rounds else limits.MEMORY_READ_DEFAULT
    limit, more = lowered(arguments.limit, default, limits.MEMORY_READ_MAX)
    notes += more
    span = span_of_days(arguments.date, arguments.date, recall.workspace, names=("date", "date"))
    if arguments.date and days_text(span) != arguments.date:
        notes.append(f"date {quoted(arguments.date)} was read as {days_text(span)}")
    current: Current | None = None
    if arguments.session_id or not arguments.date:
        current = current_session(recall.reader, recall.workspace, arguments.session_id)
        if current is None:
            notes.append("the archive is empty: 'fieldguide history add PATH' fills it")
    newest_first = arguments.order != "asc"
    page = slice(arguments.offset, arguments.offset + limit)
    if current is not None and span.is_open:
        numbers = _main_thread(current.row, rounds)
        messages, total = _page_of_session(current.row, recall, numbers, page, newest_first)
        if rounds:
            notes.append(f"the last {rounds} rounds of the session; without rounds all of it")
    else:
        rows = [current.row] if current else recall.reader.register.sessions()
        every = _of_day(rows, recall, span) if arguments.date else []
        messages, total = (every[::-1] if newest_first else every)[page], len(every)
    views = message_views(
        messages,
        recall,
        text_room=limits.FILE_EXCERPT_CHARACTERS,
        call_room=limits.BRIEF_CALL_CHARACTERS,
        budget=limits.ANSWER_CHARACTERS,
    )
    if arguments.date and not total:
        notes.append(_nothing_that_day(arguments.date, recall))
    return MemoryResult(
        session=current.row.id if current else None,
        chosen=current.how if current else None,
        messages=views,
        total=total,
        next_offset=page.stop if page.stop < total else None,
        referents=_referents(current.row, recall) if current else [],
        notes=notes,
    )


def _rounds(arguments: MemoryArguments, recall: Recall) -> tuple[int | None, list[str]]:
    """Return how many rounds are read, None for no bound, and a note when it was lowered."""
    if arguments.rounds is None:
        if arguments.referent and not arguments.date and not arguments.session_id:
            return recall.workspace.settings.referent_context_rounds, []
        return None, []
    if arguments.date:
        raise UsageError(
            "memory(mode=read) takes rounds or date, not both.",
            hint="Rounds are counted from a session's end; leave one of them out.",
        )
    return lowered(arguments.rounds, 1, limits.REFERENT_ROUNDS_MAX, "rounds")


def _main_thread(row: Row, rounds: int | None) -> list[int]:
    """Return the numbers of a session's messages, or of those in its last rounds."""
    marks = row.marks.get("", b"")
    numbers = [number for number, mark in enumerate(marks, start=1) if mark != ord(" ")]
    if rounds is None:
        return numbers
    asked = [number for number in numbers if marks[number - 1] == ord("u")]
    first = asked[-rounds] if len(asked) >= rounds else 0
    # What was rewound or edited away is no part of a round.
    return [number for number in numbers if number >= first and marks[number - 1] not in b"UA"]


def _page_of_session(
    row: Row, recall: Recall, numbers: list[int], page: slice, newest_first: bool
) -> tuple[list[tuple[str, Message]], int]:
    """Read one page of a session's main thread without reading the rest."""
    wanted = (numbers[::-1] if newest_first else numbers)[page]
    if not wanted:
        return [], len(numbers)
    found = recall.reader.messages(row, range(min(wanted), max(wanted) + 1))
    chosen = set(wanted)
    found = [message for message in found if message.n in chosen]
    ordered = found[::-1] if newest_first else found
    return [(row.id, message) for message in ordered], len(numbers)


def _of_day(rows: list[Row], recall: Recall, span: Span) -> list[tuple[str, Message]]:
    """Read what was said in a span of time, oldest first, copies of other sessions left out."""
    found: list[tuple[str, Message]] = []
    for row in rows:
        if span.meets(row.created, row.updated):
            found += [
                (row.id, message)
                for message in recall.reader.session(row).messages
                if message.thread != "side" and not message.copy_of and span.holds(message.ts)
            ]
    return sorted(found, key=lambda pair: (pair[1].ts, pair[0], pair[1].n))


def _nothing_that_day(date: str, recall: Recall) -> str:
    rows = recall.reader.register.sessions()
    oldest = min((row.created for row in rows if row.created), default=None)
    newest = max((row.updated for row in rows if row.updated), default=None)
    if oldest is None or newest is None:
        return (
            f"no message of {date} is archived: {counted(len(rows), 'session')}, none with a time"
        )
    zone = recall.workspace.zone
    return (
        f"no message of {date} is archived; {counted(len(rows), 'session')} from "
        f"{oldest.astimezone(zone):%Y-%m-%d} until {newest.astimezone(zone):%Y-%m-%d} were looked "
        "through"
    )


def _referents(row: Row, recall: Recall) -> list[str]:
    """Return the refs of the newest requests, the newest first."""
    marks = row.marks.get("", b"")
    asked = [number for number, mark in enumerate(marks, start=1) if mark == ord("u")]
    rounds = recall.workspace.settings.referent_context_rounds
    return [conversation_ref(row.id, number) for number in reversed(asked[-rounds:])]


def _render(result: MemoryResult) -> str:
    if result.searched is not None:
        return search_text(result.hits, result.total, result.searched)
    if result.digest is not None:
        return framed(digest_lines(result.digest))
    lines = []
    if result.session:
        lines.append(f"Session {result.session} ({result.chosen}).")
    lines.append(f"{len(result.messages)} of {result.total} messages.")
    if result.referents:
        lines.append(f"Newest requests: {', '.join(result.referents)}.")
    for view in result.messages:
        lines += ["", *message_lines(view)]
    if result.next_offset is not None:
        lines += ["", f"More: the same call with offset={result.next_offset}."]
    return framed([*lines, *note_lines(result.notes)])


TOOL = Tool(
    name="memory",
    group="history",
    what="Past conversations: search by keyword with this session first, read in order, or digest.",
    when="For prior dialogue, past questions, 'what I asked', and what was said on a day.",
    precondition="None; without an archive it says so.",
    arguments=MemoryArguments,
    result=MemoryResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="memory",
    example={"mode": "search", "query": "风速"},
)
