"""Checkpoints in the books: kept with what they belong to, dropped when it is not as it was.

A checkpoint stands in the same transaction as the entries it speaks of. It is dropped whenever
someone else had a hand in those: another source of the same session, a file of the archive that
was changed by hand or by a run that was killed, forgetting.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from generator import __version__
from generator.history.books import Books
from generator.history.importers.base import Unit
from generator.history.importers.checkpoints import Checkpoint, Prefix

_VERSION = 1
"""Goes up when importers read something differently; so does the version of the product."""


def conditions(unit: Unit, files: Mapping[str, tuple[int, int]], manner: str) -> str:
    """Return what a unit's checkpoint depends on besides the file itself.

    Args:
        unit: The unit.
        files: Size and time of every source file.
        manner: What else decides how sources are read.
    """
    beside = [(str(part), files.get(str(part))) for part in unit.parts if part != unit.path]
    return json.dumps([_VERSION, __version__, unit.format, manner, beside])


def load_checkpoint(books: Books, unit: int, holds: str) -> Checkpoint | None:
    """Return where reading a unit stopped; None when it must be read from its start.

    Args:
        books: The books.
        unit: The unit's number.
        holds: Its :func:`conditions` now.
    """
    row = books.database.execute(
        "SELECT state, past FROM checkpoints WHERE unit = ? AND holds = ?", (unit, holds)
    ).fetchone()
    if row is None:
        return None
    prefix, lines, state = json.loads(row["state"])
    return Checkpoint(
        prefix=Prefix(**{**prefix, "blocks": tuple(prefix["blocks"])}),
        lines=lines,
        state=state,
        past=row["past"],
    )


def save_checkpoint(books: Books, unit: int, holds: str, reached: Checkpoint | None) -> None:
    """Keep where reading a unit stopped, instead of what was kept before."""
    if reached is None:
        drop_checkpoints(books, (unit,))
        return
    state = json.dumps([asdict(reached.prefix), reached.lines, reached.state])
    books.database.execute(
        "INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?, ?)",
        (unit, holds, state, reached.past),
    )


def drop_checkpoints(books: Books, units: Iterable[int]) -> None:
    """Forget where reading some units stopped: they are read from their start next time."""
    books.database.executemany(
        "DELETE FROM checkpoints WHERE unit = ?", ((unit,) for unit in units)
    )


def drop_checkpoints_of_file(books: Books, file: int) -> None:
    """Forget where reading any unit stopped that has an entry in a file of the archive."""
    books.database.execute(
        "DELETE FROM checkpoints WHERE unit IN (SELECT unit FROM entries WHERE file = ?)", (file,)
    )
