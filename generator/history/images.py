"""Images of sessions: each kept once, named by its content, below ``history/images/``.

Layout: ``images/<first two hex digits>/<sha-256>.<ending>``. A record names the image by what
stands behind ``images/`` (:attr:`generator.model.session.Attachment.file`). Only kinds that the
bytes themselves prove are kept, so a name never hides a script or a page.
"""

from __future__ import annotations

import binascii
import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from generator import limits
from generator.counting import counted
from generator.exceptions import RecordError, StorageError
from generator.history.archive import IMAGES, Archive
from generator.history.canonical import Record, decode
from generator.model.session import ActionRecord, Attachment, Message
from generator.paths import Home
from generator.storage import make_folder

_NAME = re.compile(r"([0-9a-f]{2})/\1[0-9a-f]{62}\.(?:png|jpg|gif|webp|avif|bmp)\Z")
_MENTIONED = re.compile(rb'"file":"[0-9a-f]{2}/[0-9a-f]{64}\.[a-z]{3,4}"')
_DATA = re.compile(r"data:[^,]{0,200},", re.I)
# Bytes that are looked at to tell a kind, and characters of base64 that hold them.
_HEAD_CHARACTERS = 64

Loader = Callable[[], bytes]


def ending_of(data: bytes) -> str | None:
    """Return the file ending of an image's kind, judged by its first bytes; None for the rest."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "avif"
    # A bitmap's header names its own length, else "BM" would be any text.
    if (
        data[:2] == b"BM"
        and data[6:10] == b"\0\0\0\0"
        and data[14:18] in (b"\x28\0\0\0", b"\x7c\0\0\0")
    ):
        return "bmp"
    return None


def name_of(data: bytes) -> str | None:
    """Return the name that an image is kept under, None for bytes that are no image."""
    ending = ending_of(data)
    if ending is None:
        return None
    mark = hashlib.sha256(data).hexdigest()
    return f"{mark[:2]}/{mark}.{ending}"


def names_in(record: Record) -> Iterator[str]:
    """Yield the names of the images that a record shows."""
    if isinstance(record, Message):
        yield from (item.file for item in record.attachments if item.file)
    if isinstance(record, Message | ActionRecord):
        for call in record.calls:
            yield from (item.file for item in call.attachments if item.file)


class ImageStore:
    """The kept images of one archive, or of an exported folder.

    Args:
        history: The folder that holds ``images/``. Nothing need exist yet.
    """

    def __init__(self, history: Path) -> None:
        self.folder = history / IMAGES

    def path(self, name: str) -> Path | None:
        """Return where an image is kept; None for what is no name of one."""
        return self.folder / name if _NAME.match(name) else None

    def has(self, name: str) -> bool:
        """Tell whether an image is kept."""
        path = self.path(name)
        return path is not None and path.is_file() and not path.is_symlink()

    def read(self, name: str) -> bytes | None:
        """Return an image; None when it is not kept, or is not what its name says."""
        path = self.path(name)
        if path is None or path.is_symlink():
            return None
        try:
            if path.stat().st_size > limits.IMAGE_BYTES_MAX:
                return None
            data = path.read_bytes()
        except OSError:
            return None
        return data if name_of(data) == name else None

    def write(self, name: str, data: bytes) -> Path | None:
        """Keep an image, whole or not at all; its bytes are not waited for on disk.

        Returns:
            The file when it is new.

        Raises:
            StorageError: It cannot be written.
        """
        path = self.path(name)
        if path is None or self.has(name):
            return None
        make_folder(path.parent)
        temporary = path.with_name(f".fieldguide-{secrets.token_hex(8)}")
        try:
            temporary.write_bytes(data)
            temporary.replace(path)
        except OSError as error:
            raise StorageError(
                f"{path} could not be written: {error.strerror or error}.",
                hint="Check that the home is writable and has space left; then run it again.",
            ) from error
        finally:
            temporary.unlink(missing_ok=True)
        return path

    def names(self) -> Iterator[str]:
        """Yield the name of every kept image."""
        for path in sorted(self.folder.glob("??/*")):
            name = f"{path.parent.name}/{path.name}"
            if _NAME.match(name):
                yield name

    def remove(self, name: str) -> None:
        """Remove an image."""
        path = self.path(name)
        if path is not None:
            path.unlink(missing_ok=True)


def mentioned(path: Path) -> set[str]:
    """Return the names of all images that the lines of an archive file show.

    Raises:
        StorageError: The file cannot be read.
    """
    found: set[str] = set()
    try:
        with path.open("rb") as handle:
            for line in handle:
                # Reading every record would cost a hundred times as much.
                if _MENTIONED.search(line):
                    with suppress(RecordError):  # a line that a crash cut off
                        found.update(names_in(decode(line)))
    except OSError as error:
        raise StorageError(f"{path} could not be read: {error.strerror}.") from error
    return found


def drop_unused(home: Home) -> None:
    """Remove the images that no file of the archive shows.

    Raises:
        StorageError: A file of the archive cannot be read, and nothing is removed.
    """
    store = ImageStore(home.history)
    unused = set(store.names())
    if unused:
        for state in Archive(home).files():
            unused -= mentioned(state.path)
    for name in unused:
        store.remove(name)


class Images:
    """The images that one reading meets, held until the archive takes or leaves their record.

    Args:
        store: Where they will be kept; None keeps none.
        keep: Whether new ones are kept; those that are kept already stay known.
    """

    def __init__(self, store: ImageStore | None = None, *, keep: bool = True) -> None:
        self._store = store
        self._keep = keep
        self._waiting: dict[str, Loader] = {}
        self._left_out: Counter[str] = Counter()

    def attachment(self, name: str, data: str, kind: str | None = None) -> Attachment:
        """Return an attachment for inline data; its image is kept when it is one.

        Args:
            name: File name, or what the agent calls it.
            data: Base64, or a ``data:`` address.
            kind: Media type as the agent says.
        """
        head = _DATA.match(data)
        if head:
            kind = kind or head[0][5:-1].split(";", 1)[0] or None
        start = head.end() if head else 0
        size = (len(data) - start) * 3 // 4 - data[-2:].count("=")
        file = None
        if ending_of(_decoded(data[start : start + _HEAD_CHARACTERS])) is not None:
            if size > limits.IMAGE_BYTES_MAX:
                self._left_out["large"] += 1
            else:
                raw = _decoded(data[start:])
                size = len(raw)
                file = self._hold(raw, lambda: raw)
        return Attachment(name=name, kind=kind, size=max(size, 0) or None, file=file)

    def of_file(self, size: int, load: Loader) -> str | None:
        """Return the name of an image that stands in a file; None when it is none.

        Args:
            size: Bytes of the file.
            load: Reads it; called again when its record is kept.
        """
        if size > limits.IMAGE_BYTES_MAX:
            self._left_out["large"] += 1
            return None
        try:
            return self._hold(load(), load)
        except OSError:
            self._left_out["unreadable"] += 1
            return None

    def found_in(self, store: ImageStore, name: str) -> bool:
        """Tell whether a named image is kept or stands in another store, from which it is taken."""
        if self._store is not None and self._store.has(name):
            return True
        data = store.read(name)
        return data is not None and self._hold(data, lambda: store.read(name) or b"") is not None

    def _hold(self, data: bytes, load: Loader) -> str | None:
        name = name_of(data)
        if name is None or self._store is None:
            return None
        if not self._store.has(name):
            if not self._keep:
                return None
            self._waiting[name] = load
        return name

    def claim(self, record: Record) -> list[tuple[str, Loader]]:
        """Return the new images of a record that is kept; they are no longer held here."""
        if not self._waiting:
            return []
        return [
            (name, self._waiting.pop(name)) for name in names_in(record) if name in self._waiting
        ]

    def forget(self) -> None:
        """Let go of everything that is still held."""
        self._waiting.clear()

    def sentences(self) -> Iterator[str]:
        """Yield what a person should know of images that were left out."""
        most = limits.IMAGE_BYTES_MAX // 1024 // 1024
        if count := self._left_out["large"]:
            noun = counted(count, "image is", "images are")
            yield f"{noun} larger than {most} MB and not kept."
        if count := self._left_out["unreadable"]:
            yield f"{counted(count, 'image')} beside the export could not be read."


def _decoded(text: str) -> bytes:
    try:
        return binascii.a2b_base64(text)
    except (binascii.Error, ValueError):
        # Cut off inside its last group of four: what stands before it is data.
        try:
            return binascii.a2b_base64(text[: len(text) // 4 * 4])
        except (binascii.Error, ValueError):
            return b""
