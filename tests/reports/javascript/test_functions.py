"""Functions of the page: what they return and what they are given."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last, page_of

RETURNED = [
    ("function f() { return 'a' } f()", ["a"]),
    ("function f(x) { return x + 'b' } f('a')", ["ab"]),
    ("async function f() { return 'a' } f()", ["?"]),
    ("function* f() { return 'a' } f()", ["?"]),
    ("function f() { return f() } f()", ["?"]),
]
#: Scripts with a function whose parameter ``given`` is asked for.
GIVEN = [
    ("function f(given) { given } f('a'); f('b')", ["a", "b"]),
    ("const f = (given) => { given }; f('a')", ["a"]),
    ("['a', 'b'].forEach((given) => { given })", ["a", "b"]),
    ("function f(given) { given } f.call(null, 'a')", ["a"]),
    ("function f(given) { given } f('a'); listen(f)", ["a", "?"]),
    ("function f(given) { given } f(...list)", ["?"]),
    ("function f(given) { given }", ["?"]),
    ("import('./m.js').then((given) => { given })", ["Imported"]),
]


@pytest.mark.parametrize(("script", "expected"), RETURNED)
def test_what_functions_return(script: str, expected: list[object]) -> None:
    assert last(script) == expected


@pytest.mark.parametrize(("script", "expected"), GIVEN)
def test_what_parameters_may_be(script: str, expected: list[object]) -> None:
    page = page_of(script)
    [use] = [
        node
        for node in page.programs[0].nodes
        if node.type == "Identifier" and node.name == "given" and node.up is not None
        if node.up.type == "ExpressionStatement"
    ]
    shown = [
        getattr(value, "value", "?" if type(value).__name__ == "Unknown" else type(value).__name__)
        for value in page.evaluator.values(use)
    ]
    assert shown == expected
