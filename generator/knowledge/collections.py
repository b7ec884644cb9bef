"""What the index holds of facts and notes."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, time
from pathlib import Path

from generator.exceptions import NotFoundError
from generator.knowledge.fact_file import Fact, parse_facts
from generator.model.entry import Entry, FileState
from generator.paths import Home


class FactsCollection:
    """Supplies the facts to the index, an entry each.

    Args:
        home: The folder with the user's data.
    """

    name = "knowledge"

    def __init__(self, home: Home) -> None:
        self._folder = home.knowledge

    def files(self) -> Iterator[FileState]:
        """Yield every file of facts."""
        yield from _markdown(self._folder)

    def superseded(self, path: Path, start: int, looked: int) -> None:
        """People edit these files anywhere, so a change means reading them anew."""
        return

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        """Yield an entry for each fact of a file."""
        written = path.stat().st_mtime
        seen: set[str] = set()
        for fact in parse_facts(path.read_bytes(), path)[0]:
            if fact.id not in seen:
                seen.add(fact.id)
                yield Entry(
                    ref=fact.ref,
                    source="knowledge",
                    text=fact.text,
                    start=fact.start,
                    length=fact.length,
                    part=fact.id,
                    ts=_saved(fact) or written,
                )

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        """Return the text of a fact again.

        Raises:
            NotFoundError: It does not stand there any more.
        """
        with path.open("rb") as handle:
            handle.seek(start)
            facts, _ = parse_facts(handle.read(length), path)
        for fact in facts:
            if fact.id == part:
                return fact.text
        raise NotFoundError(f"The fact {part} does not stand in {path} any more.")


class NotesCollection:
    """Supplies the notes to the index, an entry each.

    Args:
        home: The folder with the user's data.
    """

    name = "notes"

    def __init__(self, home: Home) -> None:
        self._folder = home.notes

    def files(self) -> Iterator[FileState]:
        """Yield every note's file."""
        yield from _markdown(self._folder)

    def superseded(self, path: Path, start: int, looked: int) -> None:
        """A note is written whole, so a change means reading it anew."""
        return

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        """Yield the entry of one note: its name and its text."""
        name = unicodedata.normalize("NFC", path.stem)
        state = path.stat()
        yield Entry(
            ref=f"note:{name}",
            source="note",
            text=self.text(path, 0, state.st_size, ""),
            length=state.st_size,
            ts=state.st_mtime,
        )

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        """Return the name and the text of a note again."""
        name = unicodedata.normalize("NFC", path.stem)
        return f"{name}\n{path.read_bytes().decode('utf-8-sig', errors='replace')}"


def _saved(fact: Fact) -> float | None:
    # A day has no zone of its own; its noon in UTC lies in that day nearly everywhere.
    return datetime.combine(fact.saved, time(12), UTC).timestamp() if fact.saved else None


def _markdown(folder: Path) -> Iterator[FileState]:
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        # A link may lead out of the home.
        plain = entry.name[0] != "." and entry.is_file(follow_symlinks=False)
        if plain and entry.name.endswith(".md"):
            state = entry.stat()
            yield FileState(path=Path(entry.path), size=state.st_size, mtime_ns=state.st_mtime_ns)
