"""The one index of the product: kept in step with the files, asked by every tool."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from generator.exceptions import FieldguideError, IndexUnavailableError, StorageError
from generator.model.entry import Collection
from generator.search.answers import Page, answer, best_sessions, describe
from generator.search.compaction import plan_compaction, tidy
from generator.search.engine import BrokenStoreError
from generator.search.folder import IndexFolder, Opened
from generator.search.manifest import Manifest
from generator.search.plan import Plan, looser, plan_term
from generator.search.query import parse_query
from generator.search.refresh import Changes, find_changes, write_changes
from generator.search.results import Filters, Hit, Order, Pointer, Refreshed, Results, Searched
from generator.storage import file_lock, make_folder

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

Progress = Callable[[int, int], None]
"""Called with the number of files done and of all files that must be read."""

QUERY_WAIT = 2.0
"""Seconds that a query waits for another writer before it answers from the older state."""

INDEX_WAIT = 600.0
"""Seconds that an explicit refresh waits for another writer."""

_BROKEN = "The index was broken."


class SearchIndex:
    """Searches everything its collections hold.

    Safe to use from several threads; calls on one object run one after the other. One process
    writes at a time; readers see the last commit.

    Args:
        folder: Where the index lives; it is made when missing.
        collections: Who supplies the entries. Entries of a collection that is not named here
            any more leave the index.
        background: Whether small pieces are joined in a thread when a query finds many of them;
            a process that ends waits for it.
        clock: Returns the current time in seconds since 1970.
    """

    def __init__(
        self,
        folder: Path,
        collections: Sequence[Collection],
        *,
        background: bool = True,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._root = folder
        self._folder = IndexFolder(folder)
        self._collections = {collection.name: collection for collection in collections}
        self._background = background
        self._clock = clock
        self._tidying: threading.Thread | None = None
        self._lock = threading.RLock()
        self._temporary: TemporaryDirectory[str] | None = None

    def refresh(self, *, wait: float = INDEX_WAIT, progress: Progress | None = None) -> Refreshed:
        """Take in what changed since the last time; cheap when nothing did.

        Args:
            wait: Seconds to wait while another process writes. With no more than ``QUERY_WAIT``
                a query is waiting: joining small pieces, if need be, is left to a thread.
            progress: Called with the number of files done and of all files that must be read.

        Returns:
            What was done. When the index cannot be written but an older state answers, ``stale``
            says why.

        Raises:
            IndexUnavailableError: There is no older state and none can be made.
        """
        with self._lock:
            report = self._refresh(wait, progress)
            if wait <= QUERY_WAIT:
                self._tidy_later()
                return report
            opened = self._folder.current()
            gathered = opened is not None and bool(plan_compaction(opened))
        if gathered:
            self.tidy()
        return report

    def tidy(self) -> bool:
        """Join small pieces when many have gathered, so that queries stay fast.

        Returns:
            Whether something was joined.
        """
        return tidy(self._folder.root, self._collections, wait=INDEX_WAIT)

    def rebuild(self, *, progress: Progress | None = None) -> Refreshed:
        """Build the index anew from the files; until that is done the old one answers.

        Raises:
            IndexUnavailableError: It cannot be written.
        """
        with self._lock:
            return self._refresh(INDEX_WAIT, progress, why="It was asked for.")

    def search(
        self,
        query: str,
        *,
        filters: Filters | None = None,
        order: Order = "relevance",
        limit: int = 15,
        offset: int = 0,
        refresh: bool = True,
    ) -> Results:
        """Find entries.

        Args:
            query: Words and "quoted phrases" (``query.py`` says what they mean).
            filters: Which entries may be hits.
            order: What comes first among hits with all words, and among the others.
            limit: How many hits to return.
            offset: How many to leave out before.
            refresh: Whether to take in what changed first.

        Raises:
            UsageError: The query is empty.
            IndexUnavailableError: There is no index and none can be made.
        """
        terms = parse_query(query)
        page = Page(filters or Filters(), order, limit, offset)
        results = self._answer([plan_term(term) for term in terms], page, refresh)
        missing = frozenset(results.searched.missing)
        loose = {term: looser(term) for term in terms if term.text in missing}
        if not any(loose.values()):
            return results
        asked = dict.fromkeys(part for term in terms for part in loose.get(term) or (term,))
        again = self._answer([plan_term(term) for term in asked], page, refresh=False)
        searched = replace(again.searched, missing=results.searched.missing)
        return replace(again, searched=replace(searched, stale=results.searched.stale))

    def browse(
        self,
        *,
        filters: Filters | None = None,
        order: Order = "newest",
        limit: int = 15,
        offset: int = 0,
        refresh: bool = True,
    ) -> Results:
        """List entries without asking for words; snippets show how each begins.

        Raises:
            IndexUnavailableError: There is no index and none can be made.
        """
        return self._answer([], Page(filters or Filters(), order, limit, offset), refresh)

    def best_sessions(
        self,
        query: str,
        *,
        filters: Filters | None = None,
        limit: int = 20,
        offset: int = 0,
        refresh: bool = True,
    ) -> tuple[list[str], frozenset[str]]:
        """Return the ids of sessions by their best hit, and of all sessions that have one.

        Args:
            query: As for :meth:`search`.
            filters: Which entries may be hits.
            limit: How many sessions to return.
            offset: How many to leave out before.
            refresh: Whether to take in what changed first.

        Raises:
            UsageError: The query is empty.
            IndexUnavailableError: There is no index and none can be made.
        """
        plans = [plan_term(term) for term in parse_query(query)]
        page = Page(filters or Filters(), "relevance", limit, offset)
        with self._lock:
            self._prepare(refresh)
            try:
                return best_sessions(self._opened(), plans, page, self.text, self._clock())
            except BrokenStoreError:
                self._refresh(QUERY_WAIT, None, broken=self._folder.name())
                return best_sessions(self._opened(), plans, page, self.text, self._clock())

    def newest(self, filters: Filters, limit: int) -> tuple[list[Hit], int]:
        """Return the newest entries as they were last taken in, without reading their texts.

        Args:
            filters: Which entries count.
            limit: How many to return.

        Returns:
            The entries, the newest first, and how many pass the filters in all.

        Raises:
            IndexUnavailableError: There is no index and none can be made.
        """
        from generator.search.newest import newest

        with self._lock:
            self._prepare(refresh=False)
            return newest(self._opened(), filters, limit)

    def state(self) -> tuple[str | None, int]:
        """Return what changes whenever the index does."""
        with self._lock:
            opened = self._folder.current()
            return self._folder.name(), opened.snapshot.generation if opened else -1

    def coverage(self, *, refresh: bool = True) -> Searched:
        """Return what the index holds.

        Raises:
            IndexUnavailableError: There is no index and none can be made.
        """
        with self._lock:
            stale = self._prepare(refresh)
            return replace(describe(self._opened(), Filters()), stale=stale)

    def text(self, pointer: Pointer) -> str:
        """Return an entry's text from its file; empty when it cannot be read any more."""
        collection = self._collections.get(pointer.collection)
        if collection is not None:
            with contextlib.suppress(OSError, ValueError, FieldguideError):
                return collection.text(pointer.path, pointer.start, pointer.length, pointer.part)
        return ""

    def close(self) -> None:
        """Let go of open files; the object can be used again."""
        with self._lock:
            self._folder.close()
            if self._temporary is not None:
                self._temporary.cleanup()
                self._temporary = None
                self._folder = IndexFolder(self._root)

    def _answer(self, plans: list[Plan], page: Page, refresh: bool) -> Results:
        with self._lock:
            stale = self._prepare(refresh)
            try:
                results = answer(self._opened(), plans, page, self.text, self._clock())
            except BrokenStoreError:
                stale = self._refresh(QUERY_WAIT, None, broken=self._folder.name()).stale
                results = answer(self._opened(), plans, page, self.text, self._clock())
        return replace(results, searched=replace(results.searched, stale=stale))

    def _opened(self) -> Opened:
        opened = self._folder.current()
        if opened is None:
            raise IndexUnavailableError(
                f"The index in {self._folder.root} cannot be read.",
                hint="Remove that folder: it is rebuilt from the files beside it.",
            )
        return opened

    def _prepare(self, refresh: bool) -> str | None:
        """Get ready to answer; return why the index may be behind the files."""
        if refresh or self._folder.current() is None:
            stale = self._refresh(QUERY_WAIT, None).stale
            self._tidy_later()
            return stale
        return None

    def _refresh(
        self,
        wait: float,
        progress: Progress | None,
        *,
        why: str | None = None,
        broken: str | None = None,
    ) -> Refreshed:
        """Take in what changed, or build anew: for a reason, or because a store is broken."""
        collections = list(self._collections.values())
        opened = self._folder.current() if broken is None else None
        changes = None
        if opened is not None and why is None:
            changes = find_changes(collections, opened.manifest)
            if changes.nothing:
                return changes.report()
        try:
            make_folder(self._folder.root)
            with file_lock(self._folder.lock, timeout=wait):
                if broken is not None and broken == self._folder.name():
                    why = _BROKEN
                if opened is None or self._folder.current() is not opened:
                    changes = None  # another process has written meanwhile
                return self._write(collections, changes, progress, why)
        except (StorageError, OSError) as error:
            # A file that is refused tells why in words; its number says nothing to a person.
            reason = str(getattr(error, "strerror", None) or error).rstrip(".")
            opened = self._folder.current() if broken is None else None
            if opened is None and self._move():
                return self._refresh(wait, progress)
            if opened is None or why is not None:
                raise IndexUnavailableError(
                    f"The index in {self._folder.root} could not be written: {reason}.",
                    hint="Nothing is lost: the index is built from the files beside it.",
                ) from error
            return Refreshed(
                files=len(opened.manifest.files),
                stale=f"The newest changes are not searched yet: {reason}.",
            )

    def _move(self) -> bool:
        """Go on in a temporary folder when the home cannot be written; tell whether that is so."""
        if self._temporary is not None or _writable(self._folder.root):
            return False
        import tempfile

        with contextlib.suppress(OSError):
            self._temporary = tempfile.TemporaryDirectory(prefix="fieldguide-index-")
            self._folder.close()
            self._folder = IndexFolder(Path(self._temporary.name))
            return True
        return False

    def _tidy_later(self) -> None:
        """Join small pieces beside the query that found that many have gathered."""
        opened = self._folder.current()
        busy = self._tidying is not None and self._tidying.is_alive()
        if self._background and not busy and opened is not None and plan_compaction(opened):
            self._tidying = threading.Thread(
                target=tidy,
                args=(self._folder.root, dict(self._collections)),
                kwargs={"wait": QUERY_WAIT},
            )
            self._tidying.start()

    def _write(
        self,
        collections: list[Collection],
        changes: Changes | None,
        progress: Progress | None,
        why: str | None,
    ) -> Refreshed:
        """Write what changed; the caller holds the file lock."""
        opened = self._folder.current() if why != _BROKEN else None
        if opened is not None and why is None:
            changes = changes or find_changes(collections, opened.manifest)
            if changes.nothing:
                return changes.report()
            try:
                return write_changes(opened.store, opened.manifest, changes, progress)
            except BrokenStoreError:
                opened, why = None, _BROKEN
        why = why or self._folder.why_new()
        store = self._folder.create()
        try:
            if opened is None:
                # Nothing else can answer: what is written is of use from the first commit on.
                self._folder.use(store)
            changes = find_changes(collections, Manifest())
            report = write_changes(store, Manifest(), changes, progress)
            self._folder.use(store)
        finally:
            self._folder.discard(store)
        return replace(report, rebuilt=why)


def _writable(folder: Path) -> bool:
    """Tell whether something can be made in a folder, or in the first of its parents there is."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK)
