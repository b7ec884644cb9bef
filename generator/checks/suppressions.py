"""Comments that switch a rule off at one place, with a reason.

    <!-- fieldguide-disable dead-link: the page is made by the build -->
    {# fieldguide-disable conflict, budget: measured in two versions #}
    <!-- fieldguide-disable-file stand-alone: a transcript, quoted as it was -->

A comment on a line of its own holds for the block below it, one behind text for its line, and
``disable-file`` for the file. A comment without a reason, of an unknown rule, or that switches
nothing off is reported itself, as ``disable-comment``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from generator.checks.document import Document
from generator.model.finding import Finding

RULE_ID = "disable-comment"
REASON = (
    "A rule that is switched off without a reason, or for nothing, hides the next fault as well."
)
_COMMENT = re.compile(
    r"(?:<!--|\{#-?)\s*fieldguide-(?P<form>[a-z-]+)(?P<rest>[^\n]*?)(?:-->|-?#\})"
)
_REST = re.compile(
    r"\s+(?P<rules>[a-z][a-z-]*(?:\s*,\s*[a-z][a-z-]*)*)\s*(?::\s*(?P<reason>.*?))?\s*\Z"
)


@dataclass(frozen=True, slots=True)
class Disable:
    """One rule switched off over some lines.

    Attributes:
        rule: Its id.
        first: First line, from 1.
        last: Last line.
        line: Line of the comment.
        column: Column of the comment.
    """

    rule: str
    first: int
    last: int
    line: int
    column: int


def is_disable_comment(text: str) -> bool:
    """Tell whether a comment is one of ours."""
    return _COMMENT.match(text) is not None


def read_comments(
    document: Document, rules: Collection[str]
) -> tuple[list[Disable], list[Finding]]:
    """Read the comments of a file.

    Args:
        document: The file.
        rules: The ids of all rules.

    Returns:
        What they switch off, and what is wrong with them.
    """
    disables: list[Disable] = []
    findings: list[Finding] = []
    for found in _COMMENT.finditer(document.source):
        line, column = document.lines.position(found.start())
        if document.is_code(found.start()):
            continue  # shown, not meant
        rest = _REST.match(found["rest"])
        if found["form"] not in ("disable", "disable-file") or rest is None:
            findings.append(
                _finding(
                    document, line, column,
                    "The comment switches nothing off: it names no rule.",
                    "Write <!-- fieldguide-disable RULE: reason -->.",
                )
            )  # fmt: skip
            continue
        if not rest["reason"]:
            findings.append(
                _finding(
                    document, line, column,
                    "The comment gives no reason.",
                    f"Write why behind a colon: fieldguide-{found['form']} {rest['rules']}: reason.",
                )
            )  # fmt: skip
        first, last = _range(document, found["form"], line, found)
        for rule in (name.strip() for name in rest["rules"].split(",")):
            if rule not in rules:
                close = get_close_matches(rule, rules, n=1)
                hint = f"Did you mean {close[0]}?" if close else "Take it out."
                findings.append(
                    _finding(document, line, column, f"There is no rule {rule!r}.", hint)
                )
            elif rest["reason"]:
                disables.append(Disable(rule, first, last, line, column))
    return disables, findings


def _range(document: Document, form: str, line: int, found: re.Match[str]) -> tuple[int, int]:
    lines = document.source_lines
    if form == "disable-file":
        return 1, len(lines) + 1
    alone = lines[line - 1].strip() == found[0].strip()
    if not alone:
        return line, line
    first = line + 1
    while first <= len(lines) and not lines[first - 1].strip():
        first += 1
    last = first
    while last < len(lines) and (last in document.code_lines or lines[last].strip()):
        if last in document.code_lines and last + 1 not in document.code_lines:
            break
        last += 1
    return line, last


def apply(
    document: Document,
    findings: Sequence[Finding],
    disables: Sequence[Disable],
    active: Collection[str],
) -> Iterator[Finding]:
    """Yield the findings of a file that no comment switches off, and the comments without use.

    Args:
        document: The file.
        findings: Its findings.
        disables: What its comments switch off.
        active: Ids of the rules that were run on it; a comment for another may have its use yet.
    """
    used: set[Disable] = set()
    for finding in findings:
        holding = [
            disable
            for disable in disables
            if disable.rule == finding.rule and disable.first <= finding.line <= disable.last
        ]
        used.update(holding)
        if not holding:
            yield finding
    for disable in disables:
        if disable not in used and disable.rule in active:
            yield _finding(
                document,
                disable.line,
                disable.column,
                f"The comment switches off {disable.rule}, which reports nothing there.",
                "Take it out.",
            )


def _finding(document: Document, line: int, column: int, message: str, fix: str) -> Finding:
    return Finding(
        rule=RULE_ID,
        severity="warning",
        line=line,
        column=column,
        message=message,
        fix=fix,
        path=document.name,
    )
