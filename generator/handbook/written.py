"""The pages that are written by hand: Markdown files with front matter under ``pages/``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from generator.markup.front_matter import split_front_matter
from generator.model.reference import ReferencePage

FOLDER = Path(__file__).parent / "pages"

# kind: its pages, in the order in which they are read; a test fails when a file is missing here.
PAGES: dict[str, tuple[str, ...]] = {
    "start": ("mcp-clients", "checks-in-ci", "python"),
    "extend": (
        "canonical-format",
        "add-a-guide",
        "add-a-tool",
        "add-a-rule",
        "add-an-importer",
        "add-a-catalog",
        "add-a-translation",
    ),
}


def written_pages() -> Iterator[ReferencePage]:
    """Make the written pages, in reading order."""
    for kind, name in ((kind, name) for kind, names in PAGES.items() for name in names):
        front = split_front_matter((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
        yield ReferencePage(
            kind=kind,
            name=name,
            title=str(front.values["title"]),
            summary=str(front.values["summary"]),
            markdown=front.body.strip("\n") + "\n",
        )
