"""``error_history``: records of failures with the fix that worked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, field_validator

from generator import limits
from generator.tools.base import Arguments, Result, Tool
from generator.tools.texts import Text
from generator.workspace import Workspace, open_workspace

if TYPE_CHECKING:
    from generator.model.failure import Failure
    from generator.recall.veil import Veil


class ErrorHistoryArguments(Arguments):
    """What to look for, or which record to read."""

    mode: Literal["search", "read"] | None = Field(
        None, description="search or read; left out, a hash gives read, else search"
    )
    keyword: Text | None = Field(
        None,
        description="what went wrong: a word, an error code, a path, or a whole stack trace; "
        "left out, the newest records",
    )
    tool_name: Text | None = Field(None, description="only records of this tool")
    limit: int | None = Field(
        None,
        ge=1,
        description=f"records (default {limits.ERROR_HISTORY_DEFAULT}, at most "
        f"{limits.ERROR_HISTORY_MAX})",
    )
    hash: Text | None = Field(
        None,
        description=f"for read: the {limits.ERROR_HASH_LENGTH} characters of a record's name; "
        "'no data: <hash>' in a tool result points here",
    )

    @field_validator("mode", mode="before")
    @classmethod
    def _refuse_write(cls, value: object) -> object:
        if value == "write":
            message = "write was removed: records are written with write_error"
            raise ValueError(message)
        return value


class ErrorRecord(Result):
    """One record."""

    hash: str = Field(description="its name; read takes it")
    tool_name: str = Field(description="the tool that failed")
    keywords: list[str] = Field(description="words it is found by")
    symptom: str = Field(description="what was seen")
    cause: str | None = Field(description="why, when known")
    action: str = Field(description="the fix that worked")
    outcome: Literal["resolved"] = Field(description="always resolved")
    recorded_at: str = Field(description="when it was recorded")


class ErrorsSearched(Result):
    """What an answer covers: a miss says what was recorded here, never what happened."""

    keyword: str | None = Field(description="what was looked for")
    tool_name: str | None = Field(description="only this tool's records")
    records: int = Field(description="records there are")
    oldest: str | None = Field(description="when the oldest was recorded")
    newest: str | None = Field(description="when the newest was recorded: searched until then")
    notes: list[str] = Field(description="what the caller should know about this answer")


class ErrorHistoryResult(Result):
    """The records found."""

    records: list[ErrorRecord] = Field(description="the best first")
    total: int = Field(description="records that match in all")
    searched: ErrorsSearched = Field(description="what the answer covers")


def _handle(arguments: ErrorHistoryArguments, workspace: Workspace) -> ErrorHistoryResult:
    from generator.errors.records import get_record
    from generator.exceptions import UsageError
    from generator.recall.failures import find_failures
    from generator.tools.views import lowered

    name = (arguments.hash or "").strip()
    if (arguments.mode or ("read" if name else "search")) == "read":
        if not name:
            raise UsageError(
                "mode=read needs the hash of a record.",
                hint="Search with error_history(keyword=...) to find it.",
            )
        record = get_record(workspace.home, name)
        return _answer([record], 1, [record], [], workspace, room=limits.ANSWER_CHARACTERS)
    keyword = (arguments.keyword or "").strip() or None
    tool = (arguments.tool_name or "").strip() or None
    limit, notes = lowered(arguments.limit, limits.ERROR_HISTORY_DEFAULT, limits.ERROR_HISTORY_MAX)
    answer = find_failures(workspace, keyword=keyword, tool_name=tool)
    result = _answer(
        answer.found[:limit],
        answer.total,
        answer.records,
        [*notes, *answer.notes],
        workspace,
        room=limits.BRIEF_TEXT_CHARACTERS,
    )
    result.searched.keyword = _cut(keyword, limits.BRIEF_TEXT_CHARACTERS)[0] if keyword else None
    result.searched.tool_name = tool
    return result


def _answer(
    found: Sequence[Failure],
    total: int,
    records: Sequence[Failure],
    notes: list[str],
    workspace: Workspace,
    *,
    room: int,
) -> ErrorHistoryResult:
    from generator.recall.veil import Veil

    veil = Veil(workspace)
    return ErrorHistoryResult(
        records=[_view(failure, room, notes, veil) for failure in found],
        total=total,
        searched=ErrorsSearched(
            keyword=None,
            tool_name=None,
            records=len(records),
            oldest=records[-1].recorded_at.isoformat() if records else None,
            newest=records[0].recorded_at.isoformat() if records else None,
            notes=notes,
        ),
    )


def _view(failure: Failure, room: int, notes: list[str], veil: Veil) -> ErrorRecord:
    texts: dict[str, Any] = {}
    for field in ("symptom", "cause", "action"):
        text = getattr(failure, field)
        # A person may have written a secret into the file by hand.
        texts[field], was_cut = _cut(veil.hide(text), room) if text else (text, False)
        if was_cut:
            notes.append(
                f"{field} of {failure.hash} has {len(text)} characters and was cut; whole: "
                f"memory_get('error:{failure.hash}')"
            )
    return ErrorRecord(
        hash=failure.hash,
        tool_name=failure.tool_name,
        keywords=list(failure.keywords),
        outcome="resolved",
        recorded_at=failure.recorded_at.isoformat(),
        **texts,
    )


def _cut(text: str, room: int) -> tuple[str, bool]:
    """Keep both ends of a text: failures begin or end on what they are."""
    if len(text) <= room:
        return text, False
    half = room // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters ...]\n{text[-half:]}", True


def render(result: ErrorHistoryResult) -> str:
    """Return the records as an agent reads them, framed as quoted data."""
    from generator.recall.quoting import quote
    from generator.tools.views import framed, note_lines

    searched = result.searched
    if not result.records:
        newest = f"until {searched.newest}" if searched.newest else "none yet"
        lines = [f"No record fits. Searched {searched.records} error records ({newest})."]
        lines += note_lines(searched.notes)
        lines.append(
            "next: try the error code or the telling line alone, or memory_search for past runs; "
            "when it is fixed, keep it with write_error"
        )
        return "\n".join(lines)
    lines = [f"{len(result.records)} of {result.total} records, the best first"]
    for record in result.records:
        lines.append(f"error:{record.hash}  {record.tool_name}  ({record.recorded_at[:10]})")
        lines.append(quote(f"symptom: {record.symptom}", "  "))
        if record.cause:
            lines.append(quote(f"cause: {record.cause}", "  "))
        lines.append(quote(f"fix: {record.action}", "  "))
    return framed([*lines, *note_lines(searched.notes)])


TOOL = Tool(
    name="error_history",
    group="errors",
    what="Finds records of tool failures, each with the fix that worked.",
    when="Call it when a tool failed, before trying a third time; paste the message as it stands.",
    precondition="None; a fix that took thought is kept afterwards with write_error.",
    arguments=ErrorHistoryArguments,
    result=ErrorHistoryResult,
    handler=_handle,
    render=render,
    read_only=True,
    idempotent=True,
    seed="agenvoy",
    example={"keyword": "ModuleNotFoundError: No module named 'yaml'"},
)


def error_history(
    keyword: str | None = None,
    *,
    tool_name: str | None = None,
    limit: int | None = None,
    hash: str | None = None,  # noqa: A002 - the tool's own word
    mode: Literal["search", "read"] | None = None,
) -> ErrorHistoryResult:
    """Find error records, or read one.

    Args:
        keyword: What went wrong: a word, a code, a whole stack trace.
        tool_name: Only records of this tool.
        limit: How many records.
        hash: The record to read.
        mode: ``search`` or ``read``; a hash gives read, else search.

    Raises:
        UsageError: The arguments do not fit together.
        NotFoundError: No record has that hash.
    """
    given = {
        "keyword": keyword, "tool_name": tool_name, "limit": limit, "hash": hash, "mode": mode,
    }  # fmt: skip
    return TOOL.call(given, open_workspace())
