"""What a search is asked for and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Order = Literal["relevance", "recent", "newest", "oldest"]
"""``relevance`` is BM25 alone, ``recent`` is BM25 that fades with age, the others are time alone.
Hits with all words of the query come first in every order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which entries may be hits. An empty filter lets everything through.

    Values of one filter are alternatives; different filters must all hold. Values are compared
    without regard to case.

    Attributes:
        sources: ``conversation``, ``note``, ``error``, ...
        sessions: Session ids, whole.
        not_sessions: Session ids whose entries are left out.
        agents: Agent names.
        projects: Project names.
        roles: ``user``, ``assistant``, ``tool``.
        tools: Tool names.
        threads: ``active``, ``off``, ``side``.
        after: First moment that counts, in seconds since 1970.
        before: First moment that no longer counts, in seconds since 1970.
    """

    sources: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    not_sessions: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    roles: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    threads: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snippet:
    """A piece of an entry's text around what was found.

    Attributes:
        text: One line, with an ellipsis where it was cut.
        marks: Where the found words stand in ``text``, as (start, end) in characters.
    """

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, opening: str = "**", closing: str = "**") -> str:
        """Return the text with every found word between two marks."""
        pieces, at = [], 0
        for start, end in self.marks:
            pieces += [self.text[at:start], opening, self.text[start:end], closing]
            at = end
        return "".join([*pieces, self.text[at:]])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer:
    """Where an entry's text stands, as its collection knows it."""

    collection: str
    path: Path
    start: int
    length: int
    part: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One entry that was found.

    Attributes:
        ref: Its stable ref.
        source: The entry's source; the following fields are the entry's own, too.
        ts: Seconds since 1970, None when unknown.
        score: Higher is better; comparable within one answer only.
        complete: Whether it holds all words of the query.
        snippet: A piece of its text around what was found.
        pointer: Where its whole text stands.
    """

    ref: str
    source: str
    session: str
    agent: str
    project: str
    role: str
    tool: str
    thread: str
    ts: float | None
    score: float
    complete: bool
    snippet: Snippet
    pointer: Pointer


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What an answer covers: a miss is a statement about this, never proof of absence.

    Attributes:
        entries: Entries in the index.
        files: Files they come from.
        sources: Entries by source.
        oldest: Time of the oldest entry, in seconds since 1970; None when none has a time.
        newest: Time of the newest entry.
        passed: Entries that the filters let through.
        emptied_by: Name of the filter (a field of ``Filters``) after which nothing was left, when
            the filters alone left nothing.
        known: Values that ``emptied_by`` could have taken, most frequent first (at most 20).
        missing: Words of the query that no entry under the filters holds.
        inside: Words that were found only inside longer words.
        ignored: Words without a letter, digit or symbol, left out beside words that have one.
        unchecked: Entries whose text was not looked at, when a query such as ``c++`` had more
            candidates than are read for one answer; the newest were read.
        stale: Why the index may be behind the files, as a sentence; None when it is up to date.
        problems: Files that could not be read, as sentences.
    """

    entries: int = 0
    files: int = 0
    sources: Mapping[str, int] = field(default_factory=dict)
    oldest: float | None = None
    newest: float | None = None
    passed: int = 0
    emptied_by: str | None = None
    known: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    unchecked: int = 0
    stale: str | None = None
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The answer to a search.

    Attributes:
        hits: The page that was asked for, best first.
        total: How many entries match in all, under the filters.
        complete: How many of them hold all words of the query.
        searched: What was searched.
    """

    hits: tuple[Hit, ...]
    total: int
    complete: int
    searched: Searched


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What a refresh did.

    Attributes:
        files: Files that hold entries now.
        added: Files that were new.
        changed: Files that were read anew or from where they had ended.
        removed: Files that are gone.
        entries: Entries that were written.
        rebuilt: Why the whole index was built anew, as a sentence; None when it was not.
        stale: Why the index may be behind the files, as a sentence; None when it is up to date.
        problems: Files that could not be read, as sentences.
    """

    files: int = 0
    added: int = 0
    changed: int = 0
    removed: int = 0
    entries: int = 0
    rebuilt: str | None = None
    stale: str | None = None
    problems: tuple[str, ...] = ()
