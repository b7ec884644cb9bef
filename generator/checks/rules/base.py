"""What a rule is, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from generator.checks.corpus import Corpus
from generator.checks.document import Document, Place
from generator.model.finding import Severity


@dataclass(frozen=True, slots=True)
class Edit:
    """A safe change of a source file: what to put between two indexes of its text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What a rule found.

    Attributes:
        place: Where in which source file.
        message: What is wrong, as a sentence.
        fix: What to do, when it differs from the rule's own sentence.
        severity: The severity, when it differs from the rule's own.
        edits: What ``--fix`` does to the file; empty when it takes a person.
    """

    place: Place
    message: str
    fix: str | None = None
    severity: Severity | None = None
    edits: tuple[Edit, ...] = ()


Files = Mapping[str, str]
"""An example: file names and texts. Names below ``site/`` are an exported site."""


def _nothing(_: object) -> Iterable[Problem]:
    return ()


def _nothing_in(_: Document, __: Corpus) -> Iterable[Problem]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule of the check.

    Attributes:
        id: Its id, as findings, settings and disable comments name it.
        severity: Its severity, unless the settings say otherwise.
        reason: Why it exists, in one or two sentences.
        fix: What to do, as a sentence.
        bad: A small example that it reports.
        good: The same, written so that it passes.
        document: Yields the problems of one file.
        corpus: Yields the problems that only show when all files are seen.
        guides_only: It needs our front matter or the tool catalog, and leaves other files out.
        needs_site: It compares with an exported site.
        fixes: What ``--fix`` does, as a sentence; empty when nothing.
    """

    id: str
    severity: Severity
    reason: str
    fix: str
    bad: Files
    good: Files
    document: Callable[[Document, Corpus], Iterable[Problem]] = field(default=_nothing_in)
    corpus: Callable[[Corpus], Iterable[Problem]] = field(default=_nothing)
    guides_only: bool = False
    needs_site: bool = False
    fixes: str = ""


def guide_example(body: str, *, front: str = "") -> str:
    """Return a whole guide for an example: sound front matter, then a body.

    Args:
        body: The body, from ``##`` down.
        front: Further lines of front matter.
    """
    return (
        "---\ntitle: Lending bicycles\nsummary: Read before lending a bicycle.\n"
        f'since: "1.0"\n{front}---\n\n{body}'
    )
