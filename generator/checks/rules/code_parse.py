"""``code-parse``: a sample has an end, a language, and parses as that language.

A sample whose info line says ``wrong`` shows a mistake and is not parsed. The parsers are those of
``generator.proofs.syntax``; a language without one is taken as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.checks.corpus import Corpus
from generator.checks.document import Document
from generator.checks.rules.base import Check, Edit, Problem, guide_example
from generator.proofs.samples import Sample
from generator.proofs.syntax import only_language, syntax_problem


def _check(document: Document, _: Corpus) -> Iterator[Problem]:
    for sample in document.samples:
        opening = _opening(document, sample)
        if not sample.closed:
            yield Problem(
                place=document.place(opening),
                message="The fence is not closed: everything below it is code.",
                fix="Close it with a line of the same marks.",
            )
            continue
        if not sample.language:
            yield _without_language(document, sample, opening)
        elif not sample.wrong:
            yield from _syntax(document, sample)


def _opening(document: Document, sample: Sample) -> int:
    """Return the index of the fence that opens a sample."""
    line = document.text_lines[sample.line - 1]
    mark = re.search(r"`{3,}|~{3,}", line)
    return document.text_places.index(sample.line) + (mark.start() if mark else 0)


def _without_language(document: Document, sample: Sample, opening: int) -> Problem:
    language = only_language(sample.code)
    edits: tuple[Edit, ...] = ()
    fix = "Write a language after the marks; text for plain text."
    if language:
        fix = f"Write {language} after the marks: that is what it parses as."
        mark = re.compile(r"`{3,}|~{3,}").match(document.text, opening)
        length = len(mark[0]) if mark else 3
        source = document.source_index(opening, length)
        if source is not None:
            edits = (Edit(source + length, source + length, language),)
    return Problem(
        place=document.place(opening), message="The fence names no language.", fix=fix, edits=edits
    )


def _syntax(document: Document, sample: Sample) -> Iterator[Problem]:
    problem = syntax_problem(sample)
    if problem is None:
        return
    code = sample.code.split("\n")
    line = min(problem.line, max(len(code) - 1, 1))
    column = problem.column if line == problem.line else len(code[line - 1]) + 1
    number = sample.line + line
    written = document.text_lines[number - 1] if number <= len(document.text_lines) else ""
    # In a list or a quote a sample stands behind an indentation that is not part of it.
    before = len(written) - len(code[line - 1]) if written.endswith(code[line - 1]) else 0
    column = max(min(column, len(code[line - 1]) + 1), 1)
    yield Problem(
        place=document.line_place(number, before + column),
        message=f"The sample is not {sample.language}: {problem.reason.rstrip('.')}.",
    )


CHECK = Check(
    id="code-parse",
    severity="error",
    reason="Samples are copied: one that does not parse fails in the reader's hands, and an open "
    "fence swallows the rest of the guide.",
    fix="Correct the sample, or write 'wrong' after its language when the mistake is the point.",
    bad={"lending.md": guide_example('## Lending\n\n```json\n{"bicycle": 7,}\n```\n')},
    good={"lending.md": guide_example('## Lending\n\n```json\n{"bicycle": 7}\n```\n')},
    document=_check,
    fixes="writes the language of a fence that parses as one language only",
)
