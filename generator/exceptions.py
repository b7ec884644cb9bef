"""Every exception this package raises.

Each message is one sentence (or a few) for the person who must act: what is wrong, where,
and what to do. Doors (command line, MCP) turn them into an exit code or a tool error;
nothing else catches them wholesale.

    FieldguideError              the work could not be done (exit code 1)
    ├── UsageError               the caller asked wrongly (exit code 2)
    │   ├── UnknownNameError     a name that does not exist; carries the nearest one
    │   └── ArgumentsError       arguments of a tool that do not fit its model
    ├── NotFoundError            nothing stands behind a ref, hash, path or id
    ├── OutsideError             a path leads out of the folders it may touch
    ├── StorageError             a file could not be read or written
    ├── SettingsError            config.json holds something wrong
    ├── GuideError               a guide cannot be loaded or compiled
    ├── FrontMatterError         front matter that cannot be read; carries line and column
    ├── TemplateRenderError      a template failed or asked for what the sandbox refuses
    ├── ReportRejectedError      a report did not pass; carries its findings
    ├── RenderError              Markdown that cannot become a page; carries its findings
    ├── RecordError              one record of a source or of the archive that cannot be read
    ├── DoubtError               a source that must be read from its start again
    ├── ImportFormatError        a source that no importer can read
    ├── IndexUnavailableError    the index cannot be opened, built or locked in time
    ├── MissingExtraError        a feature needs an extra that is not installed
    └── InterruptedWorkError     the caller stopped the work between two steps
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from generator.echo import SENTENCE_MAX, harmless, quoted

if TYPE_CHECKING:
    from generator.model.finding import Finding


class FieldguideError(Exception):
    """The work could not be done.

    Args:
        message: What is wrong and where, as a sentence.
        hint: What to do next, as a sentence, when known.
    """

    exit_code = 1
    # Characters of a message; None for one that lists every problem.
    characters: ClassVar[int | None] = SENTENCE_MAX

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        self.message = harmless(message, self.characters)
        self.hint = harmless(hint) if hint else hint
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class UsageError(FieldguideError):
    """The caller asked wrongly: an argument, an option or a combination of them."""

    exit_code = 2


class UnknownNameError(UsageError):
    """A name that does not exist.

    Args:
        kind: What was looked for, in the singular: ``topic``, ``tool``, ``rule``.
        name: The name that was asked for.
        known: The names that exist; they are listed in the message.
    """

    def __init__(self, kind: str, name: str, known: Sequence[str]) -> None:
        from difflib import get_close_matches

        lowered = {candidate.lower(): candidate for candidate in known}
        close = get_close_matches(name.lower(), list(lowered), n=1, cutoff=0.5)
        self.nearest = lowered[close[0]] if close else None
        listed = ", ".join(known) if known else "none"
        hint = f"Did you mean {self.nearest!r}? " if self.nearest else ""
        super().__init__(
            f"There is no {kind} named {quoted(name)}.", hint=f"{hint}Known {kind}s: {listed}."
        )
        self.kind = kind
        self.name = name
        self.known = tuple(known)


class ArgumentsError(UsageError):
    """Arguments of a tool that do not fit its model; names every problem at once.

    Args:
        tool: The tool's name.
        problems: Each argument with what is wrong, as a clause that continues its name.
        known: The arguments that the tool takes.
    """

    def __init__(
        self, tool: str, problems: Sequence[tuple[str, str]], known: Sequence[str]
    ) -> None:
        listed = "; ".join(f"{argument} {clause}" for argument, clause in problems)
        super().__init__(
            f"{tool}: {listed}.", hint=f"Arguments of {tool}: {', '.join(known) or 'none'}."
        )
        self.problems = tuple(problems)


class NotFoundError(FieldguideError):
    """Nothing stands behind a ref, hash, path or id."""


class OutsideError(FieldguideError):
    """A path leads out of the folders it may touch."""


class StorageError(FieldguideError):
    """A file could not be read or written."""


class UndecidedError(FieldguideError):
    """The decision model gave no usable answer; the message says why, as a clause."""


class SettingsError(FieldguideError):
    """config.json holds something wrong."""


class GuideError(FieldguideError):
    """A guide cannot be loaded or compiled; the message names file and line."""


class FrontMatterError(FieldguideError):
    """Front matter that cannot be read.

    Args:
        reason: What is wrong, as a clause.
        line: Line of the document, from 1.
        column: Column in that line, from 1.
    """

    def __init__(self, reason: str, *, line: int, column: int) -> None:
        super().__init__(f"line {line}, column {column}: {reason}.")
        self.reason = reason
        self.line = line
        self.column = column


class TemplateRenderError(FieldguideError):
    """A template failed or asked for what the sandbox refuses.

    Args:
        message: What is wrong and where.
        hint: What to do.
        reason: What is wrong, as a clause.
        partial: Name of the shared passage it stands in; "" for the guide itself.
        line: Line of that file, from 1.
    """

    def __init__(
        self, message: str, *, hint: str, reason: str = "", partial: str = "", line: int = 1
    ) -> None:
        super().__init__(message, hint=hint)
        self.reason = reason
        self.partial = partial
        self.line = line


class ReportRejectedError(FieldguideError):
    """A report did not pass; nothing was written.

    Args:
        message: The summary sentence.
        findings: Every problem, in page order.
        guide: The ``html_render`` guide when the page lacks QuickUI, else None.
    """

    characters = None

    def __init__(
        self, message: str, *, findings: Sequence[Finding], guide: str | None = None
    ) -> None:
        super().__init__(message)
        self.findings = tuple(findings)
        self.guide = guide


class RenderError(FieldguideError):
    """Markdown that cannot become a page; carries every problem with its line."""

    characters = None

    def __init__(self, message: str, *, findings: Sequence[Finding]) -> None:
        super().__init__(message)
        self.findings = tuple(findings)


class RecordError(FieldguideError):
    """One record of a source or of the archive that cannot be read.

    The message is the reason in a few words; readers note it with the record's line and go on.
    """


class DoubtError(FieldguideError):
    """What was remembered of a source does not tell how reading it goes on.

    The source is read from its start again; nobody is told.
    """


class ImportFormatError(FieldguideError):
    """A source that no importer can read."""


class IndexUnavailableError(FieldguideError):
    """The index cannot be opened, built or locked in time."""


class MissingExtraError(FieldguideError):
    """A feature needs an extra that is not installed."""


class InterruptedWorkError(FieldguideError):
    """The caller stopped the work between two steps; what was finished before stays."""
