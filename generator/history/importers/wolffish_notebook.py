"""The notebook of a Wolffish workspace: Markdown files, logs and artifacts as documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from generator.exceptions import RecordError
from generator.history.importers.base import Reading, list_of, object_of, text_of
from generator.history.importers.records import read_lines, read_whole
from generator.limits import LOG_TAIL_BYTES
from generator.model.session import Document
from generator.timestamps import parse_time

_EPISODE = re.compile(r"(\d{1,2}:\d{2})(?: \[([^\]]+)\])?(?: [—–-]+ (.*))?")
_FEEDBACK = re.compile(r"- (\d{2}:\d{2}:\d{2}) \| ([^|]+?) \| (\w+)\s*")
_CORPUS = re.compile(r"(\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?: \[(.*)\])?")
_CONVERSATION = re.compile(r"\bconv ([^\s\]]+)")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_TASK_ID = re.compile(r"TASK-[A-Za-z0-9_]+")
_BULLET = re.compile(r"- \*\*([A-Za-z ]+):\*\* ?(.*)")
_STEP = re.compile(r"Step (\d+): (\S+)")
_FRONT_DATE = re.compile(r"^date: *(\S+)", re.MULTILINE)
_CHUNK_MESSAGES = 50


@dataclass(slots=True)
class _Section:
    """A heading and the lines below it."""

    title: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")


def _split(path: Path, mark: str = "## ") -> tuple[_Section, list[_Section]]:
    """Cut a Markdown file at its headings, outside code fences.

    Returns:
        What stands before the first heading, and the sections. A heading that stands twice in
        a row (a crash while writing) is one section.
    """
    opening = _Section("")
    sections: list[_Section] = []
    fence = ""
    with path.open("rb") as handle:
        for _, line in read_lines(handle):
            bare = line.lstrip()
            if bare.startswith(("```", "~~~")):
                fence = "" if fence and bare.startswith(fence) else fence or bare[:3]
            if line.startswith(mark) and not fence:
                title = line[len(mark) :].strip()
                last = sections[-1] if sections else None
                if last is None or last.title != title or last.text.strip():
                    sections.append(_Section(title))
                continue
            (sections[-1] if sections else opening).lines.append(line)
    return opening, sections


def _file_time(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None


def _stamp(path: Path, clock: str | None, reading: Reading) -> datetime | None:
    """Return a time of day on the day that the file's name says."""
    found = _DAY.search(path.name)
    if found is None:
        return _file_time(path)
    day = found.group()
    text = f"{day}T{clock.zfill(5) if clock else '00:00'}"
    return parse_time(text, reading.zone) or parse_time(day, reading.zone) or _file_time(path)


