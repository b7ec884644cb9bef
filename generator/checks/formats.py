"""Writes what was found: text with the line and a caret, JSON, GitHub annotations.

GitHub's workflow commands: https://docs.github.com/actions/reference/workflow-commands
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any

from generator.checks.rules import Check
from generator.checks.runner import Outcome
from generator.counting import counted
from generator.masking import mask
from generator.model.finding import Finding

_WIDTH = 100  # characters of a source line that are shown


def to_data(outcome: Outcome) -> dict[str, Any]:
    """Return what ``--format json`` prints."""
    return {
        "findings": [
            {
                "rule": finding.rule,
                "severity": finding.severity,
                "path": finding.path,
                "line": finding.line,
                "column": finding.column,
                "message": finding.message,
                "fix": finding.fix,
            }
            for finding in outcome.findings
        ],
        "checked": outcome.checked,
    }


def to_text(outcome: Outcome) -> str:
    """Write findings for people: place, message, the line with a caret, what to do."""
    lines: list[str] = []
    split: dict[str, list[str]] = {}
    for finding in outcome.findings:
        path = finding.path or ""
        if path not in split:
            split[path] = outcome.sources.get(path, "").split("\n")
        lines += _for_people(finding, split[path])
    lines.append(_summary(outcome))
    return "\n".join(lines)


def _for_people(finding: Finding, source: Sequence[str]) -> Iterator[str]:
    yield (
        f"{finding.path}:{finding.line}:{finding.column}: {finding.severity}[{finding.rule}] "
        f"{_printable(finding.message)}"
    )
    if finding.line <= len(source):
        shown = _excerpt(source[finding.line - 1], finding.column)
        if shown:
            yield from (f"    {part}" for part in shown)
    yield f"    fix: {_printable(finding.fix)}"
    yield ""


def _excerpt(line: str, column: int) -> tuple[str, str] | None:
    """Cut a stretch out of a line round a column, with a caret below the column."""
    if not line.strip():
        return None
    if mask(line).counts:
        # A secret must not be printed; what is left of it moves the rest.
        return _printable(mask(line).text)[:_WIDTH], "^"
    start = max(0, column - 1 - _WIDTH // 2) if len(line) > _WIDTH else 0
    cut = line[start : start + _WIDTH].replace("\t", " ")
    text = "".join(_visible(character) for character in cut)
    before = "".join(_visible(character) for character in cut[: column - 1 - start])
    lead = "…" if start else ""
    tail = "…" if start + _WIDTH < len(line) else ""
    return f"{lead}{text}{tail}", " " * (len(lead) + _columns(before)) + "^"


def _visible(character: str) -> str:
    """Write what a terminal would obey or not show as a mark of one column."""
    return (
        "\ufffd" if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") else character
    )


def _printable(text: str) -> str:
    return "".join(character if character == "\n" else _visible(character) for character in text)


def _columns(text: str) -> int:
    """Count the columns a terminal gives a text: wide characters take two, marks none."""
    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _summary(outcome: Outcome) -> str:
    files = counted(outcome.checked, "file")
    if not outcome.findings:
        return f"{files} checked, no findings."
    errors = sum(finding.severity == "error" for finding in outcome.findings)
    warnings = len(outcome.findings) - errors
    parts = [
        counted(count, word) for count, word in ((errors, "error"), (warnings, "warning")) if count
    ]
    return f"{files} checked: {' and '.join(parts)}."


def to_github(outcome: Outcome) -> str:
    """Write findings as workflow commands, which GitHub shows beside the lines."""
    return "\n".join(
        f"::{finding.severity} file={_property(finding.path or '')},line={finding.line},"
        f"col={finding.column},title={_property(finding.rule)}::"
        f"{_data(f'{finding.message} {finding.fix}')}"
        for finding in outcome.findings
    )


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def explain(check: Check) -> str:
    """Write what a rule is for, with its examples."""
    lines = [f"{check.id} ({check.severity})", "", check.reason, "", f"What to do: {check.fix}"]
    if check.fixes:
        lines.append(f"--fix {check.fixes}.")
    if check.guides_only:
        lines.append("It needs our front matter and catalog, and leaves other files out.")
    if check.needs_site:
        lines.append("It needs an exported site (--site), and is left out without one.")
    for title, files in (("Reported", check.bad), ("Accepted", check.good)):
        for name, text in files.items():
            lines += ["", f"{title}, {name}:", ""]
            shown = text if len(text) < 1_200 else f"{text[:300]} ..."
            lines += [f"    {_printable(line)}".rstrip() for line in shown.rstrip().split("\n")]
    return "\n".join(lines)
