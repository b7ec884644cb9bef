"""Everything that can be recalled in one home, brought up to date before it is read."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from generator.errors.collection import ErrorsCollection
from generator.history.collection import HistoryCollection
from generator.history.intake import take_in
from generator.history.reading import Reader
from generator.history.register import Register
from generator.knowledge.collections import FactsCollection, NotesCollection
from generator.model.entry import Collection
from generator.paths import Home
from generator.recall.veil import Veil
from generator.reports.collection import ReportsCollection
from generator.reports.destination import output_folder
from generator.search import Refreshed, SearchIndex
from generator.search.index import QUERY_WAIT
from generator.workspace import Workspace

# A process that lives on keeps the last homes open: it reads only what was appended since.
_KEPT = 2
_kept: dict[tuple[Home, Path], tuple[Register, SearchIndex]] = {}
_lock = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """One home, opened for recall.

    Attributes:
        workspace: Whose home it is.
        reader: Reads sessions, runs and documents.
        index: Finds entries of every room.
        veil: Hides secrets.
        problems: Sources that could not be read, as sentences.
    """

    workspace: Workspace
    reader: Reader
    index: SearchIndex
    veil: Veil
    problems: tuple[str, ...] = ()

    def refresh(self) -> Refreshed:
        """Take what changed into the index, telling the door how far it is.

        Raises:
            IndexUnavailableError: There is no index and none can be made.
        """
        report = self.workspace.progress
        return self.index.refresh(
            wait=QUERY_WAIT, progress=lambda done, total: report("Indexing files", done, total)
        )


def open_recall(workspace: Workspace) -> Recall:
    """Open a home for recall; what changed is taken in first.

    Args:
        workspace: Whose home it is.

    Raises:
        SettingsError: config.json holds something wrong.
        StorageError: A source changed and the archive cannot be written.
    """
    taken = take_in(workspace, progress=lambda path, at, of: _report(workspace, path, at, of))
    register, index = _opened(workspace.home, output_folder(workspace))
    return Recall(
        workspace=workspace,
        reader=Reader(workspace.home, register),
        index=index,
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
    return [
        HistoryCollection(home, register),
        ErrorsCollection(home),
        FactsCollection(home),
        NotesCollection(home),
        ReportsCollection(reports),
    ]


def _opened(home: Home, reports: Path) -> tuple[Register, SearchIndex]:
    key = (home, reports)
    with _lock:
        opened = _kept.pop(key, None)
        if opened is None:
            register = Register(home)
            opened = (register, SearchIndex(home.index, collections(home, register, reports)))
        _kept[key] = opened
        while len(_kept) > _KEPT:
            _, index = _kept.pop(next(iter(_kept)))
            index.close()
        return opened
