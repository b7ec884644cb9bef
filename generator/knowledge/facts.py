"""Durable facts in ``knowledge/<type>.md``: saved without repeats, read, forgotten.

Everything else in the files is the person's: only the line of a fact is added or taken out, and
line ends, order and headings stay as they are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from generator.echo import quoted
from generator.exceptions import NotFoundError, StorageError, UsageError
from generator.knowledge.fact_file import Fact, fact_id, one_line, parse_facts, write_item
from generator.knowledge.sameness import is_near, normalise_fact
from generator.limits import FACT_CHARACTERS
from generator.model.problem import FileProblem
from generator.paths import Home
from generator.storage import file_lock, write_atomic
from generator.workspace import Workspace

FactType = Literal["projects", "people", "preferences", "technical", "decisions"]
TYPES: tuple[FactType, ...] = get_args(FactType)

_LOCK_SECONDS = 20.0
_SIMILAR_MAX = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What saving a fact did.

    Attributes:
        status: ``saved``; ``known``: the same fact stands there and nothing was added;
            ``similar``: saved, and near ones stand there.
        fact: The fact as it stands in its file.
        similar: Near ones, the nearest place first.
        masked: Secrets that were masked, by kind.
    """

    status: Literal["saved", "known", "similar"]
    fact: Fact
    similar: tuple[Fact, ...]
    masked: dict[str, int]


def save_fact(workspace: Workspace, text: str, type: FactType = "technical") -> Saved:  # noqa: A002 - the tool's own word
    """Save one fact, unless the same one stands in any of the files.

    Args:
        workspace: Whose home, clock and allow list of secrets to use.
        text: One self-contained sentence; line breaks become spaces, secrets are masked.
        type: Which file it belongs to.

    Raises:
        UsageError: The fact is empty, has no word in it, or is too long.
        StorageError: The file cannot be read or written.
    """
    from generator.masking import mask

    masked = mask(
        unicodedata.normalize("NFC", one_line(text)), allow=workspace.settings.site.allow_secrets
    )
    fact = masked.text
    if not normalise_fact(fact):
        raise UsageError(
            "The fact is empty.", hint="Write one self-contained sentence with what is to be kept."
        )
    if len(fact) > FACT_CHARACTERS:
        raise UsageError(
            f"The fact has {len(fact)} characters and a fact takes at most {FACT_CHARACTERS}.",
            hint="Save one sentence a fact; longer texts belong into a note.",
        )
    folder = workspace.home.knowledge
    with file_lock(folder / ".lock", timeout=_LOCK_SECONDS):
        facts, _ = load_facts(workspace.home)
        wanted = normalise_fact(fact)
        for standing in facts:
            if normalise_fact(standing.text) == wanted:
                return Saved(status="known", fact=standing, similar=(), masked=dict(masked.counts))
        similar = [item for item in facts if is_near(normalise_fact(item.text), wanted)]
        path = folder / f"{type}.md"
        line = write_item(fact, workspace.now().date())
        _append(path, line, title=type.capitalize())
    similar.sort(key=lambda item: item.path != path)
    return Saved(
        status="similar" if similar else "saved",
        fact=_find(workspace.home, path.name, fact_id(fact)),
        similar=tuple(similar[:_SIMILAR_MAX]),
        masked=dict(masked.counts),
    )


def load_facts(home: Home) -> tuple[list[Fact], list[FileProblem]]:
    """Read every fact of every file, and what is wrong with the files."""
    facts: list[Fact] = []
    problems: list[FileProblem] = []
    for path in fact_files(home):
        try:
            data = _read(path)
        except StorageError as error:
            problems.append(FileProblem(path=path, line=0, message=str(error)))
            continue
        found, wrong = parse_facts(data, path)
        facts += found
        problems += wrong
    return facts, problems


def fact_files(home: Home) -> Iterator[Path]:
    """Yield the Markdown files in ``knowledge/``, those of the five types first."""
    if not home.knowledge.is_dir():
        return
    order = {f"{name}.md": number for number, name in enumerate(TYPES)}
    for path in sorted(home.knowledge.iterdir(), key=lambda p: (order.get(p.name, 9), p.name)):
        if path.suffix == ".md" and not path.name.startswith(".") and path.is_file():
            yield path


def get_fact(home: Home, ref: str) -> Fact:
    """Return the fact behind a ref.

    Args:
        home: The folder with the user's data.
        ref: ``file:knowledge/<file>.md#<id>``, with or without ``file:`` and the folder.

    Raises:
        UsageError: It is no ref of a fact.
        NotFoundError: No such fact stands there (any more).
    """
    bare = ref.strip().strip("`'\"").removeprefix("file:").removeprefix("knowledge/")
    name, mark, wanted = bare.rpartition("#")
    if not mark or "/" in name or "\\" in name or not name.endswith(".md"):
        raise UsageError(
            f"{quoted(ref)} is not the ref of a fact.",
            hint="Copy it as memory_save or memory_search printed it, such as "
            "file:knowledge/technical.md#1a2b3c4d.",
        )
    return _find(home, name, wanted)


def forget_fact(home: Home, ref: str) -> Fact:
    """Take one fact out of its file.

    Raises:
        UsageError: It is no ref of a fact.
        NotFoundError: No such fact stands there.
        StorageError: The file cannot be written.
    """
    with file_lock(home.knowledge / ".lock", timeout=_LOCK_SECONDS):
        fact = get_fact(home, ref)
        data = _read(fact.path)
        write_atomic(fact.path, data[: fact.start] + data[fact.start + fact.length :])
    return fact


def _find(home: Home, name: str, wanted: str) -> Fact:
    path = home.knowledge / name
    if path.is_file():
        for fact in parse_facts(_read(path), path)[0]:
            if fact.id == wanted:
                return fact
    raise NotFoundError(
        f"There is no fact behind file:knowledge/{name}#{wanted}.",
        hint="It was changed or taken out; find it again with memory_search(sources='knowledge').",
    )


def _read(path: Path) -> bytes:
    if path.is_symlink():
        raise StorageError(
            f"{path} is a link, which may lead out of the home.", hint="Put the file itself here."
        )
    try:
        return path.read_bytes()
    except OSError as error:
        raise StorageError(f"{path} could not be read: {error.strerror or error}.") from error


def _append(path: Path, line: str, *, title: str) -> None:
    data = _read(path) if path.exists() or path.is_symlink() else f"# {title}\n\n".encode()
    end = b"\r\n" if b"\r\n" in data else b"\n"
    if data and not data.endswith(b"\n"):
        data += end
    write_atomic(path, data + line.encode("utf-8", "replace") + end)
