"""Compiled text that knows where it came from, through loops, macros and includes."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.checks.tracing import Traced, trace

CONTEXT = {"limits": {"most": 16}, "topic": "sample"}


@pytest.fixture
def partials(tmp_path: Path) -> Path:
    """Two shared passages."""
    (tmp_path / "note.md").write_text("A shared note of {{ topic }}.\n")
    (tmp_path / "macros.md").write_text("{% macro twice(x) %}Twice {{ x }}!{% endmacro %}\n")
    return tmp_path


def run(source: str, partials: Path) -> Traced:
    return trace(source, context=CONTEXT, partials=partials, path=Path("sample.md"), first_line=1)


def assert_exact(source: str, traced: Traced, word: str) -> None:
    """A word of the output stands in the source where its origin says."""
    origin = traced.origin(traced.text.index(word))
    assert (origin.template, origin.literal) == ("", True)
    assert source.startswith(word, origin.offset)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("Plain { text }\n", ["text"]),
        ("One {{ limits.most }} two\nthree {{ topic }} four\n", ["two", "three", "four"]),
        ("{% if true %}\nyes\n{% else %}\nno\n{% endif %}\nafter\n", ["yes", "after"]),
        ("  {%- if true -%}\n  yes  \n  {%- endif %}\nafter\n", ["yes", "after"]),
        ("{% raw %}a {{ b }} c{% endraw %} d\n", ["{{ b }}", "c", "d"]),
        ("{# note #}a {{ '{{' }} b\n", ["a", "b"]),
        ("{% set x = 'q' %}\n\nabc {{ x }} def\n", ["abc", "def"]),
        ("{{ 1 }}\n\n\n{{ 2 }}tail\n", ["tail"]),
    ],
)
def test_plain_text_leads_back_exactly(source: str, words: list[str], partials: Path) -> None:
    traced = run(source, partials)
    for word in words:
        assert_exact(source, traced, word)


def test_what_an_expression_made_leads_to_the_expression(partials: Path) -> None:
    traced = run("At most {{ limits.most }} of them\n", partials)
    origin = traced.origin(traced.text.index("16"))
    assert (origin.offset, origin.literal) == (8, False)


def test_every_turn_of_a_loop_leads_to_its_body(partials: Path) -> None:
    source = "{% for n in range(3) %}item {{ n }} end\n{% endfor %}last\n"
    traced = run(source, partials)
    assert traced.text.count("end") == 3
    at = -1
    for _ in range(3):
        at = traced.text.index("end", at + 1)
        assert source.startswith("end", traced.origin(at).offset)
    assert_exact(source, traced, "last")


def test_a_passage_leads_into_its_own_file(partials: Path) -> None:
    traced = run('Before\n\n{% include "note.md" %}\nAfter\n', partials)
    origin = traced.origin(traced.text.index("shared"))
    assert (origin.template, origin.offset) == ("note.md", 2)
    assert traced.origin(traced.text.index("sample")).template == "note.md"
    assert traced.origin(traced.text.index("After")).template == ""


def test_a_macro_leads_into_its_own_file(partials: Path) -> None:
    source = '{% import "macros.md" as m %}\nA {{ m.twice("x") }} b\n'
    traced = run(source, partials)
    assert traced.origin(traced.text.index("Twice")).template == "macros.md"
    assert_exact(source, traced, "b")


def test_a_template_that_measures_its_text_still_leads_to_the_line(partials: Path) -> None:
    source = "{% set x %}word{% endset %}\n{{ x | length }}\n\nafter this\n"
    traced = run(source, partials)
    assert "4" in traced.text
    assert_exact(source, traced, "after this")


def test_a_failure_is_told_and_the_rest_is_there(partials: Path) -> None:
    source = "One\n{{ nope.more(1).x }} two\n"
    traced = run(source, partials)
    assert traced.failure is not None
    assert traced.failure.line == 2
    assert_exact(source, traced, "two")


def test_what_is_no_template_stays_as_it_is(partials: Path) -> None:
    traced = run("One {% if %}\n", partials)
    assert traced.failure is not None
    assert traced.text == "One {% if %}\n"
