"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from generator.model.finding import Severity

if TYPE_CHECKING:
    from generator.reports.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What a rule found, before its place is turned into line and column.

    Attributes:
        offset: Where in the page's source.
        message: What is wrong, as a sentence.
        fix: What to write instead, when it differs from the rule's own sentence.
        severity: The severity, when it differs from the rule's own.
    """

    offset: int
    message: str
    fix: str | None = None
    severity: Severity | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule of the check.

    Attributes:
        id: Its id, as findings, settings and the reference name it.
        severity: ``error`` rejects the page, ``warning`` is told and passes.
        reason: Why it exists, in one line.
        fix: What to write instead, as a sentence.
        bad: A short sample that it reports.
        good: The same, written so that it passes.
        check: Yields the problems of one page, in any order.
    """

    id: str
    severity: Severity
    reason: str
    fix: str
    bad: str
    good: str
    check: Callable[[Page], Iterable[Problem]]
