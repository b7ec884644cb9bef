"""Reading what agents leave on disk: files as they really are, one record at a time.

Transcripts are cut by crashes, padded with NUL bytes, still being written, mixed with bytes of
other encodings, and hold lines of many megabytes. One bad record never costs its file; what is
passed over is noted with its line and the reason.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from generator.exceptions import RecordError

BOM = codecs.BOM_UTF8
# A record beyond this is passed over: reading it would need several times as much memory.
RECORD_BYTES_MAX = 512 * 1024 * 1024
_CHUNK = 1024 * 1024
_LONE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")
_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(slots=True)
class Notes:
    """What reading one source met: counts, and what was passed over.

    Attributes:
        records: Records that were read.
        opaque: Records of types that no version known to us has.
        skipped: Line and reason of everything passed over. Elements of one large array count
            as lines.
        warnings: What a person should know about the source as a whole.
    """

    records: int = 0
    opaque: int = 0
    skipped: list[tuple[int, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def skip(self, line: int, reason: str) -> None:
        """Note something that was passed over."""
        self.skipped.append((line, reason))

    def warn(self, text: str) -> None:
        """Note something a person should know, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def copy(self) -> Notes:
        """Return the same notes, which later ones do not change."""
        return Notes(self.records, self.opaque, [*self.skipped], [*self.warnings])


