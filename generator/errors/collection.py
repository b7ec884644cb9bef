"""What the index holds of the error records: one entry each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from generator.errors.records import read_record
from generator.exceptions import NotFoundError
from generator.model.entry import Entry, FileState
from generator.paths import Home


class ErrorsCollection:
    """Supplies the error records to the index.

    Args:
        home: The folder with the user's data.
    """

    name = "errors"

    def __init__(self, home: Home) -> None:
        self._folder = home.errors

    def files(self) -> Iterator[FileState]:
        """Yield every record's file."""
        try:
            with os.scandir(self._folder) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            return
        for entry in entries:
            # A link may lead out of the home.
            plain = entry.name[0] != "." and entry.is_file(follow_symlinks=False)
            if plain and entry.name.endswith(".json"):
                state = entry.stat()
                yield FileState(
                    path=Path(entry.path), size=state.st_size, mtime_ns=state.st_mtime_ns
                )

    def superseded(self, path: Path, start: int, looked: int) -> None:
        """A record is written whole, so a change means reading it anew."""
        return

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        """Yield the entry of one record; a broken file has none."""
        from generator.errors.lookup import index_text

        failure, _ = read_record(path)
        if failure is not None:
            yield Entry(
                ref=f"error:{failure.hash}",
                source="error",
                text=index_text(failure),
                length=path.stat().st_size,
                tool=failure.tool_name,
                ts=failure.recorded_at.timestamp(),
            )

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        """Return the text of a record again.

        Raises:
            NotFoundError: The record is gone or broken.
        """
        from generator.errors.lookup import index_text

        failure, problem = read_record(path)
        if failure is None:
            raise NotFoundError(f"There is no error record any more: {problem}")
        return index_text(failure)
