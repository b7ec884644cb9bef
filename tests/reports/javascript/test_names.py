"""What names mean, through every kind of write."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last, last_values

from generator.reports.javascript.values import Imported, Native


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("const a = 'b'; a", ["b"]),
        ("let a; a", [None]),
        ("let a = 'x'; a = 'b'; a", ["b"]),
        ("let a = 'x'; function f() { a = 'b' } a", ["x", "b"]),
        ("let a = 'b'; a += 'c'; a", ["bc", "b*"]),
        ("const {a} = {a: 'b'}; a", ["b"]),
        ("const {a: {c = 'd'}} = {a: {}}; c", ["d"]),
        ("const [, a] = ['x', 'b']; a", ["b"]),
        ("const {['a' + 'b']: c} = {ab: 1}; c", [1]),
        ("const {...rest} = {a: 1}; rest", ["?"]),
        ("function f() {} f", ["Function"]),
        ("class C {} C", ["Class"]),
        ("a = 'b'; a", ["b"]),
        ("window.a = 'b'; a", ["b"]),
        ("try {} catch (error) { error } missing", ["Native"]),
    ],
)
def test_names(script: str, expected: list[object]) -> None:
    found = [None if str(value) == "undefined" else value for value in last(script)]
    assert set(found) <= set(expected)
    assert found[0] in expected


def test_scripts_share_names() -> None:
    assert last("const a = 'b'", "a") == ["b"]


def test_the_window_has_many_names() -> None:
    for name in ("window", "self", "globalThis", "this"):
        assert last_values(f"{name}.document") == (Native(("document",)),)


def test_import_gives_a_module() -> None:
    assert last_values("import('./a.js')") == (Imported("./a.js", "*"),)
