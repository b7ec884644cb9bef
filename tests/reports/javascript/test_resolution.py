"""Names across the scripts of a page, and the reading of one script."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from page_of import page_of


def test_uses_and_writes_are_noted() -> None:
    page = page_of("let a = 1; a = 2; f(a)", "a; b.c = a")
    binding = page.page_scope.names["a"]
    assert [write.kind for write in binding.writes] == ["value", "value"]
    assert len(binding.refs) == 4
    assert [item.name for item in page.programs[0].declared] == ["a"]
    assert page.programs[0].assignments[0][0].operator == "="
    assert page.programs[1].member_writes[0].target.property.name == "c"


def test_inner_names_hide_outer_ones() -> None:
    page = page_of("const a = 1; { const a = 2; f(a) } function g(a) { return a }")
    assert page.page_scope.names["a"].refs == []


def test_assigned_names_are_globals() -> None:
    page = page_of("function f() { made = 1 }")
    assert page.page_scope.names["made"].kind == "implicit"


def test_every_node_knows_its_parent_and_order() -> None:
    [program] = page_of("if (a) { b(c => d) } else [e] = [f]").programs
    places = {id(node): at for at, node in enumerate(program.nodes)}
    for node in program.nodes[1:]:
        assert places[id(node.up)] < places[id(node)]