def episodes(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
    """Yield the episodes of a day."""
    _, sections = _split(path)
    for number, section in enumerate(sections, start=1):
        reading.notes.records += 1
        found = _EPISODE.fullmatch(section.title)
        yield Document(
            id=f"{relative}#{number}",
            source="episode",
            path=relative,
            title=section.title,
            text=section.text,
            ts=_stamp(path, found.group(1) if found else None, reading),
            origin=found.group(2) if found else None,
        )


def sections(source: str) -> Callable[[Path, str, Reading], Iterator[Document]]:
    """Return a reader that cuts a Markdown file at its second-level headings."""

    def read(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
        opening, found = _split(path)
        head = opening.text
        date = _FRONT_DATE.search(head) if head.startswith("---") else None
        ts = (parse_time(date.group(1), reading.zone) if date else None) or _stamp(
            path, None, reading
        )
        title = next(
            (line[2:].strip() for line in opening.lines if line.startswith("# ")), path.stem
        )
        whole = [_Section(title, opening.lines), *found]
        number = 0
        for section in whole:
            said = [line for line in section.lines if not line.startswith("# ")]
            if section is whole[0] and not "".join(said).strip("- \n") and found:
                continue
            number += 1
            reading.notes.records += 1
            yield Document(
                id=f"{relative}#{number}",
                source=source,
                path=relative,
                title=section.title,
                text=section.text,
                ts=ts,
            )

    return read


def tasks(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
    """Yield a task, whole."""
    with path.open("rb") as handle:
        lines = [line for _, line in read_lines(handle)]
    facts: dict[str, str] = {}
    for line in lines:
        found = _BULLET.fullmatch(line.strip())
        if found and found.group(1) not in facts:
            facts[found.group(1)] = found.group(2).strip()
    title = next((line[2:].strip() for line in lines if line.startswith("# ")), path.stem)
    named = _TASK_ID.match(path.name)
    reading.notes.records += 1
    yield Document(
        id=f"{relative}#1",
        source="task",
        path=relative,
        title=title.removeprefix("Task: "),
        text="\n".join(lines).strip("\n"),
        ts=parse_time(facts.get("Updated"), reading.zone)
        or parse_time(facts.get("Created"), reading.zone)
        or _file_time(path),
        task=facts.get("ID") or (named.group() if named else path.stem),
        outcome=facts.get("Status", "").lower() or None,
    )


def details(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
    """Yield the sections of a task's untruncated log."""
    opening, found = _split(path)
    named = _TASK_ID.match(path.name)
    task = named.group() if named else path.stem.removesuffix("-detail")
    if opening.text.strip() and not found:
        found = [opening]
    for number, section in enumerate(found, start=1):
        reading.notes.records += 1
        step = _STEP.match(section.title)
        yield Document(
            id=f"{relative}#{number}",
            source="task",
            path=relative,
            title=section.title,
            text=section.text,
            ts=_file_time(path),
            task=task,
            part=f"detail{number}",
            tool=step.group(2) if step else None,
        )


def feedback(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
    """Yield the outcomes of tools on a day."""
    number = 0
    current: Document | None = None
    lines: list[str] = []
    with path.open("rb") as handle:
        for _, line in read_lines(handle):
            found = _FEEDBACK.fullmatch(line)
            if found is None:
                if current is not None:
                    lines.append(line)
                continue
            if current is not None:
                yield _with_text(current, lines)
            number += 1
            reading.notes.records += 1
            clock, tool, outcome = found.groups()
            lines = [line.removeprefix("- ")]
            current = Document(
                id=f"{relative}#{number}",
                source="feedback",
                path=relative,
                title=f"{tool} {outcome}",
                ts=_stamp(path, clock, reading),
                tool=tool,
                outcome=outcome,
            )
    if current is not None:
        yield _with_text(current, lines)


def _with_text(document: Document, lines: list[str]) -> Document:
    return replace(document, text="\n".join(lines).strip("\n"))


def corpus(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
    """Yield the events of a day, a section each."""
    _, found = _split(path)
    for number, section in enumerate(found, start=1):
        reading.notes.records += 1
        heading = _CORPUS.fullmatch(section.title)
        owner = _CONVERSATION.search(section.title)
        yield Document(
            id=f"{relative}#{number}",
            source="corpus",
            path=relative,
            title=section.title,
            text=section.text,
            ts=_stamp(path, heading.group(1) if heading else None, reading),
            session=owner.group(1) if owner else None,
        )


def logs(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
    """Yield the end of a log."""
    with path.open("rb") as handle:
        size = handle.seek(0, 2)
        handle.seek(max(size - LOG_TAIL_BYTES, 0))
        if size > LOG_TAIL_BYTES:
            handle.readline()
        lines = [line for _, line in read_lines(handle)]
    reading.notes.records += len(lines)
    yield Document(
        id=f"{relative}#1",
        source="log",
        path=relative,
        title=path.name,
        text="\n".join(lines).strip("\n"),
        ts=_stamp(path, None, reading),
    )


def chats(path: Path, relative: str, reading: Reading) -> Iterator[Document]:
    """Yield what was read in each WhatsApp chat, in chunks."""
    try:
        with path.open("rb") as handle:
            whole = object_of(read_whole(handle, reading.notes))
    except RecordError as error:
        reading.notes.skip(1, str(error))
        return
    number = 0
    for chat, held in whole.items():
        messages = [item for item in list_of(_messages_of(held)) if isinstance(item, dict)]
        for start in range(0, len(messages), _CHUNK_MESSAGES):
            number += 1
            chunk = messages[start : start + _CHUNK_MESSAGES]
            reading.notes.records += len(chunk)
            stamps = [parse_time(item.get("timestamp"), reading.zone) for item in chunk]
            lines = []
            for item, moment in zip(chunk, stamps, strict=True):
                who = "me" if item.get("fromMe") else text_of(item.get("sender")) or chat
                when = moment.astimezone(reading.zone).isoformat(" ", "seconds") if moment else ""
                lines.append(f"{when} {who}: {text_of(item.get('text'))}".strip())
            yield Document(
                id=f"{relative}#{number}",
                source="conversation",
                path=relative,
                title=chat,
                text="\n".join(lines),
                ts=next((moment for moment in reversed(stamps) if moment), None),
                origin="whatsapp",
            )


def _messages_of(held: Any) -> Any:
    return held.get("messages") if isinstance(held, dict) else held


def artifacts(root: Path, paths: tuple[Path, ...], reading: Reading) -> Iterator[Document]:
    """Yield what is known of each file that was made or uploaded; its content is not read."""
    for path in paths:
        try:
            state = path.stat()
        except OSError:
            continue
        relative = path.relative_to(root).as_posix()
        owner = next(
            (part.removeprefix("conv-") for part in path.parts if part.startswith("conv-")), None
        )
        reading.notes.records += 1
        kind = path.suffix.lstrip(".").lower() or "file"
        yield Document(
            id=relative,
            source="artifact",
            path=relative,
            title=path.name,
            text=f"{path.name} ({kind}, {state.st_size:,} bytes) in {relative.rsplit('/', 1)[0]}",
            ts=datetime.fromtimestamp(state.st_mtime, UTC),
            session=owner,
            origin=relative.split("/", 1)[0],
            size=state.st_size,
        )
