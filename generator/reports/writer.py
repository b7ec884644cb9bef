"""Saving a finished report: whole, under a new name, with a receipt."""

from __future__ import annotations

import hashlib
import re

from generator.exceptions import UsageError
from generator.model.receipt import Receipt, ReportFormat
from generator.reports.destination import output_folder, save_new
from generator.reports.titles import markdown_title
from generator.workspace import Workspace

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def save_report(content: str, *, format: ReportFormat, workspace: Workspace) -> Receipt:  # noqa: A002 - the tool's own word
    """Save a report in the output folder.

    Args:
        content: The complete file. Line ends, NUL and a byte order mark stay as they are.
        format: ``md``, saved as it is, or ``html``, saved only when the page passes.
        workspace: Supplies settings, clock and zone.

    Returns:
        The receipt.

    Raises:
        UsageError: The content is empty.
        StorageError: The file cannot be written; nothing is left behind.
    """
    if not content.strip("\ufeff \t\r\n\f\v\0"):
        raise UsageError(
            "The report is empty, so nothing was saved.",
            hint="Give the complete file as content.",
        )
    if format == "html":
        raise UsageError("HTML reports cannot be saved by this version; give format md.")
    text, warnings = _storable(content)
    data = text.encode("utf-8")
    path = save_new(output_folder(workspace), data, suffix=format, workspace=workspace)
    return Receipt(
        path=path,
        format=format,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        title=markdown_title(text),
        warnings=tuple(warnings),
    )


def _storable(content: str) -> tuple[str, list[str]]:
    """Make text that UTF-8 can hold, and say what had to change."""
    warnings = []
    if _LONE_SURROGATE.search(content):
        # Two halves in a row are one character that was cut by its sender; the rest is lost.
        content = content.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        lost = content.count("\ufffd")
        if lost:
            warnings.append(
                f"Half a character (a lone surrogate) was replaced by U+FFFD; the text now holds "
                f"{lost} of them."
            )
    if "\0" in content:
        warnings.append("The text holds NUL characters; many programs stop reading there.")
    return content, warnings
