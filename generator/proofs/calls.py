"""Finds the tool calls that a guide shows, and judges them by the catalog.

Two forms are calls. In a ``json`` sample, an object with ``tool`` and ``arguments``, or a list
of such objects: complete, as a client sends it. In a code span, ``tool(name=value, ...)``: an
excerpt, whose values are written bare (``mode=read``), and which may leave out the rest.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.catalog.loader import Catalogs
from generator.markup.markdown import parse_tokens
from generator.model.catalog import CatalogTool, Parameter
from generator.proofs.samples import Sample, find_samples

_WORDS = {"true": True, "false": False, "null": None}
_KEYWORD = re.compile(r"(?<![\w.\"'])(from|in|is|not|or|and|class|as|if|with)(?==[^=])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call that a text shows.

    Attributes:
        tool: The name called.
        arguments: Names and values; a value that the text leaves open is ``...``.
        line: Line of the text at which its block begins, from 1.
        complete: It is the whole call, so what is required must be there.
    """

    tool: str
    arguments: Mapping[str, Any]
    line: int
    complete: bool


def find_calls(markdown: str) -> list[Call]:
    """Return every tool call that a text shows, in samples and in code spans."""
    calls = []
    for sample in find_samples(markdown):
        calls += calls_in_sample(sample)
    for token in parse_tokens(markdown):
        for child in token.children or ():
            if child.type == "code_inline":
                call = call_in_span(child.content, token.map[0] + 1 if token.map else 1)
                calls += [call] if call else []
    return sorted(calls, key=lambda call: call.line)


def calls_in_sample(sample: Sample) -> list[Call]:
    """Return the complete calls that a sample shows; a file and a wrong one show none."""
    if sample.language != "json" or sample.wrong or sample.file or '"tool"' not in sample.code:
        return []
    try:
        value = json.loads(sample.code)
    except (ValueError, RecursionError):
        return []  # that it does not parse is said elsewhere
    items = value if isinstance(value, list) else [value]
    return [
        Call(tool=item["tool"], arguments=item["arguments"], line=sample.line, complete=True)
        for item in items
        if isinstance(item, dict)
        and isinstance(item.get("tool"), str)
        and isinstance(item.get("arguments"), dict)
    ]


def call_in_span(text: str, line: int) -> Call | None:
    """Read ``name(key=value)``; anything else is no call of ours.

    Args:
        text: What a code span holds.
        line: Line of the text it stands in, from 1.
    """
    if not text.endswith(")") or not re.match(r"[a-z][a-z0-9_]*\(", text):
        return None
    try:
        tree = ast.parse(_KEYWORD.sub(r"\1_", text), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or not tree.keywords:
        return None
    arguments = {(word.arg or "**").removesuffix("_"): _value(word.value) for word in tree.keywords}
    return Call(tool=tree.func.id, arguments=arguments, line=line, complete=False)


def _value(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id, node.id)
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return ...
    return ... if value in ("…", "...") else value


@dataclass(frozen=True, slots=True)
class CallProblem:
    """One thing wrong with a call.

    Attributes:
        argument: The argument it is about; "" when it is about the tool.
        reason: What is wrong, as a clause.
    """

    argument: str
    reason: str


def call_problems(call: Call, catalogs: Catalogs) -> list[str]:
    """Judge one call; see :func:`judge_call`, whose reasons these are."""
    return [problem.reason for problem in judge_call(call, catalogs)]


def judge_call(call: Call, catalogs: Catalogs) -> list[CallProblem]:
    """Judge one call by what the catalog knows of its tool.

    Returns:
        What is wrong. A tool that several platforms describe may be called as any of
        them has it; of a tool without a known schema only the arguments it does not name, and
        values outside those it lists, are wrong.
    """
    described = catalogs.named(call.tool)
    if not described:
        known = catalogs.knows(call.tool)
        return [] if known else [CallProblem("", f"no catalog has a tool {call.tool!r}")]
    judged = [_judge(call, tool) for tool in described]
    return min(judged, key=len)


def _judge(call: Call, tool: CatalogTool) -> list[CallProblem]:
    known = {parameter.name: parameter for parameter in tool.parameters}
    if tool.modes and "mode" not in known:
        known["mode"] = Parameter(name="mode", values=tuple(tool.modes))
    problems = []
    for name, value in call.arguments.items():
        parameter = known.get(name)
        if parameter is None:
            problems.append(CallProblem(name, f"{call.tool} has no argument {name!r}"))
        elif value is not ...:
            problems += [
                CallProblem(name, reason)
                for reason in (
                    *_value_problems(call.tool, parameter, value),
                    *_field_problems(call.tool, name, value, known),
                )
            ]
    if call.complete:
        problems += [
            CallProblem("", f"{call.tool} needs {parameter.name!r}")
            for parameter in known.values()
            if parameter.required and parameter.name not in call.arguments
        ]
    return problems


def _value_problems(tool: str, parameter: Parameter, value: Any) -> list[str]:
    given = value if isinstance(value, list) else [value]
    if parameter.values and not all(str(item) in parameter.values for item in given):
        allowed = ", ".join(parameter.values)
        return [f"{tool}: {parameter.name} is {value!r}, not one of {allowed}"]
    if parameter.max is not None and isinstance(value, int | float) and value > parameter.max:
        return [f"{tool}: {parameter.name} is {value}, above {parameter.max:g}"]
    return []


def _field_problems(
    tool: str, name: str, value: Any, known: Mapping[str, Parameter]
) -> Sequence[str]:
    """Judge the fields of list items, which catalogs name ``queries[].dir``."""
    fields = {other.split("[].", 1)[1] for other in known if other.startswith(f"{name}[].")}
    if not fields or not isinstance(value, list):
        return []
    return [
        f"{tool}: {name} has no field {field!r}"
        for item in value
        if isinstance(item, dict)
        for field in item
        if field not in fields
    ]
