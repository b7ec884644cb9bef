"""Destructuring patterns."""

from __future__ import annotations

import esprima

from generator.reports.javascript.patterns import targets_of
from generator.reports.javascript.scopes import REST, Write


def _targets(pattern: str) -> dict[str, tuple[object, ...]]:
    declaration = esprima.parseScript(f"var {pattern} = x").body[0].declarations[0]
    expressions: list[object] = []
    found = targets_of(declaration.id, Write("value", declaration.init), expressions)
    return {target.name: write.path for target, write in found if write is not None}


def test_paths() -> None:
    assert _targets("a") == {"a": ()}
    assert _targets("{a, b: {c}}") == {"a": ("a",), "c": ("b", "c")}
    assert _targets("[a, , {b}]") == {"a": (0,), "b": (2, "b")}
    assert _targets("{a, ...b}") == {"a": ("a",), "b": (REST,)}


def test_defaults_and_computed_keys_are_expressions() -> None:
    declaration = esprima.parseScript("var {a = b, [c]: d} = x").body[0].declarations[0]
    expressions: list[object] = []
    found = dict(targets_of(declaration.id, Write("value", declaration.init), expressions))
    assert len(found) == 2
    assert sorted(node.name for node in expressions) == ["b", "c"]
