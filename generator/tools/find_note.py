"""``find_note``: the operator's notes, found by keyword and read by name."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator

from generator.limits import FIND_NOTE_MAX
from generator.tools.base import Arguments, ModeResult, Tool
from generator.tools.texts import Text, mended
from generator.workspace import Workspace, open_workspace


def _joined(value: object) -> object:
    if isinstance(value, list):
        return [mended(item) for item in value]
    return mended(value)


class FindNoteArguments(Arguments):
    """What to look for, or which note to read."""

    mode: Literal["search", "read"] | None = Field(
        None, description="search or read; left out, a name gives read, else search"
    )
    keywords: Annotated[str | list[str] | None, BeforeValidator(_joined)] = Field(
        None, description="for search: words that stand in the note's name or text"
    )
    name: Text | None = Field(None, description="for read: the note's name")

    @field_validator("mode", mode="before")
    @classmethod
    def _refuse_list(cls, value: object) -> object:
        if value == "list":
            message = "list was removed: search with keywords, they are required"
            raise ValueError(message)
        return value


class FindNoteResult(ModeResult):
    """The names of a search, or the note."""

    names: list[str] | None = Field(
        None, description=f"names of notes that match, most hits first (at most {FIND_NOTE_MAX})"
    )
    name: str | None = Field(None, description="name of the note")
    text: str | None = Field(None, description="the whole note, as Markdown")


def _handle(arguments: FindNoteArguments, workspace: Workspace) -> FindNoteResult:
    from generator.exceptions import UsageError
    from generator.knowledge.notes import read_note, search_notes

    name = (arguments.name or "").strip()
    if (arguments.mode or ("read" if name else "search")) == "read":
        if not name:
            raise UsageError(
                "mode=read needs a name.", hint="Find names with find_note(keywords=...)."
            )
        note = read_note(workspace.home, name)
        return FindNoteResult(name=note.name, text=note.text)
    return FindNoteResult(names=search_notes(workspace.home, arguments.keywords or ""))


def render(result: FindNoteResult) -> str:
    """Return the names, or the note as it stands."""
    if result.text is not None:
        return f"note:{result.name}\n\n{result.text}"
    if not result.names:
        return "No note holds any of these keywords. next: try other words, or go on without."
    return "\n".join(result.names)


TOOL = Tool(
    name="find_note",
    group="knowledge",
    what="Finds and reads the operator's notes: rules, conventions and background of this place.",
    when="Call it before work that this place may have its own way of doing.",
    precondition="Search by keywords first, then read by name.",
    arguments=FindNoteArguments,
    result=FindNoteResult,
    handler=_handle,
    render=render,
    read_only=True,
    idempotent=True,
    seed="agenvoy",
    example={"keywords": "deploys release"},
)


def find_note(
    keywords: str | list[str] | None = None,
    *,
    name: str | None = None,
    mode: Literal["search", "read"] | None = None,
) -> FindNoteResult:
    """Find the operator's notes by keyword, or read one by name.

    Args:
        keywords: Words that stand in a note's name or text.
        name: The note to read.
        mode: ``search`` or ``read``; a name gives read, else search.

    Raises:
        UsageError: Neither keywords nor a name is given.
        NotFoundError: There is no note of that name; the nearest one is named.
    """
    return TOOL.call({"keywords": keywords, "name": name, "mode": mode}, open_workspace())
