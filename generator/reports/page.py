"""What the rules are given: one page, its scripts and what they do, worked out on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from generator.reports.document import Document
from generator.settings import ReportSettings


@dataclass(eq=False)
class Page:
    """One page under judgement.

    Attributes:
        document: The parsed page.
        settings: The report settings.
        memory: Folder that remembers large scripts by hash between processes, None for none.
    """

    document: Document
    settings: ReportSettings
    memory: Path | None = None

    @cached_property
    def source(self) -> str:
        """The page's text, as offsets count it."""
        return self.document.source
