"""Where things are: what ships with the package, and the folder that holds a user's data."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def shipped(folder: str) -> Path:
    """Return a folder that ships with the package.

    Args:
        folder: ``guides`` or ``templates``.

    Returns:
        The copy inside the installed wheel, else the folder beside the package in a checkout.
    """
    bundled = _PACKAGE / "_data" / folder
    return bundled if bundled.is_dir() else _PACKAGE.parent / folder


@dataclass(frozen=True, slots=True)
class Home:
    """The folder with a user's data (specification section 1).

    Attributes:
        root: The folder itself. It need not exist: reading commands treat it as empty, and the
            first write makes it.
    """

    root: Path

    @property
    def config(self) -> Path:
        """Settings, as JSON."""
        return self.root / "config.json"

    @property
    def guides(self) -> Path:
        """The user's own topics; a file here overrides the shipped topic of that name."""
        return self.root / "guides"

    @property
    def catalogs(self) -> Path:
        """The user's own tool catalogs."""
        return self.root / "catalogs"

    @property
    def texts(self) -> Path:
        """The user's own words for the site's interface, one TOML file a language."""
        return self.root / "texts"

    @property
    def history(self) -> Path:
        """Exported history: canonical JSON Lines, one file a session."""
        return self.root / "history"

    @property
    def errors(self) -> Path:
        """Error records, one JSON file each."""
        return self.root / "errors"

    @property
    def knowledge(self) -> Path:
        """Facts, one Markdown file a type."""
        return self.root / "knowledge"

    @property
    def notes(self) -> Path:
        """Operator notes, one Markdown file each."""
        return self.root / "notes"

    @property
    def index(self) -> Path:
        """The index: a cache, always rebuildable from the files beside it."""
        return self.root / "index"

    @property
    def download(self) -> Path:
        """Where reports go when nothing better is configured."""
        return self.root / "download"


def find_home(explicit: str | os.PathLike[str] | None, environ: Mapping[str, str]) -> Home:
    """Decide which folder holds the user's data.

    Args:
        explicit: The ``--home`` option, which wins.
        environ: The environment; ``FIELDGUIDE_HOME`` is read when no option is given.

    Returns:
        The home, absolute, with ``~`` expanded; ``~/.config/fieldguide`` when nothing is set.
    """
    chosen = explicit or environ.get("FIELDGUIDE_HOME") or "~/.config/fieldguide"
    return Home(Path(chosen).expanduser().absolute())
