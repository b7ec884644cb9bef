"""The way back from forgetting: the mark is lifted, and what a source still has is read again.

Forgetting removes the archive's copy. Only what still stands in a source comes back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from generator.echo import quoted
from generator.exceptions import NotFoundError, UsageError
from generator.history.books import Books
from generator.history.forgotten import Forgotten, load_forgotten
from generator.storage import file_lock
from generator.workspace import Workspace

_LOCK_SECONDS = 120.0


@contextlib.contextmanager
def _lifting(workspace: Workspace) -> Iterator[Forgotten]:
    """Hold the lock; afterwards the list is written, and every source counts as unread."""
    home = workspace.home
    with file_lock(home.history / ".lock", timeout=_LOCK_SECONDS):
        forgotten = load_forgotten(home)
        yield forgotten
        forgotten.save()
        with Books(home, writable=True) as books, books.transaction():
            # Which file a forgotten session came from is forgotten as well.
            books.database.execute("DELETE FROM seen")


def restore_session(workspace: Workspace, name: str) -> str:
    """Lift what was forgotten of one session.

    Args:
        workspace: Whose archive.
        name: Its id, a unique ending of it, or ``<agent>/<id>``.

    Returns:
        The session as ``<agent>/<id>``.

    Raises:
        NotFoundError: Nothing of such a session was forgotten.
        UsageError: Several fit.
        StorageError: The list or the books cannot be written.
    """
    with _lifting(workspace) as forgotten:
        found = _named(forgotten, name.removeprefix("conversation:"))
        forgotten.sessions.pop(found, None)
        forgotten.records.pop(found, None)
        for names in forgotten.with_source.values():
            if found in names:
                names.remove(found)
    return found


def restore_source(workspace: Workspace, source: Path) -> str:
    """Let a source be read again, with the sessions that were forgotten with it.

    Args:
        workspace: Whose archive.
        source: The file or folder as it was forgotten.

    Returns:
        The path.

    Raises:
        NotFoundError: It was not forgotten.
        StorageError: The list or the books cannot be written.
    """
    path = str(source.absolute())
    with _lifting(workspace) as forgotten:
        if path not in forgotten.sources:
            listed = ", ".join(forgotten.sources) or "none"
            raise NotFoundError(
                f"The source {quoted(path, 300)} was not forgotten.",
                hint=f"Forgotten sources: {listed}.",
            )
        forgotten.sources.remove(path)
        for name in forgotten.with_source.pop(path, []):
            forgotten.sessions.pop(name, None)
    return path


def _named(forgotten: Forgotten, wanted: str) -> str:
    names = list(dict.fromkeys([*forgotten.sessions, *forgotten.records]))
    exact = [name for name in names if wanted in (name, name.partition("/")[2])]
    found = exact or [name for name in names if wanted and name.endswith(wanted)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NotFoundError(
            f"Nothing of a session {quoted(wanted)} was forgotten.",
            hint="'fieldguide history restore' lists what was.",
        )
    raise UsageError(
        f"{len(found)} forgotten sessions fit {quoted(wanted)}: {', '.join(found[:5])}.",
        hint="Give more of the id.",
    )
