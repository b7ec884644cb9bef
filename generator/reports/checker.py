"""Judges a page: runs every rule of the table and puts the findings in page order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from generator.masking import mask
from generator.model.finding import Finding
from generator.reports.document import Document
from generator.reports.page import Page
from generator.reports.rules import RULES, Problem, Rule, page_size
from generator.reports.rules.page_size import excess
from generator.settings import ReportSettings

#: Problems of one rule that are told; a page with more is hostile or made by a machine.
MOST_PROBLEMS = 1_000


def check_page(
    text: str, *, settings: ReportSettings | None = None, memory: Path | None = None
) -> list[Finding]:
    """Judge a report page.

    Args:
        text: The page, as it would be saved.
        settings: The report settings; the defaults when None.
        memory: Folder that remembers large inlined scripts by their hash between processes;
            None remembers them in this process only.

    Returns:
        Every finding, in page order, up to 1,000 of each rule. The page passes when none is an error; see :func:`passes`.
    """
    return judge(read_page(text, settings=settings, memory=memory))


def read_page(
    text: str, *, settings: ReportSettings | None = None, memory: Path | None = None
) -> Page:
    """Parse a page once, for judging and for what else is asked of it; see :func:`check_page`.

    A page that is too large is not parsed: it counts as empty, and ``excess`` says why.
    """
    too_much = excess(text)
    return Page(
        document=Document(text if too_much is None else ""),
        settings=settings if settings is not None else ReportSettings(),
        memory=memory,
        excess=too_much,
    )


def judge(page: Page) -> list[Finding]:
    """Run every rule on a parsed page; see :func:`check_page`."""
    findings: set[Finding] = set()
    for rule in RULES if page.excess is None else (page_size.RULE,):
        for problem in islice(chain(rule.check(page), _remembered(page, rule)), MOST_PROBLEMS):
            line, column = page.document.line_column(problem.offset)
            findings.add(
                Finding(
                    rule=rule.id,
                    severity=problem.severity or rule.severity,
                    line=line,
                    column=column,
                    message=problem.message,
                    fix=problem.fix or rule.fix,
                )
            )
    if any(found.rule == "secret" for found in findings):
        # Other rules quote the page: what they quote must not hold the secret either.
        findings = {
            replace(found, message=mask(found.message).text, fix=mask(found.fix).text)
            for found in findings
        }
    return sorted(findings, key=lambda found: (found.line, found.column, found.rule, found.message))


def passes(findings: list[Finding]) -> bool:
    """Tell whether a page with these findings may be saved: no finding is an error."""
    return all(found.severity != "error" for found in findings)


def _remembered(page: Page, rule: Rule) -> Iterator[Problem]:
    """Yield what a rule found in the large scripts that are judged apart."""
    for script, verdict in page.verdicts.items():
        for told in verdict.problems:
            if told.rule == rule.id:
                yield Problem(
                    offset=script.locate(told.index),
                    message=told.message,
                    fix=told.fix,
                    severity="warning" if told.severity == "warning" else None,
                )
