"""The part of a project's AGENTS.md or CLAUDE.md that belongs to Fieldguide.

Agents read those files at the start; a topic that is named there with its trigger is a topic
that gets read. The part stands between two markers, is rewritten as a whole, and nothing
outside it is touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from generator.exceptions import FieldguideError, StorageError, UsageError
from generator.storage import write_atomic

BEGIN = "<!-- fieldguide:begin (written by 'fieldguide init'; edits in here are replaced) -->"
END = "<!-- fieldguide:end -->"

_BEGIN_LINE = re.compile(r"^<!-- fieldguide:begin\b.*?-->[ \t]*(?=\r?$)", re.MULTILINE)
_END_LINE = re.compile(r"^<!-- fieldguide:end\b.*?-->[ \t]*(?=\r?$)", re.MULTILINE)
_NAMES = ("AGENTS.md", "CLAUDE.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a run did to one file.

    Attributes:
        path: The file.
        action: ``created``, ``added``, ``updated`` or ``unchanged``.
    """

    path: Path
    action: str


def triggers(topics: Sequence[tuple[str, str]]) -> str:
    """List topics with the moment to read each, one line a topic.

    Args:
        topics: Pairs of topic id and its one-line summary, which says when to read it.
    """
    return "\n".join(f"- `{topic}`: {summary}" for topic, summary in topics)


def section(topics: Sequence[tuple[str, str]]) -> str:
    """Write the part between the markers.

    Args:
        topics: Pairs of topic id and summary.
    """
    return (
        f"{BEGIN}\n"
        "## Guides to read before acting\n\n"
        "When a trigger below fits, fetch the guide before the first step and follow it: call the\n"
        "tool `reasoning_guide` with the topics that fit, or run `fieldguide guide TOPIC...`.\n\n"
        f"{triggers(topics)}\n"
        f"{END}"
    )


def targets(path: Path) -> list[Path]:
    """Decide which files a project folder means.

    Args:
        path: A folder, or one Markdown file.

    Returns:
        The file itself; in a folder those of AGENTS.md and CLAUDE.md that exist (one, when one
        is a link to the other), else AGENTS.md to be made.

    Raises:
        UsageError: The path is neither a folder nor a Markdown file.
    """
    if path.is_dir():
        found: dict[Path, Path] = {}
        for name in _NAMES:
            candidate = path / name
            if candidate.is_file():
                found.setdefault(candidate.resolve(), candidate)
        return list(found.values()) or [path / _NAMES[0]]
    if path.suffix.lower() not in {".md", ".mdc", ".markdown"}:
        raise UsageError(
            f"{path} is neither a folder nor a Markdown file.",
            hint="Name a project folder, or a file such as AGENTS.md.",
        )
    return [path]


def updated(text: str, part: str, *, where: Path) -> str:
    r"""Put a part into a file's text.

    Args:
        text: The file's text.
        part: The part with its markers, with ``\n`` line ends.
        where: The file, for messages.

    Returns:
        The text with the part replaced where its markers stand, else added at the end, with the
        file's own line ends.

    Raises:
        FieldguideError: The markers are broken: one without the other, twice, or out of order.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    lined = part.replace("\n", newline)
    begins, ends = list(_BEGIN_LINE.finditer(text)), list(_END_LINE.finditer(text))
    if not begins and not ends:
        gap = "" if not text else newline if text.endswith("\n") else newline * 2
        return f"{text}{gap}{lined}{newline}"
    if len(begins) != 1 or len(ends) != 1 or begins[0].start() > ends[0].start():
        lines = sorted(text.count("\n", 0, match.start()) + 1 for match in [*begins, *ends])
        raise FieldguideError(
            f"{where}: the fieldguide markers on line {', '.join(map(str, lines))} do not make "
            "one begin and one end.",
            hint="Take the stray marker out by hand and run the command again.",
        )
    return text[: begins[0].start()] + lined + text[ends[0].end() :]


def update_file(path: Path, topics: Sequence[tuple[str, str]], *, dry_run: bool = False) -> Change:
    """Write the topics with their triggers into one file.

    Args:
        path: The file; made when it does not exist.
        topics: Pairs of topic id and summary.
        dry_run: Only tell what would be done.

    Raises:
        FieldguideError: The markers in the file are broken; nothing was written.
        StorageError: The file cannot be read as UTF-8, or not be written.
    """
    part = section(topics)
    if not path.exists():
        if not dry_run:
            write_atomic(path, part + "\n")
        return Change(path=path, action="created")
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            text = handle.read()
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError(
            f"{path} could not be read as UTF-8 text: {error}.",
            hint="Save it as UTF-8 and run the command again; nothing was changed.",
        ) from error
    new = updated(text, part, where=path)
    if new == text:
        return Change(path=path, action="unchanged")
    if not dry_run:
        write_atomic(path.resolve(), new)
    return Change(path=path, action="updated" if _BEGIN_LINE.search(text) else "added")
