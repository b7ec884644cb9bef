"""The folder an export goes to: written whole or not at all, foreign files never touched.

New files are staged in a folder inside the target and moved into place once all of them could be
written. A manifest names what an export wrote, so that the next one removes what it no longer
makes and refuses to overwrite what it never made.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path

from generator.exceptions import StorageError
from generator.export.outputs import sha256

MANIFEST = ".fieldguide-export.json"
_STAGING = ".fieldguide-staging-"


class Target:
    """The folder of an export.

    Args:
        root: The folder; it need not exist.
    """

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.realpath(root))
        self.written: dict[str, str] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read again what exports wrote there; another process may have built meanwhile."""
        self.written = _read_manifest(self.root / MANIFEST)

    def place(self, name: str) -> Path:
        """Return the path of a file of the export."""
        return self.root.joinpath(*name.split("/"))

    def read(self, name: str) -> bytes | None:
        """Return the bytes that stand there now; None when there is no such file."""
        try:
            return self.place(name).read_bytes()
        except OSError:
            return None

    def check_room(self, names: Iterable[str]) -> None:
        """Refuse before anything is written when the export would hurt something.

        Raises:
            StorageError: A file or folder of someone else stands where the export goes, a link
                leads out of the folder, or it cannot be written.
        """
        if not self.root.exists():
            return
        if not self.root.is_dir():
            raise StorageError(f"{self.root} is a file.", hint="Name a folder with --out.")
        folders: set[Path] = set()
        for name in names:
            path = self.place(name)
            folders.add(path.parent)
            foreign = name not in self.written and os.path.lexists(path)
            if foreign or path.is_dir():
                raise StorageError(
                    f"{path} is there already and no export wrote it; nothing was changed.",
                    hint="Choose another folder with --out, or move it away.",
                )
        for folder in folders:
            self._check_folder(folder)

    def _check_folder(self, folder: Path) -> None:
        while not os.path.lexists(folder):
            folder = folder.parent
        if not Path(os.path.realpath(folder)).is_relative_to(self.root) or not folder.is_dir():
            raise StorageError(
                f"{folder} leads out of {self.root} or is no folder; nothing was changed.",
                hint="Choose another folder with --out, or remove it.",
            )
        if not os.access(folder, os.W_OK | os.X_OK):
            raise StorageError(
                f"{folder} cannot be written; nothing was changed.",
                hint="Check its permissions, or choose another folder with --out.",
            )

    @contextlib.contextmanager
    def staging(self) -> Iterator[Staging]:
        """Open a staging folder; it is gone when the block ends, whatever happened."""
        created = not self.root.exists()
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            for left in self.root.glob(f"{_STAGING}*"):
                shutil.rmtree(left, ignore_errors=True)  # of an export that was killed
            folder = self.root / f"{_STAGING}{secrets.token_hex(6)}"
            folder.mkdir()
        except OSError as error:
            raise _explain(self.root, error) from error
        try:
            yield Staging(self, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            if created:
                with contextlib.suppress(OSError):
                    self.root.rmdir()  # only when nothing came to stand in it


class Staging:
    """Files on their way into a target."""

    def __init__(self, target: Target, folder: Path) -> None:
        self._target = target
        self._folder = folder
        self._names: list[str] = []

    def add(self, name: str, data: bytes) -> None:
        """Write one file to the side.

        Raises:
            StorageError: It cannot be written; the target is as it was.
        """
        path = self._folder / str(len(self._names))
        try:
            path.write_bytes(data)
        except OSError as error:
            raise _explain(self._target.place(name), error) from error
        self._names.append(name)

    def commit(self, files: Mapping[str, str]) -> list[str]:
        """Move everything into place and remove what an earlier export wrote and this does not.

        Args:
            files: SHA-256 of every file of this export, staged or unchanged.

        Returns:
            The files that were removed. A file that someone changed since stays.

        Raises:
            StorageError: A file cannot be moved.
        """
        target = self._target
        try:
            # Until all is in place the manifest names both exports: a run that is killed here
            # leaves files that the next one knows as its own.
            if not files.keys() <= target.written.keys():
                self._write_manifest({**target.written, **files})
            for number, name in enumerate(self._names):
                path = target.place(name)
                path.parent.mkdir(parents=True, exist_ok=True)
                (self._folder / str(number)).replace(path)
            removed = [name for name in target.written if name not in files and self._remove(name)]
            self._write_manifest(files)
        except OSError as error:
            raise _explain(target.root, error) from error
        target.written = dict(files)
        return removed

    def _remove(self, name: str) -> bool:
        target = self._target
        path = target.place(name)
        data = target.read(name)
        inside = Path(os.path.realpath(path.parent)).is_relative_to(target.root)
        if data is None or not inside or sha256(data) != target.written[name]:
            return False
        path.unlink()
        folder = path.parent
        while folder != target.root and not any(folder.iterdir()):
            folder.rmdir()
            folder = folder.parent
        return True

    def _write_manifest(self, files: Mapping[str, str]) -> None:
        data = manifest_bytes(files)
        if self._target.read(MANIFEST) == data:
            return
        staged = self._folder / "manifest"
        staged.write_bytes(data)
        staged.replace(self._target.root / MANIFEST)


def manifest_bytes(files: Mapping[str, str]) -> bytes:
    """Return the manifest of an export: every file with its SHA-256, sorted."""
    rows = ",\n".join(f'{quoted(name)}: "{files[name]}"' for name in sorted(files))
    return f'{{"files": {{\n{rows}\n}}}}\n'.encode()


def _read_manifest(path: Path) -> dict[str, str]:
    try:
        raw = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    files = raw.get("files") if isinstance(raw, dict) else None
    if not isinstance(files, dict):
        return {}
    return {
        name: value
        for name, value in files.items()
        if isinstance(value, str) and ".." not in name.split("/") and not name.startswith("/")
    }


def _explain(path: Path, error: OSError) -> StorageError:
    return StorageError(
        f"{path} could not be written: {error.strerror or error}; the export was not changed.",
        hint="Check that the folder is writable and has space left, or choose another with --out.",
    )
