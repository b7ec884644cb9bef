"""Finds the files to check, and tells guides from other Markdown that agents read."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from generator.checks.document import Document, Kind
from generator.exceptions import UsageError
from generator.guides.loader import guide_files
from generator.markup.front_matter import normalise
from generator.paths import shipped
from generator.storage import read_bytes
from generator.workspace import Workspace

SUFFIXES = (".md", ".mdc", ".markdown")
# Files that agents and people read under these names have a form of their own: no front matter of
# ours, a level-1 heading.
RULE_FILES = frozenset(
    {
        "agents", "agent", "claude", "claude.local", "gemini", "skill", "readme", "changelog",
        "contributing", "license", "security", "code_of_conduct", "copilot-instructions",
        "conventions", "cursorrules", "warp", "crush", "qwen",
    }
)  # fmt: skip
_RULE_SUFFIXES = (".mdc", ".instructions.md", ".prompt.md", ".agent.md", ".chatmode.md")
# Hidden folders in which agents keep rules; other hidden folders are nobody's to check.
_AGENT_FOLDERS = frozenset(
    {
        ".agents", ".claude", ".clinerules", ".codex", ".continue", ".cursor", ".fieldguide",
        ".gemini", ".github", ".junie", ".kiro", ".opencode", ".qwen", ".roo", ".trae", ".windsurf",
    }
)  # fmt: skip
_SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})
_EXPORT_MANIFEST = ".fieldguide-export.json"
# What only a guide of ours has in its front matter.
_OURS = re.compile(r"\A---[ \t]*\n(?:.*\n)*?(?:summary|since|aliases)[ \t]*:", re.ASCII)
_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$", re.DOTALL | re.MULTILINE)


def library_documents(workspace: Workspace) -> list[Document]:
    """Return the shipped guides and those of the home; a user's guide hides the shipped one."""
    found: dict[str, tuple[Path, str]] = {}
    for folder, origin in ((shipped("guides"), "shipped"), (workspace.home.guides, "user")):
        for path in guide_files(folder):
            found[path.stem] = (path, origin)
    return [
        read_document(path, "guide", origin=origin, cwd=workspace.cwd)
        for _, (path, origin) in sorted(found.items())
    ]


def documents_at(
    paths: Sequence[Path],
    *,
    cwd: Path,
    exclude: Sequence[str] = (),
    guides: Sequence[str] = (),
    rules: Sequence[str] = (),
) -> list[Document]:
    """Return the Markdown files of some paths, each once, in path order.

    Args:
        paths: Files and folders.
        cwd: The folder that shown paths are relative to.
        exclude: Patterns of paths to leave out.
        guides: Patterns of files that are guides, whatever they look like.
        rules: Patterns of files that are none.

    Raises:
        UsageError: A path does not exist.
    """
    files: dict[Path, str] = {}
    for path in paths:
        if path.is_dir():
            for file in sorted(_walk(path)):
                files.setdefault(file, "folder")
        elif path.exists():
            files[path] = "file"
        else:
            raise UsageError(f"{path} does not exist.", hint="Name files or folders of Markdown.")
    texts: dict[Path, bytes] = {}
    for path in list(files):
        shown = shown_path(path, cwd)
        if any(_matches(shown, pattern) for pattern in exclude):
            continue
        texts[path] = read_bytes(path)
    kinds = _kinds(texts)
    documents = []
    for path, raw in texts.items():
        shown = shown_path(path, cwd)
        kind = kinds[path]
        if any(_matches(shown, pattern) for pattern in guides):
            kind = "guide"
        elif any(_matches(shown, pattern) for pattern in rules):
            kind = "rules"
        documents.append(_document(path, raw, kind, origin="path", cwd=cwd))
    return documents


def read_document(path: Path, kind: Kind, *, origin: str, cwd: Path) -> Document:
    """Read one file.

    Raises:
        StorageError: It cannot be read.
    """
    return _document(path, read_bytes(path), kind, origin=origin, cwd=cwd)


def shown_path(path: Path, cwd: Path) -> str:
    """Return a path as findings show it: relative to the working folder where it lies in it."""
    absolute = Path(os.path.abspath(path))  # noqa: PTH100 - links stay as they are named
    try:
        return absolute.relative_to(cwd).as_posix()
    except ValueError:
        return absolute.as_posix()


def _document(path: Path, raw: bytes, kind: Kind, *, origin: str, cwd: Path) -> Document:
    damaged = 0
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        damaged = raw.count(b"\n", 0, error.start) + 1
        text = raw.decode("utf-8", errors="replace")
    return Document(
        path=Path(os.path.abspath(path)),  # noqa: PTH100 - links stay as they are named
        name=shown_path(path, cwd),
        kind=kind,
        source=normalise(text),
        damaged=damaged,
        crlf="\r\n" in text,
        origin=origin,
    )


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the Markdown files below a folder; links to folders are not followed."""
    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = [
            name
            for name in folders
            if name not in _SKIPPED
            and (not name.startswith(".") or name in _AGENT_FOLDERS)
            and not (here / name / _EXPORT_MANIFEST).exists()
            and not (here / name / "pyvenv.cfg").exists()
        ]
        for name in names:
            hidden = name.startswith(".") and name != ".cursorrules"
            if name == ".cursorrules" or (name.lower().endswith(SUFFIXES) and not hidden):
                yield here / name


def _kinds(texts: dict[Path, bytes]) -> dict[Path, Kind]:
    """Tell guides from other Markdown.

    A file under a name of the list, below a skill or in an agent's folder is none. Of the rest
    those with our front matter are guides, and so are their neighbours, whose front matter is
    then missing or wrong. Where nothing else stands at all, everything is meant to be a guide.
    """
    named = {path for path in texts if _is_rule_file(path)}
    skills = {path.parent for path in texts if path.name.lower() == "skill.md"}
    marked = {
        path
        for path, raw in texts.items()
        if path not in named and _OURS.match(_front(raw)) is not None
    }
    homes = {path.parent for path in marked}
    project = any(path.stem.lower() not in ("readme", "license") for path in named)
    kinds: dict[Path, Kind] = {}
    for path in texts:
        below_skill = any(parent in skills for parent in path.parents)
        if path in named or (below_skill and path not in marked):
            kinds[path] = "rules"
        elif path in marked or path.parent in homes or not project:
            kinds[path] = "guide"
        else:
            kinds[path] = "rules"
    return kinds


def _is_rule_file(path: Path) -> bool:
    name = path.name.lower()
    return (
        path.stem.lower() in RULE_FILES
        or name == ".cursorrules"
        or name.endswith(_RULE_SUFFIXES)
        or any(part in _AGENT_FOLDERS - {".fieldguide"} for part in path.parts[-4:-1])
    )


def _front(raw: bytes) -> str:
    """Return the front matter of a file, its marks included; "" when it has none."""
    text = normalise(raw[:16_384].decode("utf-8", errors="replace"))
    block = _FRONT.match(text)
    return block[0] if block else ""


def _matches(shown: str, pattern: str) -> bool:
    """Match a path with a pattern; ``**/`` stands for any folders, none included."""
    return fnmatchcase(shown, pattern) or (
        pattern.startswith("**/") and fnmatchcase(shown, pattern[3:])
    )
