"""Operators on known values."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("'a' + 1 + 2", ["a12"]),
        ("1 + 2", [3]),
        ("x + 1", ["?"]),
        ("2 * 3 - 1", [5]),
        ("1 / 0", ["?"]),
        ("-(2)", [-2]),
        ("x ? 'a' : 'b'", ["a", "b"]),
        ("'' || 'b'", ["b"]),
        ("'a' || 'b'", ["a", "b"]),
        ("null ?? 'b'", ["b"]),
        ("x && 'b'", ["b"]),
        ("(1, 'b')", ["b"]),
        ("x = 'b'", ["b"]),
        ("'ab'?.length", [2]),
    ],
)
def test_operators(script: str, expected: list[object]) -> None:
    assert last(script) == expected


def test_a_sum_of_five_thousand_terms_is_one_text() -> None:
    assert last("'a' + " * 5_000 + "'b'") == ["a" * 5_000 + "b"]
