"""Looks at what is installed and where things are, and says how to get what is missing."""

from __future__ import annotations

import os
import platform
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Literal

import generator
from generator.exceptions import FieldguideError
from generator.guides.loader import load_library
from generator.workspace import Workspace

State = Literal["ok", "missing", "broken"]

_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# Distributions that bring an import name of ours in a form that does not work.
_RIVALS = {
    "esprima": "esprima-fork",
    "Whoosh": "whoosh3",
    "Whoosh-Reloaded": "whoosh3",
}
_USES = {
    "charts": "charts and diagrams in rendered reports",
    "browser": "report check --browser",
    "semantic": "match=semantic in chat_history, order=hybrid in memory_search",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: What it is.
        state: ``ok``; ``missing``: something optional is not there; ``broken``: it must be mended.
        detail: What was seen.
        fix: What to do, empty when nothing.
    """

    name: str
    state: State
    detail: str
    fix: str = ""


def examine(workspace: Workspace) -> list[Check]:
    """Look at everything.

    Args:
        workspace: Whose home is looked at.

    Returns:
        What was seen, in the order in which people need it.
    """
    return [
        Check(name="fieldguide", state="ok", detail=f"{generator.__version__}, {_place()}"),
        Check(
            name="Python", state="ok", detail=f"{platform.python_version()} ({platform.system()})"
        ),
        _home(workspace),
        _settings(workspace),
        *_guides(workspace),
        *_libraries(),
        *_extras(),
        _browser(),
    ]


def _place() -> str:
    return f"in {Path(generator.__file__).parent}"


def _home(workspace: Workspace) -> Check:
    root = workspace.home.root
    if root.exists() and not root.is_dir():
        return Check(
            name="home", state="broken", detail=f"{root} is a file", fix="Move it, or set --home."
        )
    standing = root
    while not standing.exists():
        standing = standing.parent
    if not os.access(standing, os.W_OK):
        return Check(
            name="home",
            state="broken",
            detail=f"{root} cannot be written",
            fix="Change its permissions, or set $FIELDGUIDE_HOME to another folder.",
        )
    detail = str(root) if root.exists() else f"{root} (made on the first write)"
    return Check(name="home", state="ok", detail=detail)


def _settings(workspace: Workspace) -> Check:
    path = workspace.home.config
    try:
        _ = workspace.settings
    except FieldguideError as error:
        return Check(name="settings", state="broken", detail=error.message, fix=error.hint or "")
    detail = str(path) if path.exists() else "defaults (no config.json)"
    return Check(name="settings", state="ok", detail=detail)


def _guides(workspace: Workspace) -> Iterator[Check]:
    library = load_library(workspace)
    own = [guide for guide in library.guides.values() if guide.origin == "user"]
    overriding = [guide.topic for guide in own if guide.overrides]
    detail = f"{len(library.guides) - len(own)} shipped, {len(own)} of your own"
    if overriding:
        detail += f" (overriding {', '.join(overriding)})"
    if len(own) == len(library.guides):
        yield Check(name="guides", state="broken", detail=detail, fix="Install fieldguide again.")
    else:
        yield Check(name="guides", state="ok", detail=detail)
    for topic, problem in library.problems.items():
        yield Check(
            name=f"guide {topic}", state="broken", detail=problem.message, fix=problem.hint or ""
        )
    for remark in library.remarks:
        yield Check(name="guides", state="missing", detail=remark)


def _requirements() -> Iterator[tuple[str, str | None]]:
    """Yield the distributions we need, each with its extra or None."""
    for line in requires("fieldguide") or ():
        name = re.split(r"[\s;<>=!~\[]", line, maxsplit=1)[0]
        extra = re.search(r"""extra\s*==\s*["']([^"']+)["']""", line)
        if name.lower() != "fieldguide":
            yield name, extra[1] if extra else None


def _installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def _libraries() -> Iterator[Check]:
    try:
        needed = [name for name, extra in _requirements() if extra is None]
    except PackageNotFoundError:
        yield Check(
            name="libraries",
            state="broken",
            detail="fieldguide itself is not installed, only found",
            fix="Install it: pip install -e .",
        )
        return
    absent = [name for name in needed if not _installed(name)]
    if absent:
        yield Check(
            name="libraries",
            state="broken",
            detail=f"not installed: {', '.join(absent)}",
            fix=f"pip install {' '.join(absent)}",
        )
    else:
        yield Check(name="libraries", state="ok", detail=f"all {len(needed)} installed")
    for rival, ours in _RIVALS.items():
        if _installed(rival):
            yield Check(
                name=f"library {ours}",
                state="broken",
                detail=f"{rival} is installed too and hides {ours}",
                fix=f"pip uninstall {rival} && pip install --force-reinstall {ours}",
            )


def _extras() -> Iterator[Check]:
    for extra, use in _USES.items():
        try:
            names = [name for name, owner in _requirements() if owner == extra]
        except PackageNotFoundError:
            return
        absent = [name for name in names if not _installed(name)]
        if absent:
            yield Check(
                name=f"extra {extra}",
                state="missing",
                detail=f"{use}: needs {', '.join(absent)}",
                fix=f"pip install 'fieldguide[{extra}]'",
            )
        else:
            yield Check(name=f"extra {extra}", state="ok", detail=use)


def _browser() -> Check:
    for name in _BROWSERS:
        found = shutil.which(name)
        if found:
            return Check(name="Chromium", state="ok", detail=found)
    return Check(
        name="Chromium",
        state="missing",
        detail="report check --browser: no Chromium on the PATH",
        fix="Install it with the package manager (Debian: apt install chromium).",
    )
