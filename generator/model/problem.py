"""A user's file that could not be read, or not all of it: reported, while the others still work."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    """One thing wrong with one file.

    Attributes:
        path: The file.
        line: Line counted from 1; 0 when it is about the whole file.
        message: What is wrong and what to do, as a sentence.
    """

    path: Path
    line: int
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else str(self.path)
        return f"{place}: {self.message}"
