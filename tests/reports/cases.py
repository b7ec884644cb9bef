"""The pages under ``cases/``: what is expected of each."""

from __future__ import annotations

import re
from pathlib import Path

CASES = Path(__file__).parent / "cases"
ACCEPT = sorted((CASES / "accept").glob("*.html"))
REJECT = sorted((CASES / "reject").glob("*.html"))
_EXPECT = re.compile(r"<!-- expect: (.*?) -->")


def page_text(path: Path) -> str:
    """Return a page with its line ends as they are."""
    return path.read_bytes().decode()


def expected(path: Path) -> list[str]:
    """Return ``rule:line:column`` of every error, from the page's comment or the file beside it."""
    beside = path.with_suffix(".expect")
    if beside.exists():
        return sorted(beside.read_text().split())
    matched = _EXPECT.search(page_text(path))
    assert matched is not None, f"{path} names no expectation"
    return sorted(matched.group(1).split())


def expected_rules(path: Path) -> set[str]:
    """Return the ids of the rules that reject a page."""
    return {item.partition(":")[0] for item in expected(path)}
