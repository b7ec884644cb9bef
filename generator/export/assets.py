"""Styles, scripts and figures that pages need, copied as they are."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from generator.export.outputs import Output, digest, sha256
from generator.paths import shipped

_FIGURES = (".svg", ".png", ".jpg", ".jpeg", ".webp", ".gif")


def outputs(user_guides: Path) -> Iterator[Output]:
    """Yield the site's assets, and the figures that stand beside guides.

    Args:
        user_guides: The user's guides; their figures replace shipped ones of the same name.
    """
    found = dict(_files(shipped("templates") / "assets", "assets"))
    for folder in (shipped("guides"), user_guides):
        found.update(_files(folder, "guides", only=_FIGURES))
    for name, path in sorted(found.items()):
        data = path.read_bytes()
        yield Output(name, digest(name, sha256(data)), _constant(data))
    # GitHub Pages leaves out .well-known unless this file says that nothing is to be processed.
    yield Output(".nojekyll", "", _constant(b""))


def _constant(data: bytes) -> Callable[[], bytes]:
    return lambda: data


def _files(folder: Path, under: str, *, only: tuple[str, ...] = ()) -> Iterator[tuple[str, Path]]:
    """Yield the plain files of a folder with the path they get; hidden ones and links are left out.

    Args:
        folder: The folder; it need not exist.
        under: The folder of the site they go to.
        only: Endings that are wanted, in small letters; empty for all.
    """
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.startswith(".") or (only and not name.lower().endswith(only)):
                continue
            path = Path(place, name)
            if path.is_file() and not path.is_symlink():
                yield "/".join((under, *path.relative_to(folder).parts)), path
