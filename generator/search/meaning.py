"""Search by meaning over the newest messages: which are covered, and which are nearest."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from generator.exceptions import StorageError
from generator.search.embedding import Model, windows
from generator.search.index import SearchIndex
from generator.search.results import Filters, Hit
from generator.search.snippet import make_snippet
from generator.search.vectors import VectorFile, digest
from generator.storage import file_lock

if TYPE_CHECKING:
    from numpy.typing import NDArray

COVERED = Filters(sources=("conversation",), roles=("user", "assistant"))
"""What has a meaning: what people and agents said. Calls and their results are data."""

_BATCH = 64
_LOCK_WAIT = 1.0
# The file is written anew when so many of its rows are of no use any more.
_LEAST_DEAD = 4096

_NO_VECTOR = -2.0  # below every cosine

Progress = Callable[[int, int], None]
"""Called with the number of messages embedded and of all that must be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What search by meaning covers.

    Attributes:
        messages: Messages that have vectors.
        wanted: Messages that should have.
        total: Messages in the archive.
        oldest: Time of the oldest message that has one, None when unknown.
        problem: Why the vectors could not be brought up to date, as a sentence.
    """

    messages: int
    wanted: int
    total: int
    oldest: float | None = None
    problem: str | None = None


class Meaning:
    """Finds messages by what they mean.

    Safe to use from several threads. Vectors are kept in one file beside the index; where that
    cannot be written they live as long as this object.

    Args:
        index: Says which messages there are, and reads their texts.
        path: The file of the vectors.
        model: Turns texts into vectors.
        messages: How many of the newest messages are covered.
    """

    def __init__(self, index: SearchIndex, path: Path, model: Model, messages: int) -> None:
        self.index = index
        self._model = model
        self._messages = messages
        self._file = VectorFile(path, model)
        self._lock = threading.RLock()
        self._state: object = None
        self._hits: list[Hit] = []
        self._keys: list[int] = []
        self._total = 0
        self._rows: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._owners: NDArray[np.intp] = np.empty(0, dtype=np.intp)
        self._mean: NDArray[np.float32] = np.zeros(model.dimensions, dtype=np.float32)
        self._lengths: NDArray[np.float32] = np.empty(0, dtype=np.float32)
        self._silent: set[int] = set()
        self._lacking: list[int] = []

    def refresh(self, seconds: float | None, progress: Progress | None = None) -> Covered:
        """Bring the vectors into step with the index, the newest messages first.

        Args:
            seconds: Stop after so long and leave the rest for the next time; None: do all.
            progress: Told how far it is; it may raise to stop, what was done stays.
        """
        with self._lock:
            self._look()
            problem = None
            if self._lacking:
                lock = self._file.path.with_suffix(".lock")
                try:
                    with file_lock(lock, timeout=_LOCK_WAIT):
                        if self._file.load():
                            self._arrange()
                        self._embed(seconds, progress)
                        self._drop_dead()
                except StorageError as error:
                    problem = str(error)
                finally:
                    self._arrange()
            return self._covered(problem)

    def nearest(self, query: str, filters: Filters, limit: int) -> tuple[list[Hit], int]:
        """Return the messages that are nearest in meaning.

        Args:
            query: What is meant, in words.
            filters: Which messages may be hits.
            limit: How many to return.

        Returns:
            The hits, the nearest first, their scores cosines, without snippets; and how many messages the filters
            let through.
        """
        with self._lock:
            if not len(self._rows):
                return [], 0
            passes = _passes(filters)
            near = np.full(len(self._hits), _NO_VECTOR, dtype=np.float32)
            np.maximum.at(near, self._owners, self._likeness(query))
            found: list[Hit] = []
            for at in _falling(near, limit):
                if near[at] == _NO_VECTOR:
                    break
                hit = self._hits[at]
                if passes(hit):
                    found.append(replace(hit, score=round(float(near[at]), 4)))
                    if len(found) == limit:
                        break
            held = np.flatnonzero(near > _NO_VECTOR)
            total = len(held)
            if filters != Filters():
                total = sum(1 for at in held.tolist() if passes(self._hits[at]))
        return found, total

    def _likeness(self, query: str) -> NDArray[np.float32]:
        """Return the cosine of each row with the query, both seen from the middle of all rows.

        Vectors of one archive all lean the same way (what they share is that they are talk about
        work): without that part, what sets them apart decides.
        """
        vector = self._model.embed(windows(query)[:1] or [query])[0] - self._mean
        vector /= max(float(np.linalg.norm(vector)), 1e-6)
        products = self._file.products(self._rows, vector) - float(vector @ self._mean)
        return np.asarray(products / self._lengths, dtype=np.float32)

    def with_snippet(self, hit: Hit) -> Hit:
        """Return a hit that shows how its text begins."""
        return replace(hit, snippet=make_snippet(self.index.text(hit.pointer), []))

    def _look(self) -> None:
        """See which messages there are; nothing is read when the index has not changed."""
        state = self.index.state()
        if state != self._state:
            self._hits, self._total = self.index.newest(COVERED, self._messages)
            self._keys = [
                digest(hit.ref, hit.pointer.path, hit.pointer.start, hit.pointer.length)
                for hit in self._hits
            ]
            self._state = state
            self._file.load()
            self._arrange()
        elif self._file.load():
            self._arrange()

    def _arrange(self) -> None:
        """Note which rows of the file belong to which message, and which messages have none."""
        rows: list[int] = []
        owners: list[int] = []
        self._lacking = []
        for at, key in enumerate(self._keys):
            held = self._file.rows_of(key)
            rows += held
            owners += [at] * len(held)
            if not held and key not in self._silent:
                self._lacking.append(at)
        self._rows = np.array(rows, dtype=np.intp)
        self._owners = np.array(owners, dtype=np.intp)
        self._mean = self._file.mean(self._rows)
        leaning = self._file.products(self._rows, self._mean)
        square = 1 - 2 * leaning + float(self._mean @ self._mean)
        self._lengths = np.sqrt(np.maximum(square, 1e-6))

    def _embed(self, seconds: float | None, progress: Progress | None) -> None:
        """Make the vectors that are missing, in batches that each are written at once."""
        missing = self._lacking
        end = None if seconds is None else time.monotonic() + seconds
        for start in range(0, len(missing), _BATCH):
            if progress:
                progress(start, len(missing))
            self._add(missing[start : start + _BATCH])
            if end is not None and time.monotonic() >= end:
                break

    def _add(self, batch: Sequence[int]) -> None:
        pieces: list[str] = []
        keys: list[int] = []
        texts: list[int] = []
        records: list[NDArray[Any]] = []
        for at in batch:
            key = self._keys[at]
            found = windows(self.index.text(self._hits[at].pointer))
            if not found:
                self._silent.add(key)
            for piece in found:
                text = digest(piece)
                row = self._file.row_of_text(text)
                if row is None:
                    pieces.append(piece)
                    keys.append(key)
                    texts.append(text)
                else:
                    records.append(self._file.copy(row, key))
        if pieces:
            records.append(self._file.make(keys, texts, self._model.embed(pieces)))
        if records:
            self._file.append(np.concatenate(records))

    def _drop_dead(self) -> None:
        live = [row for key in self._keys for row in self._file.rows_of(key)]
        if len(self._file) - len(live) > max(_LEAST_DEAD, len(live)):
            self._file.keep(live)

    def _covered(self, problem: str | None) -> Covered:
        held = sorted(set(self._owners.tolist()))
        times = [self._hits[at].ts for at in held]
        return Covered(
            messages=len(held) + sum(key in self._silent for key in self._keys),
            wanted=len(self._keys),
            total=self._total,
            oldest=min((moment for moment in times if moment is not None), default=None),
            problem=problem,
        )


def _falling(scores: NDArray[np.float32], wanted: int) -> Iterator[int]:
    """Yield positions by falling score; the first ones without sorting the rest."""
    first = min(len(scores), max(200, 8 * wanted))
    if first < len(scores):
        leading = np.argpartition(-scores, first - 1)[:first]
        yield from leading[np.argsort(-scores[leading], kind="stable")].tolist()
        led = set(leading.tolist())
        yield from (at for at in np.argsort(-scores, kind="stable").tolist() if at not in led)
    else:
        yield from np.argsort(-scores, kind="stable").tolist()


def _passes(filters: Filters) -> Callable[[Hit], bool]:
    """Return whether a hit passes the filters, as the index compares them."""
    tests: list[Callable[[Hit], bool]] = []
    for values, field in (
        (filters.sources, "source"),
        (filters.sessions, "session"),
        (filters.agents, "agent"),
        (filters.projects, "project"),
        (filters.roles, "role"),
        (filters.tools, "tool"),
        (filters.threads, "thread"),
    ):
        if values:
            tests.append(_one_of(field, frozenset(value.casefold() for value in values)))
    if filters.not_sessions:
        unwanted = _one_of("session", frozenset(map(str.casefold, filters.not_sessions)))
        tests.append(lambda hit: not unwanted(hit))
    after, before = filters.after, filters.before
    if after is not None:
        tests.append(lambda hit: hit.ts is not None and hit.ts >= after)
    if before is not None:
        tests.append(lambda hit: hit.ts is not None and hit.ts < before)
    return lambda hit: all(test(hit) for test in tests)


def _one_of(field: str, wanted: frozenset[str]) -> Callable[[Hit], bool]:
    return lambda hit: str(getattr(hit, field)).casefold() in wanted
