"""Parses samples: is this Python, JSON, YAML, HTML, JavaScript, TeX at all?

A language that nothing here parses is no fault; ``PARSERS`` is the table of those that are.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from generator.proofs.samples import Sample


@dataclass(frozen=True, slots=True)
class SyntaxProblem:
    """Where a sample stops being what its fence says.

    Attributes:
        line: Line of the sample, from 1.
        column: Column of that line, from 1.
        reason: What is wrong, as a clause.
    """

    line: int
    column: int
    reason: str


def syntax_problem(sample: Sample) -> SyntaxProblem | None:
    """Parse one sample by its language.

    Args:
        sample: The sample; whether it is marked wrong is for the caller to weigh.

    Returns:
        What is wrong with it, or None when it parses or its language has no parser here.
    """
    parser = PARSERS.get(sample.language)
    return parser(sample.code) if parser else None


def _at(text: str, index: int, reason: str) -> SyntaxProblem:
    """Turn a character of a text into a place."""
    before = text[: max(index, 0)]
    return SyntaxProblem(before.count("\n") + 1, len(before) - before.rfind("\n"), reason)


def _python(code: str) -> SyntaxProblem | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # "\d" outside a raw text is a mistake to come
            ast.parse(code)
    except SyntaxError as error:
        return SyntaxProblem(error.lineno or 1, error.offset or 1, error.msg)
    except (ValueError, RecursionError, MemoryError, SyntaxWarning) as error:
        return SyntaxProblem(1, 1, str(error) or "it is nested too deep")
    return None


class _RefusedError(ValueError):
    pass


def _refuse_constant(name: str) -> float:
    raise _RefusedError(f"{name} is not JSON")


def _refuse_twice(pairs: list[tuple[str, object]]) -> dict[str, object]:
    names = [name for name, _ in pairs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise _RefusedError(f"{twice!r} stands twice in one object")
    return dict(pairs)


def _json(code: str) -> SyntaxProblem | None:
    try:
        json.loads(code, parse_constant=_refuse_constant, object_pairs_hook=_refuse_twice)
    except json.JSONDecodeError as error:
        return SyntaxProblem(error.lineno, error.colno, error.msg)
    except _RefusedError as error:
        return _at(code, code.find(str(error).split(" ", 1)[0].strip("'")), str(error))
    except RecursionError:
        return SyntaxProblem(1, 1, "it is nested too deep")
    return None


def _json_lines(code: str) -> SyntaxProblem | None:
    for number, line in enumerate(code.splitlines(), 1):
        problem = _json(line) if line.strip() else None
        if problem:
            return SyntaxProblem(number, problem.column, problem.reason)
    return None


def _yaml(code: str) -> SyntaxProblem | None:
    import yaml

    try:
        for _ in yaml.parse(code, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            pass  # events only: nothing is built, so aliases cannot multiply
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        reason = error.problem or "not YAML"
        return SyntaxProblem(mark.line + 1, mark.column + 1, reason) if mark else _at("", 0, reason)
    except (yaml.YAMLError, RecursionError) as error:
        return SyntaxProblem(1, 1, str(error).split("\n", 1)[0] or "it is nested too deep")
    return None


def _toml(code: str) -> SyntaxProblem | None:
    try:
        tomllib.loads(code)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return SyntaxProblem(1, 1, str(error) or "it is nested too deep")
    return None


def _html(code: str) -> SyntaxProblem | None:
    """Browsers take almost anything; a sample that ends inside a tag or a comment is cut off."""
    from generator.reports.document import Document

    cut = Document(code).cut
    return _at(code, len(code), f"it ends inside something ({cut})") if cut else None


def _xml(code: str) -> SyntaxProblem | None:
    from xml.parsers import expat

    parser = expat.ParserCreate()

    def refuse(*_: object) -> None:
        raise _RefusedError("it declares an entity")

    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(code.encode(), True)
    except expat.ExpatError as error:
        return SyntaxProblem(error.lineno, error.offset + 1, expat.ErrorString(error.code))
    except _RefusedError as error:
        return SyntaxProblem(1, 1, str(error))
    return None


def _javascript(code: str) -> SyntaxProblem | None:
    from generator.reports.javascript.syntax import Failure, deeply, parse

    as_script = deeply(lambda: parse(code, module=False))
    if not isinstance(as_script, Failure) or as_script.too_deep:
        return None
    as_module = deeply(lambda: parse(code, module=True))
    if not isinstance(as_module, Failure):
        return None
    failure = as_module if "import" in code or "export" in code else as_script
    return _at(code, failure.index, failure.message)


def _tex(code: str) -> SyntaxProblem | None:
    from generator.markup.formulas import FormulaError, formula_to_mathml

    try:
        formula_to_mathml(code.strip(), display=True)
    except FormulaError as error:
        return _at(code, error.offset, error.reason)
    return None


PARSERS: dict[str, Callable[[str], SyntaxProblem | None]] = {
    "python": _python,
    "py": _python,
    "json": _json,
    "vega-lite": _json,
    "jsonl": _json_lines,
    "yaml": _yaml,
    "yml": _yaml,
    "toml": _toml,
    "html": _html,
    "xml": _xml,
    "svg": _xml,
    "javascript": _javascript,
    "js": _javascript,
    "mjs": _javascript,
    "tex": _tex,
    "latex": _tex,
    "math": _tex,
}


def only_language(code: str) -> str | None:
    """Name the language of a text that can be one only.

    Args:
        code: What a fence without a language holds.

    Returns:
        ``json``, ``html``, ``python``, ``javascript``, ``toml`` or ``yaml``; None when it parses
        as none of them or as several. JSON is JSON although YAML and others read it too.
    """
    text = code.strip()
    if not text or "…" in text:
        return None
    if text[0] in "{[" and not _json(code):
        return "json"
    if text[0] == "<":
        whole = text.lower().startswith(("<!doctype html", "<html")) and text.endswith(">")
        return "html" if whole and not _html(code) else None
    found = [name for name, is_it in _TELLING.items() if is_it(code)]
    return found[0] if len(found) == 1 else None


def _is_python(code: str) -> bool:
    """Plain words can be an expression (``not found``): only a statement or a call tells."""
    if _python(code) is not None:
        return False
    return any(
        isinstance(node.value, ast.Call)
        if isinstance(node, ast.Expr)
        else not isinstance(node, ast.AnnAssign)  # "Note: not found"
        for node in ast.parse(code).body
    )


def _is_javascript(code: str) -> bool:
    """As for Python: an expression, a label or a block alone does not tell."""
    from generator.reports.javascript.syntax import Failure, deeply, parse

    for module in (False, True):
        tree = deeply(partial(parse, code, module=module))
        if not isinstance(tree, Failure):
            return any(_tells(statement) for statement in tree.body)
    return False


def _tells(statement: Any) -> bool:
    if statement.type == "ExpressionStatement":
        return statement.expression.type in ("CallExpression", "AssignmentExpression")
    return statement.type not in ("LabeledStatement", "BlockStatement", "EmptyStatement")


def _is_toml(code: str) -> bool:
    try:
        return bool(tomllib.loads(code))
    except (tomllib.TOMLDecodeError, RecursionError):
        return False


def _is_yaml(code: str) -> bool:
    """Any prose is YAML, and a note with a colon is a mapping: only small plain keys tell."""
    import yaml

    try:
        node = yaml.compose(code, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, RecursionError, ValueError):
        return False
    return isinstance(node, yaml.MappingNode) and all(
        isinstance(key, yaml.ScalarNode) and re.fullmatch(r"[a-z_][a-z0-9_-]*", key.value)
        for key, _ in node.value
    )


_TELLING: dict[str, Callable[[str], bool]] = {
    "python": _is_python,
    "javascript": _is_javascript,
    "toml": _is_toml,
    "yaml": _is_yaml,
}
