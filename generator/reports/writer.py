"""Saving a finished report: proved, whole, under a new name, with a receipt.

An HTML page is judged before anything touches the disk, so a page that fails leaves nothing: no
file, no empty file, no temporary one.
"""

from __future__ import annotations

import hashlib
import re
from itertools import islice
from typing import TYPE_CHECKING

from generator.counting import counted
from generator.exceptions import ReportRejectedError, UsageError
from generator.model.finding import Finding
from generator.model.receipt import Receipt, ReportFormat
from generator.reports.destination import output_folder, save_new
from generator.reports.titles import markdown_title
from generator.workspace import Workspace

if TYPE_CHECKING:
    from generator.reports.page import Page

_SECRETS_NAMED = 20
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
        ReportRejectedError: The page does not pass; it carries every finding.
        StorageError: The file cannot be written; nothing is left behind.
    """
    if not content.strip("\ufeff \t\r\n\f\v\0"):
        raise UsageError(
            "The report is empty, so nothing was saved.",
            hint="Give the complete file as content.",
        )
    text, warnings = _storable(content)
    inlined: tuple[str, ...] = ()
    if format == "html":
        text, title, told, inlined = _proved(text, workspace)
        warnings += told
    else:
        title = markdown_title(text)
        warnings += _secret_warnings(text)
    data = text.encode("utf-8")
    path = save_new(output_folder(workspace), data, suffix=format, workspace=workspace)
    return Receipt(
        path=path,
        format=format,
        bytes=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        title=title,
        warnings=tuple(warnings),
        inlined=inlined,
    )


def _proved(text: str, workspace: Workspace) -> tuple[str, str | None, list[str], tuple[str, ...]]:
    """Judge a page and put the runtimes it needs into it.

    Returns:
        The page to save, its title, warnings, and the names of what was inlined.

    Raises:
        ReportRejectedError: The page does not pass.
    """
    from generator.reports.checker import judge, passes, read_page
    from generator.reports.inlining import inline_runtimes

    settings = workspace.settings.report
    memory = workspace.home.index / "scripts"
    page = read_page(text, settings=settings, memory=memory)
    findings = judge(page)
    if passes(findings):
        title = _page_title(page)
        text, inlined = inline_runtimes(text, page)
        if inlined:
            # What is saved is what was judged: a runtime must not make a page fail. Two trees of
            # a large page at once would double the memory.
            del page
            findings = judge(read_page(text, settings=settings, memory=memory))
    if not passes(findings):
        raise _rejected(findings)
    return text, title, [_one_line(found) for found in findings], inlined


def _rejected(findings: list[Finding]) -> ReportRejectedError:
    errors = [found for found in findings if found.severity == "error"]
    warnings = [found for found in findings if found.severity == "warning"]
    count = counted(len(errors), "error")
    lines = [f"The page has {count}, so nothing was saved. Correct each and save again:"]
    lines += [f"- {_one_line(found)}" for found in errors]
    if warnings:
        lines.append("Worth correcting as well:")
        lines += [f"- {_one_line(found)}" for found in warnings]
    return ReportRejectedError("\n".join(lines), findings=findings)


def _one_line(found: Finding) -> str:
    where = f"line {found.line}, column {found.column}"
    return f"{found.rule} ({where}): {found.message} {found.fix}"


def _page_title(page: Page) -> str | None:
    for element in page.document.named("title"):
        title = " ".join("".join(text.data for text in element.texts).split())
        if title and not element.svg:
            return title
    return None


def _secret_warnings(text: str) -> list[str]:
    """Name secrets in a Markdown report by kind and line; it is saved all the same."""
    from generator.masking import find_secrets

    return [
        f"A secret stands in line {text.count(chr(10), 0, found.start) + 1}: {found.kind}. Take it "
        "out and replace it where it was issued."
        for found in islice(find_secrets(text), _SECRETS_NAMED)
    ]


def _storable(content: str) -> tuple[str, list[str]]:
    """Make text that UTF-8 can hold, and say what had to change."""
    warnings = []
    if _LONE_SURROGATE.search(content):
        # Two halves in a row are one character that was cut by its sender; the rest is lost.
        before = content.count("\ufffd")
        content = content.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        lost = content.count("\ufffd") - before
        if lost:
            warnings.append(
                f"{lost} character(s) were no valid Unicode (half a surrogate pair, or bytes that "
                "are no UTF-8) and were replaced by U+FFFD."
            )
    if "\0" in content:
        warnings.append("The text holds NUL characters; many programs stop reading there.")
    return content, warnings
