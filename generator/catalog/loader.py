"""Reads catalog files: the shipped ones and those a user dropped into ``catalogs/``.

A file that is broken, or whose shape is wrong, is reported with its line and left out; the
others still work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from generator.catalog.shape import read_catalog
from generator.exceptions import StorageError
from generator.model.catalog import Catalog, CatalogTool, Prefix, Rename
from generator.model.problem import FileProblem
from generator.paths import Home
from generator.storage import read_text

DATA = Path(__file__).parent / "data"
# The order in which platforms are shown: the newest description of a platform first.
SHIPPED = ("agenvoy.yaml", "agenvoy-1.3.yaml", "wolffish.yaml", "memory-skill.yaml")
_SUFFIXES = (".yaml", ".yml", ".json")
OWN_PLATFORM = "fieldguide"


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogs:
    """Every catalog there is, our own first.

    Attributes:
        own: This product's tools.
        others: Other platforms, shipped ones first.
        problems: What was wrong with files of the user's.
    """

    own: tuple[CatalogTool, ...]
    others: tuple[Catalog, ...]
    problems: tuple[FileProblem, ...] = ()

    def tools(self) -> Iterator[CatalogTool]:
        """Yield every tool, our own first, then platform by platform in file order."""
        yield from self.own
        for catalog in self.others:
            yield from catalog.tools

    def named(self, name: str) -> list[CatalogTool]:
        """Return the tools of that exact name, one for each platform and version that has it."""
        return [tool for tool in self.tools() if tool.name == name]

    def prefixes(self) -> Iterator[Prefix]:
        """Yield the prefixes of tools that exist only at run time."""
        for catalog in self.others:
            yield from catalog.prefixes

    def renames(self) -> Iterator[Rename]:
        """Yield the ledger of renames over all platforms."""
        for catalog in self.others:
            yield from catalog.renames

    def knows(self, name: str) -> bool:
        """Tell whether a tool of that name exists somewhere, or is made at run time."""
        return any(tool.name == name for tool in self.tools()) or any(
            name.startswith(prefix.prefix) and len(name) > len(prefix.prefix)
            for prefix in self.prefixes()
        )


def load_catalogs(home: Home, own: Iterable[CatalogTool] = ()) -> Catalogs:
    """Load every catalog.

    Args:
        home: The home whose ``catalogs/`` holds a user's own files (YAML or JSON).
        own: This product's tools, as the registry describes them.
    """
    others: list[Catalog] = []
    problems: list[FileProblem] = []
    for path in [*(DATA / name for name in SHIPPED), *_user_files(home)]:
        try:
            text = read_text(path)
        except StorageError as error:
            problems.append(FileProblem(path=path, line=0, message=str(error)))
            continue
        catalog, found = _read(text, path)
        problems.extend(found)
        if catalog is not None:
            others.append(catalog)
    return Catalogs(own=tuple(own), others=tuple(others), problems=tuple(problems))


@lru_cache(maxsize=64)
def _read(text: str, path: Path) -> tuple[Catalog | None, list[FileProblem]]:
    """Read a catalog once for each text: a site that is served loads them on every change."""
    catalog, problems = read_catalog(text, path)
    return catalog and replace(catalog, shipped=path.parent == DATA), problems


def _user_files(home: Home) -> list[Path]:
    if not home.catalogs.is_dir():
        return []
    return sorted(
        path
        for path in home.catalogs.iterdir()
        if path.suffix.lower() in _SUFFIXES and path.is_file() and not path.name.startswith(".")
    )
