"""Every ref that any tool prints, in its structured result or its text, can be read back."""

import re

import pytest

from generator.tools import get_tool

REF = re.compile(r"\b(?:conversation|task|file|error|note|report):[^\s,;()\"'>]+")

CALLS = [
    ("chat_history", {"mode": "list", "session_id": "boat-0001"}),
    ("chat_history", {"mode": "list", "session_id": "cli-01"}),
    ("chat_history", {"mode": "read", "task_id": ["boat-0001.1", "boat-0001.3", "5f0c-1"]}),
    ("chat_history", {"mode": "read", "task_id": "boat-0001.1", "scope": "reference"}),
    ("chat_history", {"mode": "tool_list", "session_id": "boat-0001"}),
    ("chat_history", {"mode": "tool_list", "session_id": "cli-01"}),
    ("chat_history", {"mode": "tool", "task_id": "boat-0001.1", "name": "Grep"}),
    ("chat_history", {"mode": "tool", "task_id": "5f0c-1", "name": "fetch_page"}),
    ("chat_history", {"mode": "search", "keyword": "masts knots 潮汐"}),
    ("memory", {"mode": "search", "query": "teapots basil lids 潮汐 masts"}),
    ("memory", {"mode": "read", "session_id": "boat-0001"}),
    ("memory", {"mode": "read", "date": "2026-05-04"}),
    ("memory_search", {"query": "basil garden 潮汐 knots teapots balcony shell tide nothing"}),
    ("memory_search", {"query": "knots", "role": "tool"}),
    ("memory_get", {"ref": "conversation:boat-0001"}),
    ("memory_get", {"ref": "conversation:boat-0001#2"}),
    ("memory_get", {"ref": "conversation:boat-0001#2.2"}),
    ("memory_get", {"ref": "task:5f0c-1"}),
    ("memory_get", {"ref": "task:boat-0001.1"}),
    ("memory_get", {"ref": "task:TASK-mabc12xy"}),
    ("memory_get", {"ref": "file:uploads/conv-04/balcony.txt"}),
    ("conversation_list", {}),
    ("conversation_list", {"query": "teapots"}),
    ("conversation_read", {"id": "boat-0001"}),
    ("conversation_read", {"id": "child-0003"}),
    ("conversation_read", {"id": "cli-01", "detail": "full"}),
    ("conversation_read", {"id": "boat-0001/a1b2"}),
    ("wolffish_recall", {"date": "2026-05-04", "limit": 30}),
    ("status", {"mode": "memory"}),
    ("status", {"mode": "files"}),
]


def texts_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)


def refs_of(tool, result):
    own = "\n".join(
        line for line in tool.render(result).splitlines() if not line.lstrip().startswith(">")
    )
    fields = [text for text in texts_in(result.model_dump(mode="json")) if REF.fullmatch(text)]
    return {*fields, *(ref.rstrip(".:") for ref in REF.findall(own))}


@pytest.mark.parametrize(("name", "arguments"), CALLS)
def test_every_ref_of_a_call_resolves(archived, name, arguments):
    tool, get = get_tool(name), get_tool("memory_get")
    found = refs_of(tool, tool.call(arguments, archived))
    assert found or (name, arguments) == ("status", {"mode": "overview"})
    for ref in sorted(found):
        result = get.call({"ref": ref}, archived)
        assert result.model_dump().get("text") or result.records, ref
