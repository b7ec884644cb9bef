"""The one index of the product: kept in step with the files, asked by every tool.

The folder holds stores, one in use, and a file ``current`` that names it. A store of another
form, or a broken one, is left aside and a new one is built; readers that still have the old one
open are not disturbed. Writing is done by one process at a time under a lock; what a killed
writer leaves behind is cleaned by the next.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.exceptions import FieldguideError, IndexUnavailableError, StorageError
from generator.model.entry import Collection
from generator.search.blocks import BYTE_ORDER
from generator.search.engine import BrokenStoreError, Snapshot, Store
from generator.search.manifest import Manifest
from generator.search.masks import Masks
from generator.search.matching import Matcher
from generator.search.plan import Plan, plan_term
from generator.search.query import parse_query
from generator.search.ranking import Ranked, average_length, rank
from generator.search.refresh import find_changes, write_changes
from generator.search.results import (
    Filters,
    Hit,
    Order,
    Pointer,
    Refreshed,
    Results,
    Searched,
    Snippet,
)
from generator.search.snippet import make_snippet
from generator.storage import file_lock, make_folder, write_atomic

FORM = f"3{BYTE_ORDER[0]}"
"""Version of everything that is stored: tokens, blocks, manifest. Change it with any of them."""

QUERY_WAIT = 2.0
"""Seconds that a query waits for another writer before it answers from the older state."""

INDEX_WAIT = 600.0
"""Seconds that ``history index`` waits for another writer."""


@dataclass(frozen=True, slots=True)
class _State:
    """One commit, opened."""

    store: Store
    snapshot: Snapshot
    manifest: Manifest
    masks: Masks
    matcher: Matcher
    average: float


@dataclass(frozen=True, slots=True)
class _Page:
    """Which hits are asked for."""

    filters: Filters
    order: Order
    limit: int
    offset: int


class SearchIndex:
    """Searches everything its collections hold.

    Safe to use from several threads; searches of one object run one after the other.

    Args:
        folder: Where the index lives; it is made when missing.
        collections: Who supplies the entries. Entries of a collection that is not named here
            any more leave the index.
        clock: Returns the current time in seconds since 1970.
    """

    def __init__(
        self,
        folder: Path,
        collections: Sequence[Collection],
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._collections = {collection.name: collection for collection in collections}
        self._clock = clock
        self._lock = threading.RLock()
        self._state: _State | None = None

    def refresh(
        self,
        *,
        wait: float = INDEX_WAIT,
        progress: Callable[[int, int], None] | None = None,
    ) -> Refreshed:
        """Take in what changed since the last time; cheap when nothing did.

        Args:
            wait: Seconds to wait while another process writes.
            progress: Called with the number of files done and of all files that must be read.

        Returns:
            What was done. When the index cannot be written but an older state answers, ``stale``
            says why.

        Raises:
            IndexUnavailableError: There is no older state and none can be made.
        """
        with self._lock:
            return self._refresh(wait, progress, why=None)

    def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> Refreshed:
        """Build the index anew from the files.

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
            query: Words and "quoted phrases" (see ``query.py`` for what they mean).
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
        plans = [plan_term(term) for term in terms]
        page = _Page(filters or Filters(), order, limit, offset)
        with self._lock:
            return self._answer(plans, page, refresh=refresh)

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
        page = _Page(filters or Filters(), order, limit, offset)
        with self._lock:
            return self._answer([], page, refresh=refresh)

    def coverage(self, *, refresh: bool = True) -> Searched:
        """Return what the index holds.

        Raises:
            IndexUnavailableError: There is no index and none can be made.
        """
        with self._lock:
            refreshed = self._prepare(refresh)
            return self._searched(self._open(), refreshed, Filters())

    def close(self) -> None:
        """Let go of open files; the object can be used again."""
        with self._lock:
            if self._state is not None:
                self._state.snapshot.close()
                self._state = None

    # Keeping in step with the files.

    def _prepare(self, refresh: bool) -> Refreshed:
        if refresh or self._current() is None:
            return self._refresh(QUERY_WAIT, None, why=None)
        return Refreshed()

    def _refresh(
        self, wait: float, progress: Callable[[int, int], None] | None, *, why: str | None
    ) -> Refreshed:
        collections = list(self._collections.values())
        state = self._current()
        if state is not None and why is None:
            changes = find_changes(collections, state.manifest)
            if changes.nothing:
                return changes.report()
        try:
            make_folder(self._folder)
            with file_lock(self._folder / "lock", timeout=wait):
                return self._write(collections, progress, why)
        except (StorageError, OSError) as error:
            reason = str(error)
            state = self._current()
            if state is None or why is not None:
                raise IndexUnavailableError(
                    f"The index in {self._folder} could not be written: {reason}",
                    hint="Nothing is lost: the index is rebuilt from the files beside it.",
                ) from error
            return Refreshed(
                files=len(state.manifest.files),
                stale=f"The newest changes are not searched yet. {reason}",
            )

    def _write(
        self,
        collections: list[Collection],
        progress: Callable[[int, int], None] | None,
        why: str | None,
    ) -> Refreshed:
        """Write what changed; the caller holds the lock."""
        state = self._current()
        if state is not None and why is None:
            changes = find_changes(collections, state.manifest)
            if changes.nothing:
                return changes.report()
            try:
                report = write_changes(state.store, state.manifest, changes, progress)
            except BrokenStoreError:
                state = None
                why = "The old index was broken."
            else:
                self._open()
                return report
        if why is None:
            why = self._why_new()
        store = Store(self._folder / f"{FORM}-{time.time_ns():x}")
        store.folder.mkdir()
        manifest = Manifest()
        try:
            store.create()
            if state is None:
                self._point_to(store)
            changes = find_changes(collections, manifest)
            report = write_changes(store, manifest, changes, progress)
        except BaseException:
            if state is not None:
                shutil.rmtree(store.folder, ignore_errors=True)
            raise
        self._point_to(store)
        self._remove_others(store)
        self._open()
        return replace(report, rebuilt=why)

    def _why_new(self) -> str:
        pointed = self._pointed()
        if pointed is None:
            return "There was none."
        form = pointed.partition("-")[0]
        return "The old index was broken." if form == FORM else "The old index had another form."

    def _pointed(self) -> str | None:
        """Return the name of the store in use."""
        try:
            return (self._folder / "current").read_text("ascii").strip()
        except (OSError, ValueError):
            return None

    def _point_to(self, store: Store) -> None:
        write_atomic(self._folder / "current", store.folder.name + "\n")

    def _remove_others(self, store: Store) -> None:
        for path in self._folder.iterdir():
            if path.is_dir() and path != store.folder:
                shutil.rmtree(path, ignore_errors=True)

    def _current(self) -> _State | None:
        """Return the last commit, opened; None when there is none that can be used."""
        name = self._pointed()
        if name is None or name.partition("-")[0] != FORM:
            self.close()
            return None
        state = self._state
        if (
            state is not None
            and state.store.folder.name == name
            and state.store.generation() == state.snapshot.generation
        ):
            return state
        self.close()
        store = Store(self._folder / name)
        for attempt in range(5):
            try:
                self._state = _open_state(store)
            except BrokenStoreError:
                # A writer may have committed between two reads: look again before giving up.
                if attempt == 4 or store.generation() < 0:
                    return None
                time.sleep(0.02)
            else:
                return self._state
        return None

    def _open(self) -> _State:
        state = self._current()
        if state is None:
            raise IndexUnavailableError(
                f"The index in {self._folder} cannot be read.",
                hint="Remove that folder: it is rebuilt from the files beside it.",
            )
        return state

    # Answering.

    def _answer(self, plans: list[Plan], page: _Page, *, refresh: bool) -> Results:
        refreshed = self._prepare(refresh)
        try:
            return self._evaluate(self._open(), plans, page, refreshed)
        except BrokenStoreError:
            self.close()
            refreshed = self._refresh(QUERY_WAIT, None, why="The old index was broken.")
            return self._evaluate(self._open(), plans, page, refreshed)

    def _evaluate(
        self,
        state: _State,
        plans: list[Plan],
        page: _Page,
        refreshed: Refreshed,
    ) -> Results:
        masks = state.masks.of(page.filters)
        blocks = state.snapshot.blocks
        found, missing, inside = [], [], []
        for plan in plans:
            matches, within = state.matcher.find(plan, self._verifier(state, plan))
            found.append(matches)
            if not matches:
                missing.append(plan.term.text)
            elif within:
                inside.append(plan.term.text)
        if not plans:
            found = [
                {block: dict.fromkeys(range(rows.count), 1.0) for block, rows in enumerate(blocks)}
            ]
        ranked, total, complete = rank(
            found,
            blocks,
            masks,
            average=state.average,
            order=page.order,
            now=self._clock(),
            wanted=page.limit + page.offset,
        )
        hits = tuple(self._hit(state, item, plans) for item in ranked[page.offset :])
        searched = self._searched(state, refreshed, page.filters)
        searched = replace(searched, missing=tuple(missing), inside=tuple(inside))
        return Results(hits=hits, total=total, complete=complete, searched=searched)

    def _hit(self, state: _State, item: Ranked, plans: list[Plan]) -> Hit:
        rows = state.snapshot.blocks[item.block]
        place = rows.places[rows.place_of[item.entry]]
        kind = rows.kinds[rows.kind_of[item.entry]]
        tail, part = rows.name(item.entry)
        time_ = rows.times[item.entry]
        pointer = Pointer(
            collection=place.collection,
            path=Path(place.path),
            start=rows.starts[item.entry],
            length=rows.sizes[item.entry],
            part=part,
        )
        text = self.text(pointer)
        return Hit(
            ref=place.ref + tail,
            source=kind.source,
            session=place.session,
            agent=place.agent,
            project=place.project,
            role=kind.role,
            tool=kind.tool,
            thread=kind.thread,
            ts=None if time_ != time_ else time_,  # noqa: PLR0124
            score=round(item.score, 4),
            complete=item.complete,
            snippet=make_snippet(text, plans) if text else Snippet(text=""),
            pointer=pointer,
        )

    def text(self, pointer: Pointer) -> str:
        """Return an entry's text from its file; empty when it cannot be read any more."""
        collection = self._collections.get(pointer.collection)
        if collection is None:
            return ""
        with contextlib.suppress(OSError, FieldguideError):
            return collection.text(pointer.path, pointer.start, pointer.length, pointer.part)
        return ""

    def _verifier(self, state: _State, plan: Plan) -> Callable[[int, int, bool], bool]:
        from generator.search.literal import holds

        def verify(block: int, entry: int, inside: bool) -> bool:
            rows = state.snapshot.blocks[block]
            place = rows.places[rows.place_of[entry]]
            pointer = Pointer(
                collection=place.collection,
                path=Path(place.path),
                start=rows.starts[entry],
                length=rows.sizes[entry],
                part=rows.name(entry)[1],
            )
            return holds(self.text(pointer), plan.folded, inside=inside)

        return verify

    def _searched(self, state: _State, refreshed: Refreshed, filters: Filters) -> Searched:
        records = state.manifest.files.values()
        sources: dict[str, int] = {}
        for record in records:
            for source, count in record.sources.items():
                sources[source] = sources.get(source, 0) + count
        oldest = [record.oldest for record in records if record.oldest is not None]
        newest = [record.newest for record in records if record.newest is not None]
        passed = state.masks.passed(state.masks.of(filters))
        emptied_by = state.masks.emptied_by(filters) if not passed else None
        return Searched(
            entries=sum(record.entries for record in records),
            files=len(records),
            sources=dict(sorted(sources.items())),
            oldest=min(oldest, default=None),
            newest=max(newest, default=None),
            passed=passed,
            emptied_by=emptied_by,
            known=state.masks.known(emptied_by) if emptied_by else (),
            stale=refreshed.stale,
            problems=tuple(record.problem for record in records if record.problem),
        )


def _open_state(store: Store) -> _State:
    snapshot = store.snapshot()
    try:
        manifest = Manifest.load(store.folder, snapshot.generation)
    except (ValueError, OSError) as error:
        snapshot.close()
        raise BrokenStoreError(str(error)) from error
    epochs = {key: record.epoch for key, record in manifest.files.items()}
    masks = Masks(snapshot.blocks, epochs)
    return _State(
        store, snapshot, manifest, masks, Matcher(snapshot), average_length(snapshot.blocks)
    )
