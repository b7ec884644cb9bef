"""Everything that can be recalled in one home, brought up to date before it is read."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from generator.history.intake import take_in
from generator.history.reading import Reader
from generator.history.register import Register
from generator.model.entry import Collection
from generator.paths import Home
from generator.recall.veil import Veil
from generator.search import Refreshed
from generator.workspace import Workspace

if TYPE_CHECKING:
    from generator.search import SearchIndex

# A process that lives on keeps the last homes open: it reads only what was appended since.
_KEPT = 2
_registers: dict[Home, Register] = {}
_indexes: dict[tuple[Home, Path], SearchIndex] = {}
_lock = threading.Lock()


@dataclass(frozen=True, kw_only=True)
class Recall:
    """One home, opened for recall.

    Attributes:
        workspace: Whose home it is.
        reader: Reads sessions, runs and documents.
        veil: Hides secrets.
        problems: Sources that could not be read, as sentences.
    """

    workspace: Workspace
    reader: Reader
    veil: Veil
    problems: tuple[str, ...] = ()

    @cached_property
    def index(self) -> SearchIndex:
        """Finds entries of every room; opened on first use, reading a ref back needs none."""
        return _index(self.workspace, self.reader.register)

    def refresh(self) -> Refreshed:
        """Take what changed into the index, telling the door how far it is.

        Raises:
            IndexUnavailableError: There is no index and none can be made.
        """
        from generator.search.index import QUERY_WAIT

        report = self.workspace.progress
        return self.index.refresh(
            wait=QUERY_WAIT, progress=lambda done, total: report("Indexing files", done, total)
        )


def open_recall(workspace: Workspace) -> Recall:
    """Open a home for recall; what changed in the sources is taken in first.

    Args:
        workspace: Whose home it is.

    Raises:
        SettingsError: config.json holds something wrong.
        StorageError: A source changed and the archive cannot be written.
    """
    taken = take_in(workspace, progress=lambda path, at, of: _report(workspace, path, at, of))
    with _lock:
        register = _registers.pop(workspace.home, None) or Register(workspace.home)
        _registers[workspace.home] = register
        while len(_registers) > _KEPT:
            del _registers[next(iter(_registers))]
    return Recall(
        workspace=workspace,
        reader=Reader(workspace.home, register),
        veil=Veil(workspace),
        problems=tuple(f"{path}: {reason}" for path, reason in taken.problems),
    )


def _report(workspace: Workspace, path: str, at: int, of: int) -> None:
    workspace.progress(f"Reading {Path(path).name}", at, of)


def collections(home: Home, register: Register, reports: Path) -> list[Collection]:
    """Return what the index holds, a collection a room.

    Args:
        home: The folder with the user's data.
        register: The archive's register.
        reports: The folder that reports are saved in.
    """
    from generator.errors.collection import ErrorsCollection
    from generator.history.collection import HistoryCollection
    from generator.knowledge.collections import FactsCollection, NotesCollection
    from generator.reports.collection import ReportsCollection

    return [
        HistoryCollection(home, register),
        ErrorsCollection(home),
        FactsCollection(home),
        NotesCollection(home),
        ReportsCollection(reports),
    ]


def _index(workspace: Workspace, register: Register) -> SearchIndex:
    from generator.reports.destination import output_folder
    from generator.search import SearchIndex

    home, reports = workspace.home, output_folder(workspace)
    with _lock:
        index = _indexes.pop((home, reports), None)
        if index is None:
            index = SearchIndex(home.index, collections(home, register, reports))
        _indexes[home, reports] = index
        while len(_indexes) > _KEPT:
            _indexes.pop(next(iter(_indexes))).close()
        return index
