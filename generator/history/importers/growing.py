"""One reading of a file that may have grown: from its start, or from where the last one stopped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import Any, BinaryIO

from generator.exceptions import DoubtError
from generator.history.importers.base import Reading
from generator.history.importers.checkpoints import Checkpoint, Past, Prefix
from generator.history.importers.records import JsonLines
from generator.history.tally import Tally
from generator.model.session import Tokens


class GrowingFile:
    """A JSON Lines file, open for reading.

    Args:
        handle: The file, seekable.
        reading: Where notes go; its checkpoint says where to begin.

    Attributes:
        lines: The records that are to be read.
        state: What an earlier reading left for this one; empty when the file is read whole.
        past: Marks of the names that stand before.
        settled: Numbers of what stands before and no later line changes.

    Raises:
        DoubtError: The file does not begin with what was read before.
    """

    def __init__(self, handle: BinaryIO, reading: Reading) -> None:
        self._handle = handle
        self._reading = reading
        self._prefix: Prefix | None = None
        self.state: dict[str, Any] = {}
        self.past = Past()
        self.settled = Tally()
        self._before = _size_and_time(handle)
        checkpoint = reading.checkpoint
        if checkpoint is None:
            self.lines = JsonLines(handle, reading.notes)
            return
        self._prefix = checkpoint.prefix
        if not self._prefix.fits(handle):
            raise DoubtError("The file does not begin with what was read before.")
        self.state = checkpoint.state["importer"]
        self.past = Past(checkpoint.past)
        self.settled = _tally_from(checkpoint.state["settled"])
        _restore(reading, checkpoint.state)
        self.lines = JsonLines(handle, reading.notes, self._prefix.length, checkpoint.lines)

    def stop(self, state: dict[str, Any], names: Iterable[tuple[str, str]]) -> None:
        """Leave a checkpoint for the next reading, unless the file was changed meanwhile.

        Args:
            state: What the importer must know to go on.
            names: Kinds and names that this reading met.
        """
        size, time = _size_and_time(self._handle)
        if size < self._before[0] or (size == self._before[0] and time != self._before[1]):
            return
        notes = self.lines.settled
        assert notes is not None
        audit = self._reading.audit
        self._reading.reached = Checkpoint(
            prefix=Prefix.of(self._handle, self.lines.end, self._prefix),
            lines=self.lines.lines,
            state={
                "importer": state,
                "settled": _tally_as_list(self.settled),
                "notes": [notes.records, notes.opaque, notes.skipped, notes.warnings],
                "audit": [audit.lines, tokens_as_list(audit.naive), audit.dropped],
            },
            past=self.past.with_names(names),
        )


def _size_and_time(handle: BinaryIO) -> tuple[int, int]:
    try:
        state = os.fstat(handle.fileno())
    except OSError:  # a member of an archive
        return 0, 0
    return state.st_size, state.st_mtime_ns


def _restore(reading: Reading, state: dict[str, Any]) -> None:
    notes, audit = reading.notes, reading.audit
    records, opaque, skipped, warnings = state["notes"]
    notes.records, notes.opaque = records, opaque
    notes.skipped = [(line, reason) for line, reason in skipped]
    notes.warnings = list(warnings)
    lines, naive, dropped = state["audit"]
    audit.lines, audit.naive, audit.dropped = lines, tokens_from(naive), Counter(dropped)


def tokens_as_list(tokens: Tokens) -> list[int | None]:
    """Return token counts as JSON types."""
    return [tokens.input, tokens.output, tokens.cache_read, tokens.cache_write]


def tokens_from(counts: list[int | None]) -> Tokens:
    """Return what :func:`tokens_as_list` wrote."""
    fresh, output, read, written = counts
    return Tokens(input=fresh, output=output, cache_read=read, cache_write=written)


def moment_as_text(moment: datetime | None) -> str | None:
    """Return a time as JSON holds it, whole."""
    return None if moment is None else moment.isoformat()


def moment_from(text: str | None) -> datetime | None:
    """Return what :func:`moment_as_text` wrote."""
    return None if text is None else datetime.fromisoformat(text)


def _tally_as_list(tally: Tally) -> list[Any]:
    counts = [tally.messages, tally.off_thread, tally.sidechain]
    return [counts, tally.calls, tally.errors, tally.unfinished, tokens_as_list(tally.tokens)]


def _tally_from(raw: list[Any]) -> Tally:
    (messages, off_thread, sidechain), calls, errors, unfinished, tokens = raw
    return Tally(
        messages=dict(messages),
        off_thread=dict(off_thread),
        sidechain=dict(sidechain),
        calls=calls,
        errors=errors,
        unfinished=unfinished,
        tokens=tokens_from(tokens),
    )
