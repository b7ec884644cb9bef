"""A page for each rule of the two checks, from their tables."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from generator.handbook.text import body, fence, plain
from generator.model.reference import ReferencePage

# An element with what is in it, or a tag alone; one that is code already stands as it is.
_TAGS = re.compile(r"(?<!`)(?:<(\w+)[^>`]*>[^<`]*</\1>|</?[\w!][^>`]*>)(?!`)")


def report_rule_pages() -> Iterator[ReferencePage]:
    """Make a page for each rule that a report must pass."""
    from generator.reports.rules import RULES

    for rule in RULES:
        effect = (
            "An error: the page is not saved."
            if rule.severity == "error"
            else "A warning: it is told and the page is saved."
        )
        yield ReferencePage(
            kind="report-rules",
            name=rule.id,
            title=rule.id,
            summary=rule.reason,
            markdown=body(
                effect,
                _meaning(rule.check),
                "## Rejected" if rule.severity == "error" else "## Warned of",
                fence("html", rule.bad),
                "## Passes",
                fence("html", rule.good),
                "## What to write instead",
                _tags_as_code(rule.fix),
            ),
        )


def check_rule_pages() -> Iterator[ReferencePage]:
    """Make a page for each rule that guides are checked by."""
    from generator.checks.rules import CHECKS

    for rule in CHECKS:
        home = rule.document if "rules.base" not in rule.document.__module__ else rule.corpus
        yield ReferencePage(
            kind="check-rules",
            name=rule.id,
            title=rule.id,
            summary=rule.reason,
            markdown=body(
                f"Severity: {rule.severity}, unless the settings say otherwise."
                + (f" `--fix`: {rule.fixes}" if rule.fixes else ""),
                _meaning(home),
                "## Found",
                *_files(rule.bad),
                "## Passes",
                *_files(rule.good),
                "## What to do",
                _tags_as_code(rule.fix),
            ),
        )


def _files(files: Mapping[str, str]) -> Iterator[str]:
    """Show the files of an example, each under its name."""
    for name, text in files.items():
        yield f"`{name}`:"
        yield fence("markdown" if name.endswith(".md") else "text", text)


def _tags_as_code(text: str) -> str:
    """Make the tags that a sentence names code spans: Markdown would take them for its own."""
    return _TAGS.sub(r"`\g<0>`", text)


def _meaning(check: Any) -> str:
    """Return what the docstring of a rule's module says below its first line."""
    docstring = plain(sys.modules[check.__module__].__doc__)
    return docstring.partition("\n\n")[2]
