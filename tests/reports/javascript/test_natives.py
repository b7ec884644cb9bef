"""What functions of the browser give."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last, last_values

from generator.reports.javascript.values import ElementOf


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("Object.keys({a: 1})[0]", ["a"]),
        ("Object.entries({a: 1})[0][1]", [1]),
        ("Object.fromEntries([['a', 1]]).a", [1]),
        ("Object.assign({}, {a: 1}).a", [1]),
        ("Reflect.get({a: 1}, 'a')", [1]),
        ("JSON.parse('{\"a\": [1]}').a[0]", [1]),
        ("JSON.stringify({})", ["*"]),
        ("String.fromCharCode(97, 98)", ["ab"]),
        ("atob('YQ==')", ["a"]),
        ("fetch('x')", ["?"]),
    ],
)
def test_natives(script: str, expected: list[object]) -> None:
    assert last(script) == expected


@pytest.mark.parametrize(
    ("script", "element"),
    [
        ("document.getElementById('a')", ElementOf("id", "a")),
        ("document.querySelector('#a b')", ElementOf("selector", "#a b")),
        ("document.createElement('p')", ElementOf("created", "p")),
        ("document.createElementNS(ns, 'g')", ElementOf("created", "g")),
        ("document.querySelectorAll('p')[0]", ElementOf("some")),
    ],
)
def test_elements(script: str, element: ElementOf) -> None:
    assert element in last_values(script)
