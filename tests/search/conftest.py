"""An index over one folder of lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from lines import LineCollection

from generator.search import SearchIndex


@pytest.fixture
def lines(tmp_path: Path) -> LineCollection:
    return LineCollection(tmp_path / "lines")


@pytest.fixture
def index(tmp_path: Path, lines: LineCollection) -> Iterator[SearchIndex]:
    opened = SearchIndex(
        tmp_path / "index", [lines], background=False, clock=lambda: 1_777_000_000.0
    )
    yield opened
    opened.close()


@pytest.fixture
def refs(index: SearchIndex) -> Callable[..., list[str]]:
    """Search and return the refs of the hits, best first, without ``conversation:``."""

    def find(query: str, **options: object) -> list[str]:
        results = index.search(query, limit=100, **options)  # type: ignore[arg-type]
        return [hit.ref.removeprefix("conversation:") for hit in results.hits]

    return find
