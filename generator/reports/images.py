"""Pictures of a Markdown report, put into the page: a report loads nothing."""

from __future__ import annotations

import base64
from pathlib import Path
from urllib.parse import unquote, urlsplit

from generator.confine import resolve_inside
from generator.exceptions import OutsideError, StorageError
from generator.model.finding import Finding
from generator.storage import read_bytes

_MAX_BYTES = 10 * 1024 * 1024
_SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


class Pictures:
    """Turns the addresses of a report's images into data.

    Args:
        folder: The folder of the Markdown file. Images outside it are not read.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def address(self, source: str, line: int) -> str | Finding:
        """Return a data address for an image, or what is wrong with it.

        Args:
            source: The address as the Markdown gives it.
            line: Line of the image in the file.
        """
        if source.startswith("data:"):
            return source
        parts = urlsplit(source)
        if parts.scheme or parts.netloc:
            return _finding(
                line,
                f"The image {source} is on the web, and a report loads nothing.",
                "Save the picture beside the Markdown file and name that.",
                warning=True,
            )
        name = unquote(parts.path)
        try:
            path = resolve_inside(name, base=self._folder, roots=[self._folder])
            if not path.is_file():
                return _finding(
                    line, f"The image {name} does not exist.", "Correct the path, or save the file."
                )
            if path.stat().st_size > _MAX_BYTES:
                return _finding(
                    line,
                    f"The image {name} has more than {_MAX_BYTES // 1024 // 1024} MB.",
                    "Scale it down to the size it is shown at.",
                )
            data = read_bytes(path)
        except OutsideError:
            return _finding(
                line,
                f"The image {name} lies outside the folder of the report.",
                "Copy it beside the Markdown file.",
            )
        except StorageError as error:
            return _finding(line, error.message, "Make the file readable.")
        kind = _kind(data)
        if kind is None:
            return _finding(
                line,
                f"The image {name} is no PNG, JPEG, GIF, WebP, AVIF or SVG.",
                "Convert it to one of these.",
            )
        return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"


def _kind(data: bytes) -> str | None:
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:12] in (b"ftypavif", b"ftypavis"):
        return "image/avif"
    return "image/svg+xml" if b"<svg" in data[:1024].lower() else None


def _finding(line: int, message: str, fix: str, *, warning: bool = False) -> Finding:
    return Finding(
        rule="image",
        severity="warning" if warning else "error",
        line=line,
        column=1,
        message=message,
        fix=fix,
    )
