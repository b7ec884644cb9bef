"""What a saved report leaves behind for its author."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

ReportFormat = Literal["md", "html"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """One saved report.

    Attributes:
        path: The file, absolute.
        format: ``md`` or ``html``.
        bytes: Its size on disk.
        sha256: Digest of the bytes on disk.
        title: Its title, None when it has none.
        warnings: Sentences about what the author should know; none of them stopped the save.
        inlined: Names of the shipped runtimes that were put into the page.
    """

    path: Path
    format: ReportFormat
    bytes: int
    sha256: str
    title: str | None
    warnings: tuple[str, ...] = ()
    inlined: tuple[str, ...] = ()
