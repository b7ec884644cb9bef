"""What a file is, judged by its beginning: kind, first records, tables; never by its name."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from generator.exceptions import ImportFormatError, RecordError
from generator.history.importers.base import Sample
from generator.history.importers.databases import table_names
from generator.history.importers.records import (
    BOM,
    JsonLines,
    Notes,
    array_elements,
    parse_object,
)

_SQLITE = b"SQLite format 3\0"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ZIP = b"PK\x03\x04"
_RECORDS = 200  # transcripts may open with many lines of book-keeping
_LINES_BYTES = 8 * 1024 * 1024
_OBJECT_BYTES = 4 * 1024 * 1024
_MEMORY = 8 * 1024 * 1024
# A ZIP that claims to unpack to more is no export.
MEMBER_BYTES_MAX = 16 * 1024 * 1024 * 1024

Opener = Callable[[], BinaryIO]


def container(path: Path) -> str | None:
    """Return ``zip`` or ``zstd`` when a file is one."""
    try:
        with path.open("rb") as handle:
            first = handle.read(4)
    except OSError:
        return None
    if first == _ZSTD:
        return "zstd"
    return "zip" if first == _ZIP and zipfile.is_zipfile(path) else None


def members(path: Path) -> Iterator[tuple[str, Opener]]:
    """Yield the JSON files in a ZIP with what opens them, in name order.

    Raises:
        ImportFormatError: The ZIP is broken.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            listed = sorted(archive.infolist(), key=lambda info: info.filename)
    except (OSError, zipfile.BadZipFile) as error:
        raise ImportFormatError(f"{path} is a broken ZIP: {error}.") from error
    for info in listed:
        if info.is_dir() or not info.filename.endswith((".json", ".jsonl")):
            continue
        if info.file_size > MEMBER_BYTES_MAX or info.flag_bits & 0x1:
            continue
        yield info.filename, _member_opener(path, info.filename)


def _member_opener(path: Path, name: str) -> Opener:
    def open_member() -> BinaryIO:
        with zipfile.ZipFile(path) as archive, archive.open(name) as member:
            return _spool(cast("BinaryIO", member))

    return open_member


def _spool(source: BinaryIO) -> BinaryIO:
    """Copy a stream where it can be sought in: memory when small, else a temporary file."""
    spool = tempfile.SpooledTemporaryFile(max_size=_MEMORY)  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(source, spool, 1 << 20)
    spool.seek(0)
    return cast("BinaryIO", spool)


def zstd_opener(path: Path) -> Opener:
    """Return what opens a zstd-compressed file."""

    def open_compressed() -> BinaryIO:
        import zstandard

        with path.open("rb") as raw:
            try:
                reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
                return _spool(cast("BinaryIO", reader))
            except zstandard.ZstdError as error:
                raise ImportFormatError(f"{path} is broken zstd data: {error}.") from error

    return open_compressed


def sample(path: Path, opener: Opener) -> Sample | None:
    """Read the beginning of a file.

    Args:
        path: Where it is.
        opener: What opens it.

    Returns:
        What an importer judges by; None for a file that holds no JSON and is no database.
    """
    with opener() as handle:
        first = handle.read(64 * 1024)
        if first.startswith(_SQLITE):
            return Sample(path=path, kind="sqlite", tables=table_names(path))
        bare = first.removeprefix(BOM).lstrip(b"\0 \r\n\t")
        handle.seek(0)
        if bare.startswith(b"["):
            elements = islice(array_elements(handle, Notes()), 5)
            return Sample(path=path, kind="array", records=tuple(value for _, value in elements))
        if b"{" not in first:
            return None
        opening = bare.split(b"\n", 1)[0].strip()
        if opening == b"{":
            whole = _first_object(handle)
            return Sample(path=path, kind="object", records=(whole,)) if whole else None
        lines = _first_lines(handle)
        if len(lines) == 1 and _is_document(lines[0]):
            return Sample(path=path, kind="object", records=(lines[0],))
        if lines:
            return Sample(path=path, kind="lines", records=tuple(lines))
        handle.seek(0)
        whole = _first_object(handle)
        return Sample(path=path, kind="object", records=(whole,)) if whole else None


def _is_document(record: dict[str, Any]) -> bool:
    """Tell an object that is a whole file from the first line of JSON Lines."""
    lists = ("loglines", "items", "messages")
    return any(isinstance(record.get(name), list) for name in lists) or (
        "type" not in record and "time" in record and "id" in record
    )


def _first_lines(handle: BinaryIO) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    for line in JsonLines(handle, Notes()):
        records.append(line.value)
        if len(records) >= _RECORDS or line.start > _LINES_BYTES:
            break
    return records


def _first_object(handle: BinaryIO) -> dict[str, Any] | None:
    """Return the one object of a file; of a large one, the keys at its top alone."""
    start = handle.read(_OBJECT_BYTES).removeprefix(BOM).strip(b"\0\r\n\t ")
    with suppress(RecordError):
        return parse_object(start)
    text = start.decode("utf-8", errors="replace")
    return _top_keys(text)


def _top_keys(text: str) -> dict[str, Any] | None:
    """Read the keys of a cut object, leaving out values that do not end in time."""
    decoder = json.JSONDecoder()
    found: dict[str, Any] = {}
    at = text.find("{") + 1
    try:
        while at > 0:
            at = _skip(text, at, " \r\n\t,")
            key, at = decoder.raw_decode(text, at)
            if not isinstance(key, str):
                break
            found[key] = None
            at = _skip(text, at, " \r\n\t:")
            # A list that is cut off still says what its key is.
            found[key] = [] if text[at] == "[" else {} if text[at] == "{" else None
            found[key], at = decoder.raw_decode(text, at)
    except (ValueError, IndexError, RecursionError):
        pass
    return found or None


def _skip(text: str, at: int, characters: str) -> int:
    while at < len(text) and text[at] in characters:
        at += 1
    return at
