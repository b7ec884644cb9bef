"""Properties and items of values."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from page_of import last, last_values

from generator.reports.checker import read_page
from generator.reports.javascript.properties import iterated
from generator.reports.javascript.values import ElementOf, Known, Native


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("({a: {b: 'c'}}).a.b", ["c"]),
        ("({a: 1, b: 2})[x]", [1, 2]),
        ("['a', 'b'].length", [2]),
        ("'abc'[1]", ["b"]),
        ("'abc'.length", [3]),
        ("(class { static a = 'b' }).a", ["b"]),
        ("document.getElementById('a').dataset.x", ["?"]),
    ],
)
def test_properties(script: str, expected: list[object]) -> None:
    assert last(script) == expected


@pytest.mark.parametrize(
    ("script", "path"),
    [
        ("window.document", ("document",)),
        ("document.defaultView", ("window",)),
        ("element.ownerDocument", ("document",)),
        ("top.echarts.init", ("echarts", "init")),
        ("(() => 1).constructor", ("Function",)),
        ("Array.constructor", ("Function",)),
    ],
)
def test_what_the_browser_supplies(script: str, path: tuple[str, ...]) -> None:
    assert last_values(script) == (Native(path),)


def test_elements() -> None:
    assert last_values("document.body") == (ElementOf("some", "body"),)
    page = read_page(
        "<script id=a type=x>text</script><script>document.getElementById('a').textContent</script>"
    )
    assert page.evaluator.values(page.programs[0].tree.body[0].expression) == (Known("text"),)


def test_loops_over_text_meet_its_characters() -> None:
    assert iterated(Known("aba")) == (Known("a"), Known("b"))
