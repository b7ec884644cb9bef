"""Files behind ``file:`` refs: which may be read, and windows of their text at any size."""

from __future__ import annotations

import codecs
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from generator.confine import resolve_inside
from generator.echo import quoted, shown
from generator.exceptions import NotFoundError, OutsideError, StorageError
from generator.history.intake import source_paths
from generator.history.listing import is_excluded
from generator.recall.days import local
from generator.timestamps import parse_time
from generator.workspace import Workspace

# Settings and credentials are never shown, whatever folder they lie in.
_NEVER = frozenset(
    (
        *("config.json", "credentials.json", "auth.json", "secrets.json", "token.json"),
        *("oauth_creds.json", "settings.json"),
        *("credentials", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "known_hosts"),
    )
)
_NEVER_SUFFIXES = frozenset((".pem", ".key", ".p12", ".pfx", ".keystore", ".kdbx"))
_NEVER_FOLDERS = frozenset(("node_modules", "__pycache__"))

# Up to this size a file is read whole; a larger one is walked through.
_WHOLE_BYTES = 32 * 1024 * 1024
_STEP_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Text that can be read in windows.

    Attributes:
        length: Characters in all; None for a file too large to be counted for each look.
        read: Returns the characters from a start up to an end.
        tail: Returns about so many of the last characters.
    """

    length: int | None
    read: Callable[[int, int], str]
    tail: Callable[[int], str]


def text_passage(text: str) -> Passage:
    """Make a passage of a text in memory."""
    return Passage(
        length=len(text),
        read=lambda start, end: text[start:end],
        tail=lambda count: text[max(0, len(text) - count) :],
    )


def roots(workspace: Workspace) -> list[Path]:
    """Return what a ``file:`` ref may reach: the home, then each registered source."""
    return [workspace.home.root, *source_paths(workspace)]


def allowed_file(name: str, workspace: Workspace) -> Path | None:
    """Find the file a caller named.

    Args:
        name: A path, absolute or relative to the home or to a registered source.
        workspace: Gives the home and the sources.

    Returns:
        The file with all links followed; None when there is no such file.

    Raises:
        OutsideError: The path leads out of the home and the sources, or to settings,
            credentials, a dot-folder or node_modules.
    """
    allowed = roots(workspace)
    outside: OutsideError | None = None
    for root in allowed:
        try:
            real = resolve_inside(name, base=root, roots=allowed)
        except OutsideError as error:
            outside = outside or error
            continue
        home = next(item for item in map(Path.resolve, allowed) if real.is_relative_to(item))
        excluded = is_excluded(str(real), str(home), workspace.settings.exclude)
        if excluded or _is_never_shown(real.relative_to(home).parts, real, home):
            raise OutsideError(
                f"{quoted(name)} is never shown: settings, credentials, dot-folders, node_modules "
                "and what 'exclude' names stay closed.",
                hint="Name another file.",
            )
        if real.exists():
            return real
    if outside is not None:
        raise outside
    return None


def _is_never_shown(parts: tuple[str, ...], real: Path, root: Path) -> bool:
    from generator.history.importers.wolffish import is_closed

    name = real.name.lower()
    workspaces = [
        folder
        for folder in (root, *(root.joinpath(*parts[:end]) for end in range(1, len(parts))))
        if (folder / "brain").is_dir()
    ]
    if any(is_closed(real.relative_to(folder).as_posix()) for folder in workspaces):
        return True
    return (
        any(part.startswith(".") or part.lower() in _NEVER_FOLDERS for part in parts)
        or name in _NEVER
        or name.startswith(".env")
        or real.suffix.lower() in _NEVER_SUFFIXES
    )


def file_passage(path: Path, workspace: Workspace) -> Passage:
    """Open a file as text; what is no text is told by name, size and time.

    Raises:
        NotFoundError: It is a folder or something else that is no file.
        StorageError: It cannot be read.
    """
    try:
        state = path.stat()
        if stat.S_ISDIR(state.st_mode):
            names = sorted(item.name for item in path.iterdir() if not item.name.startswith("."))
            raise NotFoundError(
                f"{quoted(path.name)} is a folder.",
                hint=f"It holds: {shown(', '.join(names), 500) or 'nothing'}.",
            )
        if not stat.S_ISREG(state.st_mode):
            raise NotFoundError(f"{quoted(path.name)} is no file.")
        with path.open("rb") as handle:
            if b"\0" in handle.read(8192):
                when = local(parse_time(state.st_mtime, workspace.zone), workspace)
                return text_passage(
                    f"{path.name}: a binary file of {state.st_size} bytes, changed {when}; its "
                    "content is not shown."
                )
        if state.st_size <= _WHOLE_BYTES:
            return text_passage(path.read_bytes().decode("utf-8-sig", errors="replace"))
    except OSError as error:
        raise StorageError(f"{path} could not be read: {error.strerror}.") from error
    return Passage(
        length=None,
        read=lambda start, end: _walk(path, start, end),
        tail=lambda count: _last(path, count),
    )


def _walk(path: Path, start: int, end: int) -> str:
    """Decode a file from its beginning and keep one window of characters."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
    kept: list[str] = []
    at = 0
    with path.open("rb") as handle:
        while at < end and (data := handle.read(_STEP_BYTES)):
            text = decoder.decode(data)
            kept.append(text[max(0, start - at) : max(0, end - at)])
            at += len(text)
    return "".join(kept)


def _last(path: Path, count: int) -> str:
    with path.open("rb") as handle:
        handle.seek(-count * 4, 2)
        return handle.read().decode("utf-8", errors="replace")[-count:]
