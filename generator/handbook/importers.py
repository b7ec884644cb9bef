"""A page for each importer, from its module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from generator.handbook.text import body, first_line, plain
from generator.model.reference import ReferencePage


def importer_pages() -> Iterator[ReferencePage]:
    """Make a page for each format that history is read from."""
    from generator.history.importers import IMPORTERS

    for importer in IMPORTERS:
        docstring = cast("Any", importer).__doc__
        rest = plain(docstring).partition("\n\n")[2]
        yield ReferencePage(
            kind="importers",
            name=importer.FORMAT,
            title=importer.FORMAT,
            summary=first_line(docstring),
            # Where the docstring has no more to say than its summary.
            markdown=body(
                rest
                or "`fieldguide history add PATH` takes it in. Files are known by what is in them, whatever their names."
            ),
        )
