"""``write_result``: save a finished report, proved before it is written."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, PlainValidator

from generator.exceptions import FieldguideError, ReportRejectedError
from generator.model.receipt import ReportFormat
from generator.tools.base import Arguments, Result, Tool
from generator.workspace import Workspace, open_workspace


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

    try:
        receipt = save_report(content, format=format, workspace=workspace)
    except ReportRejectedError as error:
        if not any(found.rule == "missing-quickui" for found in error.findings):
            raise
        # A page without QuickUI comes from an author who has not read the rules.
        rules = _rules(workspace)
        message = f"{error.message}\n\nThe rules for HTML reports:\n\n{rules}"
        raise ReportRejectedError(
            message if rules else error.message, findings=error.findings, guide=rules
        ) from error
    return WriteResultResult(
        path=str(receipt.path),
        format=receipt.format,
        bytes=receipt.bytes,
        sha256=receipt.sha256,
        title=receipt.title,
        warnings=list(receipt.warnings),
        inlined=list(receipt.inlined),
    )


def _rules(workspace: Workspace) -> str | None:
    from generator.tools import get_tool

    try:
        text = get_tool("reasoning_guide").call({"topics": ["html_render"]}, workspace).text
    except FieldguideError:  # a guide of the user's own that is broken must not hide the findings
        return None
    return str(text)


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


def write_result(content: str, format: ReportFormat = "md") -> WriteResultResult:  # noqa: A002 - the tool's own word
    """Save a finished report in the output folder.

    Args:
        content: The complete file.
        format: ``md``, or ``html`` for a page that is judged first.

    Returns:
        The receipt: path, format, bytes, sha256, title, warnings, inlined.

    Raises:
        UsageError: The content is empty.
        ReportRejectedError: The page does not pass; nothing was written.
        StorageError: The file cannot be written.
    """
    return TOOL.call({"content": content, "format": format}, open_workspace())
