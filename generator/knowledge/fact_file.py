"""A file of facts: Markdown that people write by hand, read with the place of every fact.

A fact is an item of a list, with its indented lines, or a paragraph of its own. Headings, rules,
comments and front matter are no facts. What :mod:`facts` adds is one list item with the day it
was saved in a comment that readers do not see.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path

from generator.knowledge.sameness import normalise_fact
from generator.model.problem import FileProblem

_ITEM = re.compile(r"^(?: {0,3})(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)")
_HEADING = re.compile(r"^ {0,3}#{1,6}(?:\s|$)|^ {0,3}(?:=+|-+|\*{3,}|_{3,})\s*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_SAVED = re.compile(r"\s*<!-- saved (\d{4}-\d{2}-\d{2}) -->\s*$")
_ESCAPED_COMMENT = "<\\!--"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One fact as it stands in its file.

    Attributes:
        id: Eight hexadecimal characters made from its normalised text: it stays the same when
            the file is put in another order.
        text: The fact in one line.
        path: Its file.
        line: Its first line, counted from 1.
        start: Byte offset of its first line.
        length: Bytes of its lines, the last line end included.
        saved: The day it was saved; None when a person wrote it.
    """

    id: str
    text: str
    path: Path
    line: int
    start: int
    length: int
    saved: date | None = None

    @property
    def ref(self) -> str:
        """The ref that ``memory_get`` and ``memory forget`` take."""
        return f"file:knowledge/{self.path.name}#{self.id}"


@dataclass(slots=True)
class _Open:
    """A fact that is still being read."""

    line: int
    start: int
    end: int
    parts: list[str]
    is_item: bool


def parse_facts(data: bytes, path: Path) -> tuple[list[Fact], list[FileProblem]]:
    """Read the facts of a file.

    Args:
        data: Its bytes.
        path: Where it stands.

    Returns:
        The facts in file order, and what is wrong with the file; the facts are read all the same.
    """
    problems: list[FileProblem] = []
    facts: list[Fact] = []
    lines = data.split(b"\n")
    skip = _skipped(lines, path, problems)
    open_fact: _Open | None = None
    at = 0

    def close() -> None:
        nonlocal open_fact
        if open_fact is not None:
            fact = _make(open_fact, path)
            if fact is not None:
                facts.append(fact)
        open_fact = None

    for number, raw in enumerate(lines, start=1):
        start = at
        at += len(raw) + 1
        end = min(at, len(data))
        try:
            line = raw.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r")
        except UnicodeDecodeError:
            problems.append(
                FileProblem(
                    path=path, line=number, message="It is not UTF-8; save the file as UTF-8."
                )
            )
            line = raw.decode("utf-8", errors="replace").rstrip("\r")
        if not line.strip() or number in skip:
            close()
            continue
        item = _ITEM.match(line)
        if item:
            close()
            open_fact = _Open(number, start, end, [line[item.end() :]], is_item=True)
        elif _HEADING.match(line) and not (open_fact and line[0] == " "):
            close()
        elif open_fact is not None:
            open_fact.parts.append(line)
            open_fact.end = end
        else:
            open_fact = _Open(number, start, end, [line], is_item=False)
    close()
    return facts, problems


def write_item(fact: str, saved: date) -> str:
    """Return the line that a fact is kept in, without its line end."""
    return f"- {fact.replace('<!--', _ESCAPED_COMMENT)} <!-- saved {saved.isoformat()} -->"


def one_line(text: str) -> str:
    """Return a text in one line, control characters as spaces."""
    return " ".join(re.sub(r"[\x00-\x1f\x7f\x85\u2028\u2029]", " ", text).split())


def _make(found: _Open, path: Path) -> Fact | None:
    text = " ".join(part.strip() for part in found.parts)
    saved = None
    comment = _SAVED.search(text)
    if comment:
        text = text[: comment.start()]
        try:
            saved = date.fromisoformat(comment.group(1))
        except ValueError:
            saved = None
    text = one_line(text).replace(_ESCAPED_COMMENT, "<!--")
    if not text:
        return None
    return Fact(
        id=fact_id(text),
        text=text,
        path=path,
        line=found.line,
        start=found.start,
        length=found.end - found.start,
        saved=saved,
    )


def fact_id(text: str) -> str:
    """Return the id of a fact; the same for facts that are the same."""
    return hashlib.sha256(normalise_fact(text).encode("utf-8", "replace")).hexdigest()[:8]


def _skipped(lines: list[bytes], path: Path, problems: list[FileProblem]) -> set[int]:
    """Return the lines that hold no facts: front matter, comments, fenced blocks.

    A block that never ends is a problem, and its lines are read as if it had not begun: facts
    that come after it must not vanish.
    """
    skip: set[int] = set()
    number = 0
    if lines and lines[0].lstrip(b"\xef\xbb\xbf").rstrip() == b"---":
        closing = _find(lines, 1, lambda line: line.rstrip() in (b"---", b"..."))
        if closing is None:
            problems.append(_unclosed(path, 1, "The front matter"))
        else:
            skip.update(range(1, closing + 2))
            number = closing + 1
    while number < len(lines):
        line = lines[number]
        text = line.decode("utf-8", errors="replace")
        fence = _FENCE.match(text)
        closing = number
        if fence:
            mark = fence.group(1).encode()
            found = _find(lines, number + 1, partial(_closes, mark=mark))
            if found is None:
                problems.append(_unclosed(path, number + 1, "The code block"))
                skip.add(number + 1)
            else:
                closing = found
                skip.update(range(number + 1, closing + 2))
        elif text.lstrip().startswith("<!--"):
            found = _find(lines, number, lambda later: b"-->" in later)
            if found is None:
                problems.append(_unclosed(path, number + 1, "The comment"))
                skip.add(number + 1)
            else:
                closing = found
                skip.update(range(number + 1, closing + 2))
        number = closing + 1
    return skip


def _closes(line: bytes, mark: bytes) -> bool:
    stripped = line.strip()
    return stripped.startswith(mark) and not stripped.strip(mark[:1])


def _find(lines: list[bytes], start: int, wanted: Callable[[bytes], bool]) -> int | None:
    return next((number for number in range(start, len(lines)) if wanted(lines[number])), None)


def _unclosed(path: Path, line: int, what: str) -> FileProblem:
    return FileProblem(
        path=path, line=line, message=f"{what} that begins here never ends; close it."
    )
