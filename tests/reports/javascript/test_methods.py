"""Methods of values of the page."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("'abc'.slice(1).toUpperCase()", ["BC"]),
        ("'a-b'.split('-')[1]", ["b"]),
        ("`${x}`.trim()", ["*"]),
        ("['a', 'b'].join('+')", ["a+b"]),
        ("['b', 'a'].reverse()[0]", ["a"]),
        ("['a', 'b'].map((x) => x + '!')[1]", ["b!"]),
        ("['a'].concat(['b'])[1]", ["b"]),
        ("['a', 'b'].find((x) => x)", ["a", "b"]),
        ("(function (x) { return x }).call(null, 'a')", ["a"]),
        ("(() => 'a').bind(null)()", ["a"]),
        ("document.createElement('p').cloneNode()", ["ElementOf"]),
    ],
)
def test_methods(script: str, expected: list[object]) -> None:
    assert last(script) == expected
