"""What an importer is given and what it gives back."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from generator.history.images import Images
from generator.history.importers.checkpoints import Checkpoint
from generator.history.importers.records import Notes
from generator.history.tally import Tally
from generator.model.session import (
    ActionRecord,
    Document,
    Event,
    Head,
    Message,
    Tokens,
    Usage,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What is imported together and reported as one row of ``history status``.

    Most units are one file. An Agenvoy session is a folder, an opencode session of the old
    layout is its file with the folders of its messages.

    Attributes:
        path: The file or folder that stands for it.
        format: Name of the importer that reads it.
        kind: What sort of file it is, as in :class:`Sample`; ``folder`` for folders.
        parts: Everything it is read from, in a stable order; a change of one of them (size or
            time) means that the unit must be read again.
        open: Opens the file itself, seekable; for members of a ZIP and compressed files too.
        root: The folder that relative names in it start from (a Wolffish workspace).
        grows: It is a plain file of lines that are appended: reading may go on where it stopped.
    """

    path: Path
    format: str
    kind: str
    parts: tuple[Path, ...]
    open: Callable[[], BinaryIO]
    root: Path | None = None
    grows: bool = False


@dataclass(slots=True, kw_only=True)
class Audit:
    """How a unit's token numbers came about, for ``usage_report`` with ``explain``.

    Attributes:
        lines: Records that carried token numbers.
        naive: What adding up every one of them would give.
        dropped: Reason and number of records that were left out.
    """

    lines: int = 0
    naive: Tokens = field(default_factory=Tokens)
    dropped: Counter[str] = field(default_factory=Counter)

    def line(self, tokens: Tokens) -> None:
        """Note a record that carries token numbers."""
        self.lines += 1
        self.naive = self.naive + tokens

    def drop(self, reason: str, count: int = 1) -> None:
        """Note records that are not counted."""
        if count:
            self.dropped[reason] += count


@dataclass(slots=True, kw_only=True)
class Reading:
    """What reading a unit met, besides its sessions.

    Attributes:
        zone: The zone of times that name none.
        notes: Counts and what was passed over.
        audit: How the token numbers came about.
        images: Takes the images that stand in it.
        checkpoint: Where an earlier reading stopped; the importer goes on from there.
        reached: Where this reading stopped, for the next one; None when that must begin anew.
            To be taken when everything was yielded and used.
    """

    zone: tzinfo
    notes: Notes = field(default_factory=Notes)
    audit: Audit = field(default_factory=Audit)
    images: Images = field(default_factory=Images)
    checkpoint: Checkpoint | None = None
    reached: Checkpoint | None = None


# A canonical file does not say what it was made of; the file of a subagent says nothing of the
# session it belongs to.
UNRANKED = -1


def moment_of(moment: datetime | None) -> str:
    """Write a time so that texts compare as times do; empty when it is unknown.

    To the millisecond, as canonical files hold it.
    """
    return moment.astimezone(UTC).isoformat(timespec="milliseconds") if moment else ""


def _nothing() -> tuple[()]:
    return ()


@dataclass(slots=True, kw_only=True)
class Parsed:
    """One session, or one set of documents, as one unit shows it.

    Messages are yielded once, in archive order, with ``n`` 0: their ``id`` is the key that
    tells a known message from a new one, and the archive gives the numbers.

    Attributes:
        head: What is known of it as a whole.
        messages: Its messages; an iterator, so that a large file is never held whole.
        actions: Runs that the agent recorded itself.
        usage: Spending that no message carries, read after the messages.
        owners: Message that a usage belongs to, as (sidechain or "", message id) by usage id.
        events: Compactions and notices, read after the messages.
        documents: Documents, for ``head.holds == "documents"``.
        counts_as_session: False for a side file of a session that has a file of its own.
        snapshot: The unit shows the whole conversation: a message that it showed before and no
            longer shows has left the thread.
        complete: Every source of this session shows all of it at its time (account exports):
            the one with the higher precedence decides what is on the thread.
        precedence: When two sources tell of one message, the higher one holds: the
            importer's own order, then the time of the last change as :func:`moment_of` writes
            it. With :data:`UNRANKED` only the times are compared.
        leaf_titles: Titles for whichever session holds a record, by record id.
        leaf_ids: Ids of its records, for titles from other files.
        unchanged: What is not yielded since an earlier reading yielded it and it is still so,
            in numbers; None when everything is yielded.
    """

    head: Head
    messages: Iterable[Message] = field(default_factory=_nothing)
    actions: Iterable[ActionRecord] = field(default_factory=_nothing)
    usage: Iterable[Usage] = field(default_factory=_nothing)
    owners: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    events: Iterable[Event] = field(default_factory=_nothing)
    documents: Iterable[Document] = field(default_factory=_nothing)
    counts_as_session: bool = True
    snapshot: bool = False
    complete: bool = False
    precedence: tuple[int, str] = (0, "")
    leaf_titles: Mapping[str, str] = field(default_factory=dict)
    leaf_ids: Iterable[str] = field(default_factory=_nothing)
    unchanged: Tally | None = None


class Importer(Protocol):
    """A module that reads one format."""

    FORMAT: str

    def recognise(self, sample: Sample) -> bool:
        """Tell from the first several records whether a file is of this format."""
        ...

    def read(self, unit: Unit, reading: Reading) -> Iterator[Parsed]:
        """Yield the sessions of a unit."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The beginning of a file, for importers to judge.

    Attributes:
        path: Where it is; only its surroundings may be asked, never its name.
        kind: ``lines`` (JSON Lines), ``object`` (one JSON object), ``array`` (a JSON array) or
            ``sqlite``.
        records: The first several objects: lines, elements of the array, or the one object as
            far as it is known (for large ones: its keys, with long values cut to None).
        tables: Names of the tables, for ``sqlite``.
    """

    path: Path
    kind: str
    records: tuple[dict[str, Any], ...] = ()
    tables: frozenset[str] = frozenset()


def opener(path: Path) -> Callable[[], BinaryIO]:
    """Return what opens a file on disk for a unit."""
    return lambda: path.open("rb")


def project_of(cwd: str | None) -> str | None:
    """Return the last part of a working folder, of either kind of path."""
    if not cwd:
        return None
    parts = [part for part in cwd.replace("\\", "/").split("/") if part]
    return parts[-1] if parts else None


def text_of(value: Any) -> str:
    """Return a value's text: itself, or nothing when it is no text."""
    return value if isinstance(value, str) else ""


def object_of(value: Any) -> dict[str, Any]:
    """Return a value when it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Any) -> list[Any]:
    """Return a value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


# More tokens than any session can have: such a number is a mistake, and no database holds it.
_COUNT_MAX = 10**15


def count_of(value: Any) -> int | None:
    """Return a token count; None for what is no count."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value <= _COUNT_MAX else None


def mark_of(text: str) -> str:
    """Return a short mark that tells texts apart, for keys of records without an id."""
    return hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:12]


class Clock:
    """Times in file order: one that is missing or bad is inherited from the record before."""

    def __init__(self) -> None:
        self.first: datetime | None = None
        self.last: datetime | None = None
        self.latest: datetime | None = None

    @classmethod
    def after(cls, other: Clock) -> Clock:
        """Return a clock that goes on from where another stands."""
        clock = cls()
        clock.last = other.last
        return clock

    def take(self, moment: datetime | None) -> datetime | None:
        """Return the time of the next record."""
        if moment is None:
            return self.last
        self.last = moment
        self.first = moment if self.first is None else min(self.first, moment)
        self.latest = moment if self.latest is None else max(self.latest, moment)
        return moment
