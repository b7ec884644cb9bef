"""Wolffish: a workspace of Markdown, conversations and ledgers; which file is what.

Each source has a reader of its own in ``wolffish_*.py``; this module knows where they lie.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from generator.history.importers import (
    wolffish_conversation,
    wolffish_ledger,
    wolffish_notebook,
)
from generator.history.importers.base import Parsed, Reading, Sample, Unit, mark_of, opener
from generator.model.session import Document, Head, Usage

FORMAT = "wolffish"

ARTIFACT_FOLDERS = ("files", "uploads", "screenshots", "speech")
_BRAIN_FOLDERS = frozenset(
    ["hippocampus", "conversations", "motor", "basalganglia", "corpus", "reflection", "cerebellum"]
)
_NEVER = frozenset({"config.json"})
_CLOSED_FOLDERS = ("telegram", "extension", "brain/cerebellum", "whatsapp")
_HISTORY_OF_CHATS = "whatsapp/read-history.json"

Reader = Callable[[Path, str, Reading], Iterator[Document]]

# Where each source lies in the workspace, the first that fits: pattern, source, reader.
_PLACES: tuple[tuple[re.Pattern[str], str, Reader], ...] = (
    (
        re.compile(r"brain/hippocampus/episodes/[^/]+\.md"),
        "episode",
        wolffish_notebook.episodes,
    ),
    (
        re.compile(r"brain/hippocampus/knowledge/[^/]+\.md"),
        "knowledge",
        wolffish_notebook.sections("knowledge"),
    ),
    (
        re.compile(r"brain/hippocampus/consolidated/[^/]+\.md"),
        "consolidated",
        wolffish_notebook.sections("consolidated"),
    ),
    (
        re.compile(r"brain/reflection/.+\.md"),
        "reflection",
        wolffish_notebook.sections("reflection"),
    ),
    (re.compile(r"brain/motor/tasks/TASK-[^/]+-detail\.log"), "task", wolffish_notebook.details),
    (re.compile(r"brain/motor/tasks/TASK-[^/]+\.md"), "task", wolffish_notebook.tasks),
    (re.compile(r"brain/basalganglia/[^/]+\.md"), "feedback", wolffish_notebook.feedback),
    (re.compile(r"brain/corpus/[^/]+\.log\.md"), "corpus", wolffish_notebook.corpus),
    (re.compile(r"logs/.+\.(log|jsonl)"), "log", wolffish_notebook.logs),
    (re.compile(re.escape(_HISTORY_OF_CHATS)), "conversation", wolffish_notebook.chats),
    (re.compile(r".+\.md"), "doc", wolffish_notebook.sections("doc")),
)


def recognise(sample: Sample) -> bool:
    """Tell whether a single file is a conversation of a workspace that is not there."""
    return sample.kind == "object" and any(
        "messages" in record and "createdAt" in record and "id" in record
        for record in sample.records
    )


def claim(folders: frozenset[str], brain: frozenset[str]) -> bool:
    """Tell whether a folder is a workspace, by the folders in it and in its ``brain``."""
    return "brain" in folders and bool(brain & _BRAIN_FOLDERS)


def units(root: Path, listed: list[Path]) -> Iterator[Unit]:
    """Yield a unit for each file of a workspace that is read, and one a folder of artifacts.

    Args:
        root: The workspace.
        listed: Every file below it, dot folders and links left out.
    """
    artifacts: dict[str, list[Path]] = {}
    for path in listed:
        relative = path.relative_to(root).as_posix()
        top = relative.split("/", 1)[0]
        if is_closed(relative):
            continue
        if top in ARTIFACT_FOLDERS:
            artifacts.setdefault(top, []).append(path)
            continue
        if _is_read(relative):
            yield Unit(
                path=path,
                format=FORMAT,
                kind="object" if relative.endswith(".json") else "text",
                parts=(path,),
                open=opener(path),
                root=root,
            )
    for top, paths in artifacts.items():
        folder = root / top
        yield Unit(
            path=folder,
            format=FORMAT,
            kind="folder",
            parts=tuple(sorted(paths)),
            open=opener(folder),
            root=root,
        )


def is_closed(relative: str) -> bool:
    """Tell whether a path below a workspace is never read: settings, the state of channels."""
    if relative == _HISTORY_OF_CHATS:
        return False
    return relative in _NEVER or relative.startswith(
        ("brain/cortex.db", *(f"{folder}/" for folder in _CLOSED_FOLDERS))
    )


def _is_read(relative: str) -> bool:
    return (
        _is_conversation(relative)
        or _is_ledger(relative)
        or any(pattern.fullmatch(relative) for pattern, _, _ in _PLACES)
    )


def _is_conversation(relative: str) -> bool:
    return relative.startswith("brain/conversations/") and relative.endswith(".json")


def _is_ledger(relative: str) -> bool:
    return relative.startswith(("usage/daily/", "usage/providers/")) and relative.endswith(".md")


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the conversation, the documents or the spending of one unit."""
    if unit.root is None:
        yield from wolffish_conversation.read(unit, reading)
        return
    relative = unit.path.relative_to(unit.root).as_posix()
    if unit.kind == "folder":
        documents = wolffish_notebook.artifacts(unit.root, unit.parts, reading)
        yield _documents(unit.root, "artifact", list(documents))
    elif _is_conversation(relative):
        yield from wolffish_conversation.read(unit, reading)
    elif _is_ledger(relative):
        rows = list(wolffish_ledger.read(unit, reading))
        shown = [document for document, _ in rows]
        yield _documents(unit.root, "usage", shown, [usage for _, usage in rows])
    else:
        for pattern, source, reader in _PLACES:
            if pattern.fullmatch(relative):
                yield _documents(unit.root, source, list(reader(unit.path, relative, reading)))
                return


def _documents(
    root: Path, source: str, documents: list[Document], usage: list[Usage] | None = None
) -> Parsed:
    """Put one file's documents into the set of their source in this workspace."""
    return Parsed(
        head=Head(
            id=f"{mark_of(str(PurePosixPath(root.as_posix())))}-{source}",
            agent=FORMAT,
            holds="documents",
            cwd=str(root),
        ),
        documents=documents,
        usage=usage or (),
        counts_as_session=False,
        snapshot=True,
    )
