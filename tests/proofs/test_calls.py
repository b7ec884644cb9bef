"""Tool calls in text: which are found, and what is wrong with them."""

from __future__ import annotations

import pytest

from generator.catalog.loader import Catalogs
from generator.proofs.calls import Call, call_problems, find_calls
from generator.tools.find_tools import load_all
from generator.workspace import Workspace


@pytest.fixture
def catalogs(workspace: Workspace) -> Catalogs:
    """The shipped catalogs with our own tools."""
    return load_all(workspace)


def only(markdown: str) -> Call:
    (call,) = find_calls(markdown)
    return call


def test_a_span_with_bare_words_is_a_call() -> None:
    call = only('Use `find_tools(mode=list, mcp=true, query="a b", x=[1, 2], y="…")`.')
    assert (call.tool, call.complete) == ("find_tools", False)
    assert call.arguments == {"mode": "list", "mcp": True, "query": "a b", "x": [1, 2], "y": ...}


def test_words_that_python_keeps_for_itself_are_read() -> None:
    call = only('`conversation_read(id="8f21", from=40, to=44)`')
    assert call.arguments == {"id": "8f21", "from": 40, "to": 44}


@pytest.mark.parametrize(
    "span",
    [
        "repeat(auto-fit, minmax(1rem, 1fr))",
        "T.init(id, option)",
        "f(x)",
        "{hash}",
        "x = f(a=1)",
        "LENGTH(a=1)",
        "f(a=1",
    ],
)
def test_other_code_is_no_call(span: str) -> None:
    assert find_calls(f"`{span}`") == []


def test_samples_hold_one_call_or_a_list() -> None:
    text = """```json
[{"tool": "find_tools", "arguments": {}}, {"tool": "b", "arguments": {"c": 1}}, {"other": 1}]
```
"""
    assert [(call.tool, call.complete) for call in find_calls(text)] == [
        ("find_tools", True),
        ("b", True),
    ]


def test_files_and_wrong_samples_are_no_calls() -> None:
    body = '{"tool": "find_tools", "arguments": {}}'
    assert find_calls(f"```json file=a.json\n{body}\n```\n\n```json wrong\n{body}\n```\n") == []


@pytest.mark.parametrize(
    ("span", "problem"),
    [
        ("find_tool(query=x)", "no catalog has a tool 'find_tool'"),
        ("find_files(query=x)", "find_files has no argument 'query'"),
        (
            "edit_tool(mode=patch, tag=yaml)",
            "edit_tool: tag is 'yaml', not one of json, script, api",
        ),
        ("http_request(timeout=301)", "http_request: timeout is 301, above 300"),
        ("find_tools(mode=guess)", "find_tools: mode is 'guess', not one of search, list"),
        ('find_files(queries=[{"folder": "src"}])', "find_files: queries has no field 'folder'"),
    ],
)
def test_wrong_calls_are_named(span: str, problem: str, catalogs: Catalogs) -> None:
    assert call_problems(only(f"`{span}`"), catalogs) == [problem]


@pytest.mark.parametrize(
    "span",
    [
        "find_files(mode=search)",
        "script_working_days(start=2026)",
        "mcp__kura__search_rag(query=x)",
        'read_files(files=[{"path": "a", "offset": 1}])',
        "write_result(format=html)",
    ],
)
def test_right_calls_pass(span: str, catalogs: Catalogs) -> None:
    assert call_problems(only(f"`{span}`"), catalogs) == []


def test_a_complete_call_needs_what_is_required(catalogs: Catalogs) -> None:
    call = Call(tool="write_result", arguments={"format": "md"}, line=1, complete=True)
    assert call_problems(call, catalogs) == ["write_result needs 'content'"]
