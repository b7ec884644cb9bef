"""Where reports go and what they are called.

The folder is ``output_dir`` of config.json, else ``~/Downloads`` when it exists, else
``download/`` in the home. A relative ``output_dir`` starts at the home, where config.json
stands: a server's working folder is nobody's choice.
"""

from __future__ import annotations

from pathlib import Path

from generator.exceptions import StorageError
from generator.storage import create_exclusive
from generator.workspace import Workspace


def output_folder(workspace: Workspace) -> Path:
    """Return the folder that reports are saved in, absolute; it need not exist.

    Raises:
        SettingsError: config.json holds something wrong.
    """
    configured = workspace.settings.output_dir
    if configured:
        return workspace.home.root / _expand(configured, workspace)
    downloads = _user_folder(workspace) / "Downloads"
    return downloads if downloads.is_dir() else workspace.home.download


def save_new(folder: Path, data: bytes, *, suffix: str, workspace: Workspace) -> Path:
    """Write a report under the first free name of this second.

    Args:
        folder: The output folder; it is made when missing.
        data: The whole file.
        suffix: ``md`` or ``html``.
        workspace: Supplies the clock and the zone that names are in.

    Returns:
        The file that was made: ``report-YYYYMMDD-HHMMSS`` with ``-2``, ``-3``, ... when taken.

    Raises:
        StorageError: The folder or the file cannot be written; nothing is left behind.
    """
    if folder.exists() and not folder.is_dir():
        raise StorageError(
            f"{folder} is a file, so no report can be saved in it.",
            hint="Name a folder with 'fieldguide config set output_dir FOLDER'.",
        )
    stem = workspace.now().strftime("report-%Y%m%d-%H%M%S")
    number = 1
    while True:
        name = f"{stem}.{suffix}" if number == 1 else f"{stem}-{number}.{suffix}"
        # The name is looked at first so that a full folder costs no write for each taken name.
        if not _is_taken(folder / name) and create_exclusive(folder / name, data):
            return folder / name
        number += 1


def _is_taken(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _expand(configured: str, workspace: Workspace) -> Path:
    if configured == "~" or configured.startswith(("~/", "~\\")):
        return _user_folder(workspace) / configured[2:]
    return Path(configured).expanduser()


def _user_folder(workspace: Workspace) -> Path:
    named = workspace.environ.get("HOME") or workspace.environ.get("USERPROFILE")
    return Path(named) if named else Path.home()
