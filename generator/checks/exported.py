"""Reads an exported site: which topics its parts hold, and the bytes of its files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

MANIFEST = ".fieldguide-export.json"
_OWN_PAGES = frozenset({"index"})
# With the setting site.url the links are whole addresses.
_LISTED = re.compile(r"^- \[[^\]]+\]\((?:https?://[^)\s]*/)?guides/([^)/]+)\.md\)", re.MULTILINE)


@dataclass(frozen=True, kw_only=True)
class ExportedSite:
    """A site on disk.

    Attributes:
        root: Its folder.
        stale: Files that a fresh export would write otherwise, or remove: name and what is wrong.
            None when nobody compared them.
    """

    root: Path
    stale: Mapping[str, str] | None = field(default=None)

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file; None when there is none."""
        try:
            return self.root.joinpath(*name.split("/")).read_bytes()
        except OSError:
            return None

    @cached_property
    def parts(self) -> dict[str, tuple[str, frozenset[str]]]:
        """What each part holds: by its label the file that lists it, and its topics.

        Parts that this export does not have are left out.
        """
        readers: dict[str, tuple[str, Callable[[], frozenset[str] | None]]] = {
            "HTML": ("guides", lambda: self._files("guides", ".html")),
            ".md": ("guides", lambda: self._files("guides", ".md")),
            ".json": ("guides", lambda: self._files("guides", ".json")),
            "the manifest": ("guides/index.json", self._manifest),
            "llms.txt": ("llms.txt", self._llms),
            "skills": ("skills", self._skills),
            "the index of skills": (".well-known/agent-skills/index.json", self._skill_index),
            "search": ("search", self._search),
        }
        found = {}
        for label, (name, read) in readers.items():
            topics = read()
            if topics is not None:
                found[label] = (name, topics)
        return found

    def _files(self, folder: str, suffix: str) -> frozenset[str]:
        return frozenset(
            path.stem
            for path in (self.root / folder).glob(f"*{suffix}")
            if path.stem not in _OWN_PAGES
        )

    def _json(self, name: str) -> Any:
        raw = self.read(name)
        try:
            return json.loads(raw) if raw is not None else None
        except (ValueError, RecursionError):
            return None

    def _manifest(self) -> frozenset[str]:
        return _texts(self._json("guides/index.json"), "guides", "topic")

    def _llms(self) -> frozenset[str]:
        text = (self.read("llms.txt") or b"").decode("utf-8", errors="replace")
        return frozenset(_LISTED.findall(text)) - _OWN_PAGES

    def _skills(self) -> frozenset[str]:
        folders = (path.parent.name for path in (self.root / "skills").glob("*/SKILL.md"))
        return frozenset(name.replace("-", "_") for name in folders)

    def _skill_index(self) -> frozenset[str]:
        names = _texts(self._json(".well-known/agent-skills/index.json"), "skills", "name")
        return frozenset(name.replace("-", "_") for name in names)

    def _search(self) -> frozenset[str] | None:
        places = sorted((self.root / "search" / "places").glob("*.js"))
        if not places:
            return None  # an export without search
        pages = (self.read(f"search/places/{path.name}") or b"" for path in places)
        return frozenset(topic.decode() for page in pages for topic in _FOUND_GUIDE.findall(page))


# A page in the search data: ``[section, "guides/recall.html", title, ...]``.
_FOUND_GUIDE = re.compile(rb'"guides/([a-z0-9_]+)\.html"')


def _texts(value: Any, rows: str, key: str) -> frozenset[str]:
    """Return the texts under a key of the rows of an object; none when its shape is another."""
    listed = value.get(rows) if isinstance(value, dict) else None
    return frozenset(
        row[key]
        for row in (listed if isinstance(listed, list) else ())
        if isinstance(row, dict) and isinstance(row.get(key), str)
    )


def find_site(root: Path) -> ExportedSite | None:
    """Return the export in a folder; None when there is none.

    Args:
        root: The folder; it need not exist.
    """
    marks = (root / MANIFEST, root / "guides" / "index.json", root / "llms.txt")
    return ExportedSite(root=root) if any(mark.is_file() for mark in marks) else None
