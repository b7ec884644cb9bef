"""``memory_save``: keep one durable fact."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from generator.limits import FACT_CHARACTERS
from generator.tools.base import Arguments, ModeResult, Result, Tool
from generator.tools.texts import FilledText, masked_line
from generator.workspace import Workspace, open_workspace


class MemorySaveArguments(Arguments):
    """What to keep."""

    fact: FilledText = Field(
        description=f"one durable, self-contained sentence (at most {FACT_CHARACTERS} characters)"
    )
    type: Literal["projects", "people", "preferences", "technical", "decisions"] = Field(
        "technical", description="which knowledge file it belongs to"
    )


class SimilarFact(Result):
    """A fact that was there before and is near the new one."""

    ref: str = Field(description="its ref")
    fact: str = Field(description="what it says")


class MemorySaveResult(ModeResult):
    """What was done."""

    status: Literal["saved", "known", "similar"] = Field(
        description="saved; known: the same fact was there; similar: saved, and near ones are there"
    )
    ref: str = Field(description="ref of the fact, as memory_get and memory forget take it")
    similar: list[SimilarFact] = Field(description="older facts that are near it")
    masked: dict[str, int] | None = Field(
        None, description="secrets that were masked, by kind; left out when there were none"
    )


def _handle(arguments: MemorySaveArguments, workspace: Workspace) -> MemorySaveResult:
    from generator.knowledge.facts import save_fact

    saved = save_fact(workspace, arguments.fact, arguments.type)
    similar = [SimilarFact(ref=fact.ref, fact=fact.text) for fact in saved.similar]
    if saved.masked:
        return MemorySaveResult(
            status=saved.status, ref=saved.fact.ref, similar=similar, masked=saved.masked
        )
    return MemorySaveResult(status=saved.status, ref=saved.fact.ref, similar=similar)


def render(result: MemorySaveResult) -> str:
    """Return what an agent reads."""
    said = "Known already" if result.status == "known" else "Saved"
    lines = [f"{said}: {result.ref}"]
    if result.similar:
        lines.append("Near facts stand there; take out what no longer holds (memory forget REF):")
        lines += [f"- {item.fact} ({item.ref})" for item in result.similar]
    if result.masked:
        lines.append(masked_line(result.masked))
    return "\n".join(lines)


TOOL = Tool(
    name="memory_save",
    group="knowledge",
    what="Keeps one durable fact in the knowledge files, without repeats.",
    when="Call it for preferences, decisions, people and facts that a later session will need.",
    precondition="The fact stands on its own and is no passing state of a task.",
    arguments=MemorySaveArguments,
    result=MemorySaveResult,
    handler=_handle,
    render=render,
    read_only=False,
    idempotent=True,
    seed="wolffish",
    example={"fact": "Releases go out on Tuesdays before noon.", "type": "decisions"},
)


def memory_save(
    fact: str,
    type: Literal[  # noqa: A002 - the tool's own word
        "projects", "people", "preferences", "technical", "decisions"
    ] = "technical",
) -> MemorySaveResult:
    """Keep one durable fact.

    Args:
        fact: One self-contained sentence.
        type: Which knowledge file it belongs to.

    Raises:
        UsageError: The fact is empty or too long.
        StorageError: The file cannot be read or written.
    """
    return TOOL.call({"fact": fact, "type": type}, open_workspace())
