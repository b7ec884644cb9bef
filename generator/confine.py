"""Is this path allowed? The one gate for every path that a caller names."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from generator.echo import quoted
from generator.exceptions import OutsideError


def is_inside(path: Path, roots: Iterable[Path]) -> bool:
    """Tell whether a path, with all links followed, lies in one of the roots.

    Args:
        path: The path to judge; it need not exist.
        roots: Folders that may be touched.
    """
    real = path.resolve()
    return any(real.is_relative_to(root.resolve()) for root in roots)


def resolve_inside(path: str | Path, *, base: Path, roots: Iterable[Path]) -> Path:
    """Resolve a path that a caller named, refusing everything that leads out.

    Args:
        path: The name as given: relative to ``base``, or absolute.
        base: The folder that relative names start from.
        roots: Folders that may be touched.

    Returns:
        The path with all links followed.

    Raises:
        OutsideError: The path leads out (by ``..``, an absolute name or a link), or is no path.
    """
    try:
        real = (base / path).resolve()
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            real.lstat()  # a name the system refuses (too long, a ring of links) shows here
    except (OSError, ValueError, RuntimeError) as error:
        raise OutsideError(f"{quoted(path, 300)} is not a usable path.") from error
    if not is_inside(real, roots):
        raise OutsideError(
            f"{quoted(path, 300)} leads out of the folders Fieldguide may touch.",
            hint="Name a file inside the home folder or a registered source.",
        )
    return real
