"""Finding error records: the one index proposes, the room of errors puts them in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.echo import shown
from generator.errors.lookup import search_records
from generator.errors.records import load_records
from generator.model.failure import Failure
from generator.recall.store import open_recall
from generator.search import Filters
from generator.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFailures:
    """What a search for error records gave.

    Attributes:
        found: The records that fit best, the best first.
        total: How many fit in all.
        records: Every record there is, newest first.
        notes: What the caller should know: broken files, an index that is behind.
    """

    found: tuple[Failure, ...]
    total: int
    records: tuple[Failure, ...]
    notes: tuple[str, ...]


def find_failures(
    workspace: Workspace, *, keyword: str | None = None, tool_name: str | None = None
) -> FoundFailures:
    """Find error records.

    Args:
        workspace: Whose home it is.
        keyword: What went wrong: a word, an error code, a whole stack trace; None lists the
            newest first.
        tool_name: Only records of this tool.

    Raises:
        UsageError: The keyword holds nothing to search for.
        IndexUnavailableError: There is no index and none can be made.
    """
    records, problems = load_records(workspace.home)
    notes = [f"{problem} It was left out." for problem in problems]

    def propose(query: str, most: int) -> tuple[Sequence[str], int]:
        filters = Filters(sources=("error",), tools=(tool_name,) if tool_name else ())
        results = open_recall(workspace).index.search(query, filters=filters, limit=most)
        if results.searched.stale:
            notes.append(results.searched.stale)
        return [hit.ref.removeprefix("error:") for hit in results.hits], results.total

    found, total = search_records(records, propose, keyword=keyword, tool_name=tool_name)
    if tool_name and not any(
        record.tool_name.casefold() == tool_name.casefold() for record in records
    ):
        tools = ", ".join(sorted({record.tool_name for record in records})[:20]) or "none"
        notes.append(f"No record is about {shown(tool_name)}; tools with records: {tools}.")
    return FoundFailures(
        found=tuple(found), total=total, records=tuple(records), notes=tuple(notes)
    )
