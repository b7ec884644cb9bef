"""``write_error``: keep a failure with the fix that resolved it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from generator.model.failure import Outcome
from generator.tools.base import Arguments, ModeResult, Tool
from generator.tools.texts import FilledText, FilledTexts, Text, masked_line
from generator.workspace import Workspace, open_workspace


class WriteErrorArguments(Arguments):
    """What failed, and what fixed it."""

    tool_name: FilledText = Field(description="the tool that failed")
    keywords: FilledTexts = Field(description="words to find it by: error code, program, topic")
    symptom: FilledText = Field(description="what was seen, as it stood there")
    action: FilledText = Field(description="what fixed it, so that it can be done again")
    outcome: Outcome = Field(
        description="resolved is kept; failed and abandoned are accepted and discarded"
    )
    cause: Text | None = Field(None, description="why it happened, when known")


class WriteErrorResult(ModeResult):
    """That it was taken."""

    status: Literal["recorded"] = Field(description="always recorded")
    hash: str | None = Field(description="its name; null when the outcome was not resolved")
    masked: dict[str, int] | None = Field(
        None, description="secrets that were masked, by kind; left out when there were none"
    )


def _handle(arguments: WriteErrorArguments, workspace: Workspace) -> WriteErrorResult:
    from generator.errors.records import write_record

    written = write_record(
        workspace,
        tool_name=arguments.tool_name,
        keywords=arguments.keywords,
        symptom=arguments.symptom,
        action=arguments.action,
        outcome=arguments.outcome,
        cause=arguments.cause,
    )
    name = written.failure.hash if written.failure else None
    if written.masked:
        return WriteErrorResult(status="recorded", hash=name, masked=written.masked)
    return WriteErrorResult(status="recorded", hash=name)


def render(result: WriteErrorResult) -> str:
    """Return what an agent reads."""
    if result.hash is None:
        return "recorded (only outcome=resolved is kept)"
    lines = [f"recorded: error:{result.hash}"]
    if result.masked:
        lines.append(masked_line(result.masked))
    return "\n".join(lines)


TOOL = Tool(
    name="write_error",
    group="errors",
    what="Keeps a tool failure together with the fix that resolved it.",
    when="Call it once a fix that took thought is confirmed to work.",
    precondition="The failing call was repeated and succeeded.",
    arguments=WriteErrorArguments,
    result=WriteErrorResult,
    handler=_handle,
    render=render,
    read_only=False,
    idempotent=True,
    seed="agenvoy",
    example={
        "tool_name": "run_command",
        "keywords": ["pip", "externally-managed-environment"],
        "symptom": "error: externally-managed-environment",
        "cause": "The system's Python does not take packages.",
        "action": "Made a virtual environment with 'uv venv' and installed there.",
        "outcome": "resolved",
    },
)


def write_error(
    tool_name: str,
    keywords: Sequence[str],
    symptom: str,
    action: str,
    outcome: Outcome,
    *,
    cause: str | None = None,
) -> WriteErrorResult:
    """Keep a failure with its fix.

    Args:
        tool_name: The tool that failed.
        keywords: Words to find it by.
        symptom: What was seen.
        action: What fixed it.
        outcome: ``resolved`` is kept; ``failed`` and ``abandoned`` are accepted and discarded.
        cause: Why it happened, when known.

    Raises:
        ArgumentsError: Something is missing or empty; every problem is named.
        StorageError: The record cannot be written.
    """
    given = {
        "tool_name": tool_name,
        "keywords": keywords if isinstance(keywords, str) else list(keywords),
        "symptom": symptom,
        "action": action,
        "outcome": outcome,
        "cause": cause,
    }
    return TOOL.call(given, open_workspace())
