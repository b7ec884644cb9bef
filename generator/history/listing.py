"""Listing the files below the sources: one pass over their folders, no file opened.

Dot folders, ``node_modules`` and links are never entered.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

_NEVER_FOLDERS = frozenset({"node_modules", "__pycache__"})


@dataclass(slots=True)
class Listing:
    """Every regular file below the sources, with size and time.

    Attributes:
        files: Size and time in nanoseconds by path.
        folders: Names of files and of folders by folder.
        named: Files that are sources themselves; they are looked into whatever their names.
        problems: What could not be read or was not followed, with the reason.
    """

    files: dict[str, tuple[int, int]] = field(default_factory=dict)
    folders: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    problems: list[tuple[str, str]] = field(default_factory=list)


def list_sources(sources: Iterable[Path], exclude: Iterable[str], never: Path) -> Listing:
    """List the files below sources.

    Args:
        sources: Files and folders.
        exclude: Glob patterns; a path, its name, or its path below the source that fits one is
            left out.
        never: A folder that is never entered: the home.
    """
    listing = Listing()
    patterns = tuple(exclude)
    for source in sources:
        try:
            state = source.stat()
        except OSError as error:
            listing.problems.append((str(source), error.strerror or "unreadable"))
            continue
        if stat.S_ISDIR(state.st_mode):
            _walk(str(source), str(source), patterns, str(never), listing)
        elif not is_excluded(str(source), str(source.parent), patterns):
            listing.files[str(source)] = (state.st_size, state.st_mtime_ns)
            listing.named.add(str(source))
            _add_log(source, listing)
            listing.folders.setdefault(str(source.parent), ([], []))[0].append(source.name)
    return listing


def _add_log(source: Path, listing: Listing) -> None:
    """List the write-ahead log of a database that is a source itself."""
    log = source.with_name(source.name + "-wal")
    try:
        state = log.stat(follow_symlinks=False)
    except OSError:
        return
    if stat.S_ISREG(state.st_mode):
        listing.files[str(log)] = (state.st_size, state.st_mtime_ns)


def _walk(top: str, root: str, patterns: tuple[str, ...], never: str, listing: Listing) -> None:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        names: list[str] = []
        below: list[str] = []
        try:
            with os.scandir(folder) as entries:
                listed = list(entries)
        except OSError as error:
            listing.problems.append((folder, error.strerror or "unreadable"))
            continue
        for entry in listed:
            name, path = entry.name, entry.path
            if name.startswith("."):
                continue
            if not name.isascii() and not _is_text(name):
                listing.problems.append((ascii(path), "a name that is no valid text"))
                continue
            if patterns and is_excluded(path, root, patterns):
                continue
            try:
                state = entry.stat(follow_symlinks=False)
            except OSError as error:
                listing.problems.append((path, error.strerror or "unreadable"))
                continue
            if stat.S_ISREG(state.st_mode):
                listing.files[path] = (state.st_size, state.st_mtime_ns)
                names.append(name)
            elif stat.S_ISDIR(state.st_mode):
                if name not in _NEVER_FOLDERS and path != never:
                    below.append(name)
                    waiting.append(path)
            elif stat.S_ISLNK(state.st_mode):
                listing.problems.append((path, "a link, which is not followed"))
        listing.folders[folder] = (names, below)


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def is_excluded(path: str, root: str, patterns: tuple[str, ...]) -> bool:
    """Tell whether a path, its name, or its path below a source fits one of some patterns."""
    plain = path.replace("\\", "/")
    relative = plain[len(root) :].lstrip("/")
    name = plain.rsplit("/", 1)[-1]
    return any(
        fnmatchcase(candidate, pattern.rstrip("/"))
        for pattern in patterns
        for candidate in (plain, relative, name)
    )
