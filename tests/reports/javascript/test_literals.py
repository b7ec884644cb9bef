"""Literals as values."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("'a'", ["a"]),
        ("1.5", [1.5]),
        ("null", [None]),
        ("/a/", ["?"]),
        ("10n", ["?"]),
        ("`a${'b'}c`", ["abc"]),
        ("`a${x}c`", ["a*c"]),
        (r"String.raw`\n`", [r"\n"]),
        ("tag`a`", ["?"]),
        ("({a: 'b'}).a", ["b"]),
        ("({['a' + 'b']: 1}).ab", [1]),
        ("({...{a: 1}}).a", [1]),
        ("({...x}).a", ["?"]),
        ("({get a() { return 'b' }}).a", ["b"]),
        ("['a', ...['b', 'c']][2]", ["c"]),
        ("[...'xy'][1]", ["y"]),
        ("(() => 1)", ["Function"]),
        ("(class {})", ["Class"]),
    ],
)
def test_literals(script: str, expected: list[object]) -> None:
    assert last(script) == expected
