"""Guides written on the spot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

FRONT = "---\ntitle: {title}\nsummary: Read it first.\nsince: 0.1.0\n{more}---\n\n"


@pytest.fixture
def write_guide() -> Callable[..., Path]:
    """Write a guide with sound front matter: ``write_guide(folder, "one", "## A\n")``."""

    def write(folder: Path, topic: str, body: str = "## Rule\n\nDo it.\n", more: str = "") -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{topic}.md"
        path.write_text(FRONT.format(title=topic.title(), more=more) + body, encoding="utf-8")
        return path

    return write
