"""Applies the safe fixes, and shows them as a diff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from generator.checks.rules.base import Edit
from generator.exceptions import StorageError
from generator.markup.front_matter import normalise
from generator.storage import read_bytes, write_atomic


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """One file that was mended.

    Attributes:
        path: The file.
        edits: How many changes were made.
        diff: The changes as a unified diff.
    """

    path: Path
    edits: int
    diff: str


def fix_file(path: Path, edits: Sequence[Edit], *, name: str) -> Fixed | None:
    """Make the changes in a file; its line ends and byte order mark stay.

    Args:
        path: The file.
        edits: Changes, in indexes of its text with line feeds and without a byte order mark.
        name: The path as the diff shows it.

    Returns:
        What was done; None when nothing was to do.

    Raises:
        StorageError: The file cannot be read or written, or is no UTF-8; it is as it was.
    """
    raw = read_bytes(path)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StorageError(
            f"{path} is no UTF-8 and was not changed.", hint="Save it as UTF-8."
        ) from error
    old = normalise(text)
    new, made = apply_edits(old, edits)
    if not made:
        return None
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    write_atomic(path.resolve(), (mark + _with_line_ends(new, old, text)).encode("utf-8"))
    diff = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
        for line in unified_diff(
            old.splitlines(keepends=True), new.splitlines(keepends=True), name, name
        )
    )
    return Fixed(path=path, edits=made, diff=diff)


def apply_edits(text: str, edits: Sequence[Edit]) -> tuple[str, int]:
    """Make changes that do not overlap; of two that do, the first.

    Returns:
        The new text and how many changes were made.
    """
    pieces: list[str] = []
    last = made = 0
    for edit in sorted(set(edits), key=lambda item: (item.start, item.end)):
        if edit.start < last:
            continue
        pieces += [text[last : edit.start], edit.text]
        last = edit.end
        made += 1
    return "".join([*pieces, text[last:]]), made


def _with_line_ends(new: str, old: str, written: str) -> str:
    """Give a text the line ends that stood in the file, line by line; edits add no lines."""
    if "\r" not in written:
        return new
    ends = []
    at = 1 if written.startswith("\ufeff") else 0
    while at < len(written):
        if written[at] == "\r":
            pair = written.startswith("\r\n", at)
            ends.append("\r\n" if pair else "\r")
            at += 2 if pair else 1
        else:
            if written[at] == "\n":
                ends.append("\n")
            at += 1
    lines = new.split("\n")
    assert len(lines) == old.count("\n") + 1
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=True))
