"""Large inlined scripts that look like libraries: judged once, remembered by their hash.

A megabyte of library takes seconds to parse, and a page is checked again and again while it is
written. So a large script that neither mounts nor draws nor holds the page's data is judged on its
own, and the verdict is kept in this process and, where a folder is given, on disk. The first check
uses the same verdict as every later one, so both say the same.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from generator.exceptions import StorageError
from generator.reports.libraries import digest
from generator.storage import read_text, write_atomic

#: Characters from which a script counts as large.
LARGE = 60_000
#: Problems of one rule that a verdict keeps.
_MOST_PROBLEMS = 1_000
_MOST_REMEMBERED = 64
#: What a page's own script does; such a script is read with the rest of the page.
_OWN_WORK = re.compile(r"\bnew\s+(?:window\.)?QUI\b|\bT\.init\s*\(\s*(?:[\"'`]|document\b)")
_DATA_FIRST = re.compile(r"\s*(?:const|let|var)\s+[\w$]+\s*=\s*[\[{\"'`]")
_RULES = ("script-syntax", "markup-from-script", "dynamic-code")


@dataclass(frozen=True, slots=True)
class Told:
    """One problem of a large script; ``index`` is its place in the script's text."""

    rule: str
    index: int
    message: str
    fix: str | None
    severity: str | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a large script.

    Attributes:
        problems: What the rules found.
        declared: Its top-level declarations: name, kind, place.
        globals: Every global name it defines.
        free: Names it uses and does not define.
    """

    problems: tuple[Told, ...]
    declared: tuple[tuple[str, str, int], ...]
    globals: tuple[str, ...]
    free: tuple[str, ...]


_REMEMBERED: dict[str, Verdict] = {}


def is_large(text: str) -> bool:
    """Tell whether a script is judged on its own: large, and without work of the page's own."""
    return len(text) >= LARGE and _DATA_FIRST.match(text) is None and _OWN_WORK.search(text) is None


def verdict_on(text: str, memory: Path | None) -> Verdict:
    """Return the verdict on a large classic script, from memory where it was judged before.

    Args:
        text: The script.
        memory: Folder that remembers between processes; None for this process only.
    """
    key = f"{digest(text)[:40]}-{_edition()[:12]}"
    found = _REMEMBERED.get(key) or _read(memory, key)
    if found is None:
        found = _judge(text)
        _write(memory, key, found)
    if len(_REMEMBERED) >= _MOST_REMEMBERED:
        _REMEMBERED.clear()
    _REMEMBERED[key] = found
    return found


@cache
def _edition() -> str:
    """Return a hash of the check itself: another edition of it judges anew."""
    folder = Path(__file__).parent
    combined = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        combined.update(path.read_bytes())
    return combined.hexdigest()


def _judge(text: str) -> Verdict:
    """Judge a script as the only one of a page."""
    from generator.reports.document import Document
    from generator.reports.page import Page
    from generator.reports.rules import RULES
    from generator.settings import ReportSettings

    head = "<script>"
    page = Page(Document(f"{head}{text}</script>"), ReportSettings(), apart=False)
    problems = tuple(
        Told(rule.id, problem.offset - len(head), problem.message, problem.fix, problem.severity)
        for rule in RULES
        if rule.id in _RULES
        for problem in islice(rule.check(page), _MOST_PROBLEMS)
    )
    declared: list[tuple[str, str, int]] = []
    free: set[str] = set()
    for program in page.programs:
        declared += [
            (item.name, item.kind, program.offset(item.node) - len(head))
            for item in program.declared
        ]
        free |= {
            node.name
            for node in program.nodes
            if node.type == "Identifier" and node.binding is None
        }
    return Verdict(
        problems, tuple(declared), tuple(sorted(page.page_scope.names)), tuple(sorted(free))
    )


def _read(memory: Path | None, key: str) -> Verdict | None:
    if memory is None or not (memory / f"{key}.json").is_file():
        return None
    try:
        raw: dict[str, Any] = json.loads(read_text(memory / f"{key}.json"))
        return Verdict(
            tuple(Told(**item) for item in raw["problems"]),
            tuple((str(name), str(kind), int(at)) for name, kind, at in raw["declared"]),
            tuple(raw["globals"]),
            tuple(raw["free"]),
        )
    except (StorageError, ValueError, KeyError, TypeError, RecursionError):
        return None  # a broken note is no note: the script is judged again


def _write(memory: Path | None, key: str, verdict: Verdict) -> None:
    if memory is None:
        return
    # A home that cannot be written costs time, nothing else.
    with contextlib.suppress(StorageError, UnicodeEncodeError):
        write_atomic(memory / f"{key}.json", json.dumps(asdict(verdict)))
