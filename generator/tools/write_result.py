"""``write_result``: save a finished report, proved before it is written."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, PlainValidator

from generator.model.receipt import ReportFormat
from generator.tools.base import Arguments, Result, Tool
from generator.workspace import Workspace


def _text(value: object) -> str:
    # Text from other programs may hold half a surrogate pair, which pydantic's own text type
    # refuses; the writer mends it and says so instead of losing the report.
    if not isinstance(value, str):
        message = "takes text"
        raise ValueError(message)  # noqa: TRY004 - pydantic words ValueError only
    return value


Content = Annotated[str, PlainValidator(_text, json_schema_input_type=str)]


class WriteResultArguments(Arguments):
    """What to save."""

    content: Content = Field(description="the complete file, exactly as it should be saved")
    format: ReportFormat = Field("md", description="md (Markdown) or html (a finished page)")


class WriteResultResult(Result):
    """The receipt."""

    path: str = Field(description="the file that was made")
    format: ReportFormat = Field(description="md or html")
    bytes: int = Field(description="its size")
    sha256: str = Field(description="digest of the bytes on disk")
    title: str | None = Field(description="its title, null when it has none")
    warnings: list[str] = Field(description="what the author should know; nothing that stopped it")
    inlined: list[str] = Field(description="shipped runtimes that were put into the page")


def save(content: str, format: ReportFormat, workspace: Workspace) -> WriteResultResult:  # noqa: A002 - the tool's own word
    """Save a report and return its receipt; the older tool name shares this."""
    from generator.reports.writer import save_report

    receipt = save_report(content, format=format, workspace=workspace)
    return WriteResultResult(
        path=str(receipt.path),
        format=receipt.format,
        bytes=receipt.bytes,
        sha256=receipt.sha256,
        title=receipt.title,
        warnings=list(receipt.warnings),
        inlined=list(receipt.inlined),
    )


def _handle(arguments: WriteResultArguments, workspace: Workspace) -> WriteResultResult:
    return save(arguments.content, arguments.format, workspace)


def render(result: WriteResultResult) -> str:
    """Return the receipt as an agent reads it."""
    lines = [f"Saved {result.path}", f"format: {result.format}, {result.bytes} bytes"]
    if result.title:
        lines.append(f"title: {result.title}")
    lines.append(f"sha256: {result.sha256}")
    if result.inlined:
        lines.append(f"inlined: {', '.join(result.inlined)}")
    lines += [f"warning: {warning}" for warning in result.warnings]
    return "\n".join(lines)


TOOL = Tool(
    name="write_result",
    group="reports",
    what="Saves a finished report as report-YYYYMMDD-HHMMSS.md or .html and returns the receipt.",
    when="Call it for a long deliverable that the reply summarises instead of reprinting.",
    precondition="content is the complete file; an HTML page must follow the html_render guide.",
    arguments=WriteResultArguments,
    result=WriteResultResult,
    handler=_handle,
    render=render,
    read_only=False,
    idempotent=False,
    seed="agenvoy",
    example={"content": "# Findings\n\nThree of five suppliers answered.\n", "format": "md"},
)