def _decode_stray(error: UnicodeError) -> tuple[str, int]:
    """Read bytes that are not UTF-8: pairs as GBK, single ones as Windows-1252."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    run = _HIGH_BYTES.match(error.object, error.start)
    stray = run.group() if run else error.object[error.start : error.end]
    if len(stray) % 2 == 0:
        try:
            return stray.decode("gb18030"), error.start + len(stray)
        except UnicodeDecodeError:
            pass
    return stray.decode("cp1252", errors="replace"), error.start + len(stray)


codecs.register_error("fieldguide-stray", _decode_stray)


def parse_record(data: bytes, notes: Notes | None = None) -> Any:
    """Read one JSON value.

    Args:
        data: Its bytes.
        notes: Where repairs are noted as warnings.

    Returns:
        The value, free of lone surrogates: they cannot be written as UTF-8 and become U+FFFD.

    Raises:
        RecordError: It is no JSON.
    """
    try:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode("utf-8", errors="fieldguide-stray")
            if notes:
                notes.warn("Some bytes are not UTF-8; they were read as GBK or Windows-1252.")
        value = json.loads(text)
    except RecursionError as error:
        raise RecordError("nested too deep") from error
    except ValueError as error:
        reason = getattr(error, "msg", None) or str(error)
        raise RecordError(f"not JSON: {reason}") from error
    if _LONE_ESCAPE.search(data):
        value = _mend(value, notes)
    return value


def parse_object(data: bytes, notes: Notes | None = None) -> dict[str, Any]:
    """Read one JSON object, as :func:`parse_record` reads any value.

    Raises:
        RecordError: It is no JSON object.
    """
    value = parse_record(data, notes)
    if not isinstance(value, dict):
        raise RecordError(f"not an object but {_json_kind(value)}")
    return value


def _mend(value: Any, notes: Notes | None) -> Any:
    if isinstance(value, str):
        mended = _SURROGATE.sub("\ufffd", value)
        if mended != value and notes:
            notes.warn("Lone surrogates were replaced by U+FFFD.")
        return mended
    if isinstance(value, list):
        return [_mend(item, notes) for item in value]
    if isinstance(value, dict):
        return {_mend(key, notes): _mend(item, notes) for key, item in value.items()}
    return value


@dataclass(frozen=True, slots=True)
class Line:
    """One record of a JSON Lines file with its place."""

    number: int
    start: int
    length: int
    value: dict[str, Any]


class JsonLines:
    """The records of one JSON Lines file.

    Args:
        handle: A seekable binary file. Only the bytes that are there now are read, so a file
            that grows meanwhile looks the same to every pass.
        notes: Where counts and what is passed over are noted.
        start: The byte to begin at, where a line begins.
        number: How many lines stand before that.

    Attributes:
        end: Byte after the last whole line. What follows is still being written.
        lines: How many whole lines there are, once all were read.
        settled: The notes without what was met in the unfinished line, once all were read.
    """

    def __init__(self, handle: BinaryIO, notes: Notes, start: int = 0, number: int = 0) -> None:
        self.handle = handle
        self._notes = notes
        self._start = start
        self._end = handle.seek(0, 2)
        self.end = self._whole_lines()
        self.lines = number
        self.settled: Notes | None = None

    def __iter__(self) -> Iterator[Line]:
        """Yield every object, splitting at line feeds only."""
        number, start = self.lines, self._start
        self.handle.seek(start)
        while start < self._end:
            if start >= self.end:
                self._settle(number)
            raw = self.handle.readline(min(RECORD_BYTES_MAX, self._end - start))
            if not raw:
                break
            number += 1
            place, start = start, start + len(raw)
            if not raw.endswith(b"\n") and start < self._end:
                start += self._pass_over(self._end - start)
                self._notes.skip(number, f"longer than {RECORD_BYTES_MAX >> 20} MB")
                continue
            whole = raw.endswith(b"\n")
            bare = raw.removeprefix(BOM) if number == 1 else raw
            if b"\0" in bare:
                bare = bare.strip(b"\0\r\n\t ")
                if not bare:
                    self._notes.skip(number, "NUL padding after a crash")
                    continue
            if not bare.strip():
                continue
            try:
                value = parse_object(bare, self._notes)
            except RecordError as error:
                cut = "cut last line (still being written, or a crash)"
                self._notes.skip(number, str(error) if whole else cut)
                continue
            self._notes.records += 1
            yield Line(number, place, len(raw), value)
        self._settle(number)

    def _settle(self, number: int) -> None:
        if self.settled is None:
            self.settled, self.lines = self._notes.copy(), number

    def _whole_lines(self) -> int:
        """Return where the last line that is ended ends."""
        end = self._end
        while end > self._start:
            begin = max(self._start, end - _CHUNK)
            self.handle.seek(begin)
            found = self.handle.read(end - begin).rfind(b"\n")
            if found >= 0:
                return begin + found + 1
            end = begin
        return self._start

    def at(self, start: int, length: int) -> dict[str, Any]:
        """Read one record again.

        Raises:
            RecordError: The file was changed at that place since.
        """
        self.handle.seek(start)
        raw = self.handle.read(length)
        return parse_object((raw.removeprefix(BOM) if start == 0 else raw).strip(b"\0\r\n\t "))

    def _pass_over(self, most: int) -> int:
        """Read on to the end of a line that is too long; return the bytes read."""
        passed = 0
        while passed < most:
            piece = self.handle.readline(min(_CHUNK, most - passed))
            if not piece:
                break
            passed += len(piece)
            if piece.endswith(b"\n"):
                break
        return passed


def _json_kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    return "text" if isinstance(value, str) else "a list"


_STRUCTURE = re.compile(rb'["{}\[\]]')
_STRING_END = re.compile(rb'["\\]')


def array_elements(handle: BinaryIO, notes: Notes) -> Iterator[tuple[int, Any]]:
    """Yield the elements of one huge JSON array, one at a time.

    Account exports are one line of hundreds of megabytes. Only the borders of the elements are
    looked for here; each is then read alone, so a broken one costs only itself and memory is
    bounded by the largest. (Streaming parsers stop at the first error and differ from ``json``
    in lone surrogates and stray bytes.)

    Args:
        handle: A binary file at its beginning; it need not be seekable.
        notes: Where counts and what is passed over are noted.

    Yields:
        The element's number, from 1, and its value, for elements that are objects.
    """
    for number, raw in enumerate(_split_array(handle, notes), start=1):
        try:
            value = parse_object(raw, notes)
        except RecordError as error:
            notes.skip(number, str(error))
            continue
        notes.records += 1
        yield number, value


def _split_array(handle: BinaryIO, notes: Notes) -> Iterator[bytes]:
    """Cut a JSON array into the bytes of its elements that are objects or lists."""
    pending = bytearray()  # bytes from the start of the current element on
    position = 0  # scanned up to here in pending
    depth = 0  # 0 before the array, 1 inside it, more inside an element
    in_string = False
    begun = 0
    count = 0
    more = True
    while more:
        chunk = handle.read(_CHUNK)
        more = bool(chunk)
        pending += chunk
        while True:
            if in_string:
                found = _STRING_END.search(pending, position)
                if found is None:
                    position = len(pending)
                    break
                if found.group() == b"\\":
                    if found.start() + 1 >= len(pending):
                        position = found.start()
                        break
                    position = found.start() + 2
                    continue
                in_string = False
                position = found.end()
                continue
            found = _STRUCTURE.search(pending, position)
            if found is None:
                position = len(pending)
                break
            mark = found.group()
            position = found.end()
            if mark == b'"':
                in_string = True
            elif mark in b"{[":
                if depth == 1:
                    begun = found.start()
                depth += 1
            else:
                depth -= 1
                if depth == 1:
                    count += 1
                    yield bytes(pending[begun:position])
                    del pending[:position]
                    position = begun = 0
                elif depth <= 0:
                    return
        if depth <= 1:
            del pending[:position]
            position = begun = 0
    if depth > 0:
        notes.skip(count + 1, "the array is cut off")


def read_whole(handle: BinaryIO, notes: Notes) -> Any:
    """Read one JSON value that is a file of its own.

    Raises:
        RecordError: It is no JSON.
    """
    raw = handle.read(RECORD_BYTES_MAX + 1)
    if len(raw) > RECORD_BYTES_MAX:
        raise RecordError(f"longer than {RECORD_BYTES_MAX >> 20} MB")
    return parse_record(raw.removeprefix(BOM).strip(b"\0\r\n\t "), notes)


def read_object(path: Path, notes: Notes) -> dict[str, Any]:
    """Read a small file that is one JSON object; links are not followed.

    Raises:
        RecordError: It is none, or cannot be read.
    """
    if path.is_symlink():
        raise RecordError(f"{path.name}: a link, which is not followed")
    try:
        with path.open("rb") as handle:
            value = read_whole(handle, notes)
    except OSError as error:
        raise RecordError(f"{path.name}: {error.strerror}") from error
    except RecordError as error:
        raise RecordError(f"{path.name}: {error}") from error
    if not isinstance(value, dict):
        raise RecordError(f"{path.name}: not an object but {_json_kind(value)}")
    return value


def read_lines(handle: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file with their numbers: no BOM, no CR, no NUL padding."""
    for number, raw in enumerate(handle, start=1):
        bare = (raw.removeprefix(BOM) if number == 1 else raw).strip(b"\0").rstrip(b"\r\n")
        try:
            yield number, bare.decode("utf-8")
        except UnicodeDecodeError:
            yield number, bare.decode("utf-8", errors="fieldguide-stray")
