"""A collection of JSON Lines files, as simple as a collection can be."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from generator.model.entry import Entry, FileState


class LineCollection:
    """Every ``*.jsonl`` file of a folder; one line holds the fields of one entry."""

    def __init__(self, folder: Path, name: str = "lines") -> None:
        self.name = name
        self.folder = folder
        self.reads: list[tuple[str, int]] = []
        folder.mkdir(parents=True, exist_ok=True)

    def files(self) -> Iterator[FileState]:
        with os.scandir(self.folder) as found:
            for item in sorted(found, key=lambda entry: entry.name):
                if item.name.endswith(".jsonl"):
                    stat = item.stat()
                    yield FileState(
                        path=Path(item.path), size=stat.st_size, mtime_ns=stat.st_mtime_ns
                    )

    def superseded(self, path: Path, start: int, looked: int) -> Sequence[Entry]:
        # A line with a ref that came before replaces the earlier one.
        earlier: dict[str, Entry] = {}
        later = set()
        with path.open("rb") as handle:
            at = 0
            for line in handle:
                if line.endswith(b"\n"):
                    entry = Entry(**{"start": at, "length": len(line)} | json.loads(line))
                    if at < start:
                        earlier[entry.ref] = entry
                    else:
                        later.add(entry.ref)
                at += len(line)
        return [entry for ref, entry in earlier.items() if ref in later]

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        self.reads.append((path.name, start))
        with path.open("rb") as handle:
            handle.seek(start)
            at = start
            for line in handle:
                if line.endswith(b"\n"):
                    yield Entry(**{"start": at, "length": len(line)} | json.loads(line))
                at += len(line)

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        with path.open("rb") as handle:
            handle.seek(start)
            return str(json.loads(handle.read(length))["text"])

    # For tests.

    def write(self, name: str, *entries: dict[str, Any], mode: str = "w") -> Path:
        """Write entries into a file; ref and source are made up where they are missing."""
        path = self.folder / name
        before = len(path.read_text("utf-8").splitlines()) if mode == "a" and path.exists() else 0
        with path.open(mode, encoding="utf-8") as handle:
            for number, entry in enumerate(entries, before + 1):
                made = {"ref": f"conversation:{path.stem}#{number}", "source": "conversation"}
                handle.write(json.dumps(made | entry, ensure_ascii=False) + "\n")
        return path

    def say(self, name: str, *texts: str, mode: str = "w") -> Path:
        """Write entries that have a text only."""
        return self.write(name, *({"text": text} for text in texts), mode=mode)
