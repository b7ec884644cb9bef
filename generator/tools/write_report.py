"""``write_report``: the older name of ``write_result``, for Markdown."""

from __future__ import annotations

from pydantic import Field

from generator.tools.base import Arguments, Tool
from generator.tools.write_result import Content, WriteResultResult, render, save
from generator.workspace import Workspace


class WriteReportArguments(Arguments):
    """What to save."""

    content: Content = Field(
        description="the complete Markdown file, exactly as it should be saved"
    )


def _handle(arguments: WriteReportArguments, workspace: Workspace) -> WriteResultResult:
    return save(arguments.content, "md", workspace)


TOOL = Tool(
    name="write_report",
    group="reports",
    what="Older name of write_result: saves a Markdown report and returns the receipt.",
    when="Call write_result instead; this name answers for agents that learned it.",
    precondition="content is the complete file.",
    arguments=WriteReportArguments,
    result=WriteResultResult,
    handler=_handle,
    render=render,
    read_only=False,
    idempotent=False,
    seed="agenvoy",
    example={"content": "# Findings\n\nThree of five suppliers answered.\n"},
)
