"""What the index holds of saved reports: one entry each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from generator.echo import quoted
from generator.exceptions import NotFoundError
from generator.markup.page_text import page_text
from generator.model.entry import Entry, FileState

_NAME = re.compile(r"report-[0-9]{8}-[0-9]{6}(?:-[0-9]+)?\.(?:md|html)")
# A page may carry megabytes of data and libraries; what people read stands before them.
_READ_BYTES = 4 * 1024 * 1024


class ReportsCollection:
    """Supplies the saved reports to the index.

    Args:
        folder: The output folder. Only files named as reports are looked at.
    """

    name = "reports"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def files(self) -> Iterator[FileState]:
        """Yield every saved report."""
        try:
            with os.scandir(self._folder) as listed:
                found = sorted(
                    (entry for entry in listed if _NAME.fullmatch(entry.name)),
                    key=lambda entry: entry.name,
                )
        except OSError:
            return
        for entry in found:
            if entry.is_file(follow_symlinks=False):
                state = entry.stat(follow_symlinks=False)
                yield FileState(
                    path=Path(entry.path), size=state.st_size, mtime_ns=state.st_mtime_ns
                )

    def superseded(self, path: Path, start: int, looked: int) -> None:
        """A report is written once, so a change means reading it anew."""
        return

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        """Yield the entry of one report."""
        state = path.stat()
        yield Entry(
            ref=f"report:{path.name}",
            source="report",
            text=self.text(path, 0, state.st_size, ""),
            length=state.st_size,
            ts=state.st_mtime,
        )

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        """Return the text of a report again: of a page, what its readers see."""
        with path.open("rb") as handle:
            text = handle.read(_READ_BYTES).decode("utf-8-sig", errors="replace")
        return page_text(text) if path.suffix == ".html" else text


def find_report(folder: Path, name: str) -> Path:
    """Find a saved report by its file name, with or without its suffix.

    Args:
        folder: The output folder.
        name: The name.

    Raises:
        NotFoundError: There is no such report.
    """
    plain = name.strip()
    for candidate in (plain, f"{plain}.html", f"{plain}.md"):
        path = folder / candidate
        if _NAME.fullmatch(candidate) and path.is_file() and not path.is_symlink():
            return path
    raise NotFoundError(
        f"There is no report {quoted(plain)} in {folder}.",
        hint="Find it with memory_search(sources='report').",
    )
