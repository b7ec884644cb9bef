"""Sites built on the spot, from guides of the test's own or from the shipped ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.export.build import Builder, BuildReport
from generator.workspace import Workspace

FRONT = "---\ntitle: {title}\nsummary: Read `{topic}` first.\nsince: 0.1.0\n{more}---\n\n"


@pytest.fixture
def build(workspace: Workspace, tmp_path: Path) -> Callable[..., BuildReport]:
    """Build into ``tmp_path / "site"`` as the command does, each time in a new builder."""

    def run(out: Path | None = None) -> BuildReport:
        return Builder(workspace, out or tmp_path / "site").build()

    return run


@pytest.fixture
def own_guides(workspace: Workspace, tmp_path: Path, monkeypatch) -> Callable[..., Path]:
    """Replace the shipped guides by those the test writes: ``own_guides("one", "## A\n")``."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    import generator.export.build as module

    real = module.shipped
    monkeypatch.setattr(module, "shipped", lambda name: folder if name == "guides" else real(name))

    def write(topic: str, body: str = "## Rule\n\nDo it.\n", more: str = "") -> Path:
        path = folder / f"{topic}.md"
        front = FRONT.format(title=topic.title(), topic=topic, more=more)
        path.write_text(front + body, encoding="utf-8")
        return path

    return write


def files_of(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder by its relative name."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def snapshot() -> Callable[[Path], dict[str, bytes]]:
    """Read a folder whole."""
    return files_of
