"""Finding what can be imported among the files that were listed.

Files that hold settings or keys are left alone, unless they are named as sources themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from generator.exceptions import ImportFormatError
from generator.history.importers import agenvoy, opencode, recognise, wolffish
from generator.history.importers.base import Sample, Unit, opener
from generator.history.importers.sniffing import Opener, container, members, sample, zstd_opener
from generator.history.listing import Listing

_NEVER_FILES = frozenset(
    [
        "config.json",
        "credentials.json",
        "auth.json",
        "oauth_creds.json",
        ".credentials.json",
        "settings.json",
        "package.json",
        "package-lock.json",
        "tsconfig.json",
        "users.json",
        "user.json",
    ]
)
_SUFFIXES = (".jsonl", ".ndjson", ".json", ".zip", ".zst", ".db", ".sqlite")


def find_units(listing: Listing, formats: dict[str, str | None]) -> Iterator[Unit]:
    """Yield the units of a listing, databases first.

    Databases go first because they hold the older messages of an Agenvoy session, whose
    numbers should come before those of its folder.

    Args:
        listing: The files.
        formats: Formats by path that are known already, as ``format/kind``; None for files
            that nobody reads. Paths that are missing are looked into and entered here.
    """
    claimed, taken = _claimed(listing)
    single = [unit for unit in _single(listing, taken, formats) if unit is not None]
    yield from sorted((*single, *claimed), key=lambda unit: (unit.kind != "sqlite", str(unit.path)))


def _claimed(listing: Listing) -> tuple[list[Unit], set[str]]:
    """Return the units that are made of folders, and the files they take."""
    units: list[Unit] = []
    taken: set[str] = set()
    for folder, (_, below) in sorted(listing.folders.items()):
        root = Path(folder)
        brain = listing.folders.get(str(root / "brain"), ([], []))[1]
        if wolffish.claim(frozenset(below), frozenset(brain)):
            prefix = folder.rstrip(os.sep) + os.sep
            inside = [path for path in listing.files if path.startswith(prefix)]
            taken.update(inside)
            units.extend(wolffish.units(root, sorted(map(Path, inside))))
    for folder, (names, below) in sorted(listing.folders.items()):
        looks = "history.json" in names or "usage.log" in names or "action.log" in names
        if not looks and "history" not in below:
            continue
        root = Path(folder)
        files = [str(root / name) for name in names]
        if any(path in taken for path in files):
            continue
        if agenvoy.claim(root, frozenset(names), frozenset(below)):
            parts = tuple(path for path in agenvoy.parts(root) if str(path) in listing.files)
            taken.update(files)
            taken.update(path for path in listing.files if path.startswith(folder + os.sep))
            units.append(
                Unit(
                    path=root,
                    format=agenvoy.FORMAT,
                    kind="folder",
                    parts=parts,
                    open=opener(root),
                )
            )
    return units, taken


def _single(
    listing: Listing, taken: set[str], formats: dict[str, str | None]
) -> Iterator[Unit | None]:
    """Yield the units that are one file, looking into files that are not known yet."""
    parts_of_sessions = (os.sep + "message" + os.sep, os.sep + "part" + os.sep)
    for text in sorted(listing.files):
        path = Path(text)
        if text in taken or path.name in _NEVER_FILES:
            continue
        if not text.endswith(_SUFFIXES) and text not in listing.named:
            continue
        if any(mark in text for mark in parts_of_sessions) and _is_session_part(path):
            continue
        if listing.files[text][0] == 0:
            continue
        if text not in formats:
            try:
                formats[text] = _look(path)
            except (OSError, ImportFormatError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                listing.problems.append((text, reason))
                continue
        known = formats[text]
        if known is None:
            continue
        name, kind = known.split("/", 1)
        yield _unit(path, name, kind, listing)


def _is_session_part(path: Path) -> bool:
    """Tell a message or part of opencode's old layout, which its session is read with."""
    group = path.parent.parent
    return group.name in ("message", "part") and (group.parent / "session").is_dir()


def _look(path: Path) -> str | None:
    kind = container(path)
    if kind == "zip":
        for _, open_member in members(path):
            name = _recognised(sample(path, open_member))
            if name is not None:
                return f"{name}/zip"
        return None
    open_file: Opener = zstd_opener(path) if kind == "zstd" else opener(path)
    found = sample(path, open_file)
    name = _recognised(found)
    if found is None or name is None:
        return None
    return f"{name}/{kind or found.kind}" + (f"-{found.kind}" if kind else "")


def _recognised(found: Sample | None) -> str | None:
    return recognise(found) if found is not None else None


def _unit(path: Path, name: str, kind: str, listing: Listing) -> Unit:
    parts: tuple[Path, ...] = (path,)
    open_file: Opener = opener(path)
    grows = kind == "lines"
    if kind.startswith("zstd-"):
        kind = kind.removeprefix("zstd-")
        open_file = zstd_opener(path)
    elif kind == "sqlite":
        log = path.with_name(path.name + "-wal")
        parts = (path, log) if str(log) in listing.files else (path,)
    elif name == opencode.FORMAT and kind == "object" and path.parent.parent.name == "session":
        every = opencode.session_parts(path, path.stem)
        parts = tuple(part for part in every if str(part) in listing.files)
    elif name == "claude-code":
        parts = (path, *_beside(path, listing))
    return Unit(path=path, format=name, kind=kind, parts=parts, open=open_file, grows=grows)


def _beside(path: Path, listing: Listing) -> Iterator[Path]:
    """Yield the small files that belong to a Claude Code transcript."""
    meta = path.with_suffix(".meta.json")
    if str(meta) in listing.files:
        yield meta
    folder = path.with_suffix("") / "tool-results"
    for name in sorted(listing.folders.get(str(folder), ([], []))[0]):
        yield folder / name


def zip_units(unit: Unit) -> Iterator[Unit]:
    """Yield a unit for every readable member of a ZIP.

    Raises:
        ImportFormatError: The ZIP is broken.
    """
    for _, open_member in members(unit.path):
        found = sample(unit.path, open_member)
        name = recognise(found) if found is not None else None
        if found is not None and name is not None and found.kind != "sqlite":
            yield Unit(
                path=unit.path,
                format=name,
                kind=found.kind,
                parts=unit.parts,
                open=open_member,
            )
