"""The folder of the index: stores, one of them in use, and which one that is.

    current         name of the store in use
    lock            held by the one process that writes
    <form>-<name>/  a store with the list of its files

A store of another form, or a broken one, is left as it is while a new one is built beside it, so
that readers that still have it open are not disturbed.
"""

from __future__ import annotations

import contextlib
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from generator.search.blocks import BYTE_ORDER
from generator.search.engine import BrokenStoreError, Snapshot, Store
from generator.search.manifest import Manifest
from generator.search.masks import Masks
from generator.search.matching import Matcher
from generator.search.ranking import average_length
from generator.storage import write_atomic

FORM = f"v3{BYTE_ORDER[0]}"
"""Version of everything that is stored: tokens, blocks, manifest. Change it with any of them."""

_OPEN_TRIES = 20
_OPEN_PAUSE = 0.05


@dataclass(frozen=True, slots=True)
class Opened:
    """One commit of one store, ready to answer."""

    store: Store
    snapshot: Snapshot
    manifest: Manifest
    masks: Masks
    matcher: Matcher
    average: float


class IndexFolder:
    """Finds, opens and replaces stores. Not safe for several threads at once.

    Args:
        root: The folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._opened: Opened | None = None

    @property
    def lock(self) -> Path:
        """The file that a writer holds locked."""
        return self.root / "lock"

    def name(self) -> str | None:
        """Return the name of the store in use, of whatever form; None when there is none."""
        with contextlib.suppress(OSError, ValueError):
            return (self.root / "current").read_text("ascii").strip()
        return None

    def current(self) -> Opened | None:
        """Return the last commit of the store in use; None when there is none that can be used."""
        for attempt in range(_OPEN_TRIES):
            name = self.name()
            if name is None or name.partition("-")[0] != FORM:
                break
            opened = self._opened
            if (
                opened is not None
                and opened.store.folder.name == name
                and opened.store.generation() == opened.snapshot.generation
            ):
                return opened
            self.close()
            store = Store(self.root / name)
            generation = store.generation()
            try:
                self._opened = _open(store)
            except BrokenStoreError:
                # A writer may have committed, or replaced the store, between two reads.
                if (name, generation) == (self.name(), store.generation()) and attempt > 0:
                    break
                time.sleep(_OPEN_PAUSE)
            else:
                return self._opened
        self.close()
        return None

    def why_new(self) -> str:
        """Return why there is no store that can be used, as a sentence."""
        name = self.name()
        if name is None:
            return "There was no index."
        return (
            "The index was broken."
            if name.partition("-")[0] == FORM
            else "The index had another form."
        )

    def create(self) -> Store:
        """Make an empty store that is not in use yet; the caller holds the lock."""
        store = Store(self.root / f"{FORM}-{secrets.token_hex(4)}")
        store.create()
        Manifest().save(store.folder, store.generation())
        return store

    def use(self, store: Store) -> None:
        """Make a store the one in use and remove the others; the caller holds the lock."""
        write_atomic(self.root / "current", store.folder.name + "\n")
        for path in self.root.iterdir():
            if path.is_dir() and path != store.folder:
                shutil.rmtree(path, ignore_errors=True)

    def discard(self, store: Store) -> None:
        """Remove a store that did not come into use."""
        if self.name() != store.folder.name:
            shutil.rmtree(store.folder, ignore_errors=True)

    def close(self) -> None:
        """Let go of open files."""
        if self._opened is not None:
            self._opened.snapshot.close()
            self._opened = None


def _open(store: Store) -> Opened:
    snapshot = store.snapshot()
    try:
        manifest = Manifest.load(store.folder, snapshot.generation)
    except (ValueError, OSError) as error:
        snapshot.close()
        raise BrokenStoreError(str(error)) from error
    return Opened(
        store,
        snapshot,
        manifest,
        Masks(snapshot.blocks, manifest.files),
        Matcher(snapshot),
        average_length(snapshot.blocks),
    )
