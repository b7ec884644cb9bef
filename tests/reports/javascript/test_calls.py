"""Calls of functions, methods and constructors."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("unknown()()", ["?"]),
        ("(() => 'a')()", ["a"]),
        ("new Date()", ["Made"]),
        ("[...new Set(['a'])][0]", ["a"]),
        ("new (class {})()", ["?"]),
    ],
)
def test_calls(script: str, expected: list[object]) -> None:
    assert last(script) == expected
