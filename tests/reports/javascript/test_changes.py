"""Objects and arrays that change after they were made."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("const o = {}; o.a = 'b'; o.a", ["b"]),
        ("const o = {a: 1}; o['a'] = 2; o.a", [1, 2]),
        ("const o = {}; o[x] = 1; o.a", ["?"]),
        ("const o = {}; fill(o); o.a", ["?"]),
        ("const o = {a: 1}; console.log(o); o.a", [1]),
        ("const o = {a: 1}; Object.freeze(o); o.a", [1]),
        ("const list = []; list.push('a', 'b'); list[1]", ["b"]),
        ("const list = ['a']; list.push(...more); list[0]", ["a", "?"]),
    ],
)
def test_changes(script: str, expected: list[object]) -> None:
    assert last(script) == expected
