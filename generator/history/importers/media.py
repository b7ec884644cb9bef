"""Media files that an account export holds beside its conversations, in its ZIP or its folder.

A conversation names a file by an id; the export holds it as ``<id>-<name>``, ``<id>.png`` or
``<id>.dat``, at the top or one folder down (``dalle-generations/``, ``user-.../``).
"""

from __future__ import annotations

import os
import re
import zipfile
from pathlib import Path

from generator import limits
from generator.history.images import Images, Loader
from generator.history.importers.sniffing import container
from generator.model.session import Attachment

_FILES_MAX = 100_000
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{5,100}\Z")


class Media:
    """The files beside one export, listed when the first is asked for.

    Args:
        path: The export: a ZIP, or the file with the conversations.
        images: Takes the images that are asked for.
    """

    def __init__(self, path: Path, images: Images) -> None:
        self._path = path
        self._images = images
        self._listed: dict[str, tuple[int, Loader]] | None = None

    def attachment(
        self, pointer: str, name: str, kind: str | None = None, size: int | None = None
    ) -> Attachment:
        """Return an attachment; its image is kept when the export holds it.

        Args:
            pointer: Its id, or an address that ends in it (``file-service://file-abc``).
            name: File name, or what the agent calls it.
            kind: Media type or kind, when known.
            size: Bytes, as the conversation says.
        """
        found = self._find(pointer.rpartition("/")[2].partition("#")[0])
        file = self._images.of_file(*found) if found else None
        held = found[0] if found else size
        return Attachment(name=name, kind=kind, size=held, file=file)

    def _find(self, wanted: str) -> tuple[int, Loader] | None:
        if not _ID.match(wanted):
            return None
        if self._listed is None:
            self._listed = self._list()
        found = self._listed.get(wanted)
        if found is None:
            # "file-abc" is held as "file-abc-photo.png", or as "file-abc.dat".
            found = next(
                (
                    entry
                    for name, entry in self._listed.items()
                    if name.startswith((f"{wanted}-", f"{wanted}.", f"{wanted}_"))
                ),
                None,
            )
            if found is not None:
                self._listed[wanted] = found
        return found

    def _list(self) -> dict[str, tuple[int, Loader]]:
        try:
            if container(self._path) == "zip":
                return self._in_zip()
            return self._in_folder(self._path.parent)
        except (OSError, zipfile.BadZipFile):
            return {}

    def _in_zip(self) -> dict[str, tuple[int, Loader]]:
        with zipfile.ZipFile(self._path) as archive:
            return {
                info.filename.rpartition("/")[2]: (info.file_size, self._member(info.filename))
                for info in archive.infolist()
                if not info.is_dir() and not info.flag_bits & 0x1
            }

    def _member(self, name: str) -> Loader:
        def load() -> bytes:
            with zipfile.ZipFile(self._path) as archive, archive.open(name) as member:
                # The size that the ZIP states may be a lie.
                return member.read(limits.IMAGE_BYTES_MAX + 1)

        return load

    def _in_folder(self, folder: Path, *, deeper: bool = True) -> dict[str, tuple[int, Loader]]:
        found: dict[str, tuple[int, Loader]] = {}
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name)[:_FILES_MAX]:
                if entry.name.startswith(".") or entry.is_symlink():
                    continue
                path = Path(entry.path)
                if entry.is_file():
                    found.setdefault(entry.name, (entry.stat().st_size, path.read_bytes))
                elif deeper and entry.is_dir():
                    for name, held in self._in_folder(path, deeper=False).items():
                        found.setdefault(name, held)
        return found
