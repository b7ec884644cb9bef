"""One problem found in a page, a guide or a report source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One problem at one place.

    Attributes:
        rule: The id of the rule that found it, as the rule tables name it.
        severity: ``error`` rejects, ``warning`` is told and passes.
        line: Line in the source file, counted from 1.
        column: Column in that line, counted from 1 in characters.
        message: What is wrong, as a sentence.
        fix: What to write instead, as a sentence.
        path: The file it stands in, when more than one file is judged.
    """

    rule: str
    severity: Severity
    line: int
    column: int
    message: str
    fix: str
    path: str | None = None
