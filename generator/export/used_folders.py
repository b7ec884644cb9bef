"""Folders that an export must not go to, because something else lives there."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import generator
from generator.exceptions import UsageError
from generator.history.intake import source_paths
from generator.paths import shipped
from generator.reports.destination import output_folder
from generator.workspace import Workspace


def refuse_used(root: Path, names: Iterable[str], workspace: Workspace) -> None:
    """Refuse a folder whose files would come to stand among those of something else.

    Args:
        root: Where the export goes, with links followed.
        names: The files of the export.
        workspace: Whose home is in use.

    Raises:
        UsageError: It is the root of the disk or the user's own folder, or the export would
            write into the home's data, saved reports, sources of history, or what the site is
            made from.
    """
    if root == Path(root.anchor):
        raise _refused(root, "is the root of the disk")
    if root == _real(Path("~").expanduser()):
        raise _refused(root, "holds everything of yours")
    tops = {name.partition("/")[0] for name in names}
    for folder, holds in _used(workspace):
        used = _real(folder)
        # Above a folder in use it matters only whether a folder of the export is on the way to it.
        above = used.is_relative_to(root) and used != root
        if root.is_relative_to(used) or (above and used.relative_to(root).parts[0] in tops):
            raise _refused(root, f"would mix with {used}, which holds {holds}")
    if root == _real(output_folder(workspace)):
        raise _refused(root, "holds your reports")


def _used(workspace: Workspace) -> Iterator[tuple[Path, str]]:
    home = workspace.home
    yield shipped("guides"), "the guides that ship with Fieldguide"
    yield shipped("templates"), "the templates of the site"
    yield Path(generator.__file__).parent, "Fieldguide itself"
    yield home.guides, "your guides"
    yield home.catalogs, "your catalogs"
    yield home.history, "your history"
    yield home.errors, "your error records"
    yield home.knowledge, "your facts"
    yield home.notes, "your notes"
    yield home.index, "the index"
    for source in source_paths(workspace):
        yield source, "history that is taken from there"


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _refused(root: Path, why: str) -> UsageError:
    return UsageError(
        f"An export cannot go to {root}: it {why}. Nothing was written.",
        hint="Name a folder of its own with --out, such as ./site.",
    )
