"""What parses and what does not, by language."""

from __future__ import annotations

import pytest

from generator.proofs.samples import Sample
from generator.proofs.syntax import SyntaxProblem, syntax_problem


def judge(language: str, code: str) -> SyntaxProblem | None:
    return syntax_problem(Sample(language=language, code=code, line=1))


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "match x:\n    case {'a': 1}:\n        pass\n"),
        ("json", '{"a": [1, 2.5e3, null]}'),
        ("jsonl", '{"a": 1}\n\n{"a": 2}\n'),
        ("yaml", "a: &x [1]\nb: *x\n"),
        ("toml", "[a]\nb = 1979-05-27\n"),
        ("html", "<p :if=x>{{ a.b }}<li>unclosed"),
        ("xml", "<a b='1'/>"),
        ("js", "const a = b?.c ?? 1; class D { #e = 1 }"),
        ("js", "import { QUI } from './q.js'; await x;"),
        ("tex", r"\frac{a}{b}"),
        ("text", "anything {{ at all"),
        ("unheard-of", "((("),
    ],
)
def test_what_parses(language: str, code: str) -> None:
    assert judge(language, code) is None


@pytest.mark.parametrize(
    ("language", "code", "line", "column"),
    [
        ("python", "x = 1\ndef f(:\n", 2, 7),
        ("python", "x\0", 1, 1),
        ("json", '{\n  "a" 1\n}', 2, 7),
        ("json", '{"a":\n NaN}', 2, 2),
        ("json", '{"a": 1,\n "a": 2}', 1, 3),
        ("json", "[" * 100_000, 1, 1),
        ("jsonl", '{"a": 1}\n{"a"}\n', 2, 5),
        ("yaml", "a: 1\nb: [\n", 3, 1),
        ("toml", "a = \n", 1, 1),
        ("html", "<p>\n<a href='x", 2, 11),
        ("html", "<!-- never ends", 1, 16),
        ("xml", "<a>\n</b>", 2, 3),
        ("xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 1, 1),
        ("js", "const a = 1;\nconst b = ;\n", 2, 11),
        ("tex", r"\frac{a}", 1, 9),
    ],
)
def test_what_does_not_parse_is_placed(language: str, code: str, line: int, column: int) -> None:
    problem = judge(language, code)
    assert problem is not None
    assert problem.reason
    assert (problem.line, problem.column) == (line, column)


def test_an_escape_that_python_will_refuse_is_a_mistake_now() -> None:
    assert judge("python", 'x = "\\d"\n') is not None
