"""write_result and its older name through the registry and the command line."""

import json
from pathlib import Path

import pytest

from generator.exceptions import ArgumentsError, ReportRejectedError
from generator.tools import get_tool


def test_both_names_save_and_return_a_receipt(workspace):
    for name in ("write_result", "write_report"):
        tool = get_tool(name)
        result = tool.call({"content": "# 报告\r\n"}, workspace)
        assert Path(result.path).read_bytes() == "# 报告\r\n".encode()
        assert result.format == "md"
        text = tool.render(result)
        assert text.startswith(f"Saved {result.path}\n")
        assert "title: 报告" in text
        assert f"sha256: {result.sha256}" in text


def test_half_a_character_does_not_lose_the_report(workspace):
    result = get_tool("write_result").call({"content": "a\ud800b"}, workspace)
    assert Path(result.path).read_text() == "a\ufffdb"
    assert result.warnings


def test_arguments_are_judged_in_our_words(workspace):
    with pytest.raises(ArgumentsError, match="content takes text"):
        get_tool("write_result").call({"content": 3}, workspace)
    with pytest.raises(ArgumentsError, match=r"format should be 'md' or 'html'"):
        get_tool("write_result").call({"content": "x", "format": "pdf"}, workspace)
    with pytest.raises(ArgumentsError, match="format is not an argument"):
        get_tool("write_report").call({"content": "x", "format": "md"}, workspace)


def test_the_schema_says_that_content_is_text():
    schema = get_tool("write_result").arguments.model_json_schema()
    assert schema["properties"]["content"]["type"] == "string"
    assert schema["required"] == ["content"]


def test_the_shell_prints_the_receipt_as_json(run):
    outcome = run("call", "write_result", '{"content": "# A"}')
    assert outcome.code == 0
    assert json.loads(outcome.out)["title"] == "A"
    outcome = run("call", "write_result", '{"content": " "}')
    assert (outcome.code, outcome.out) == (2, "")
    assert "The report is empty" in outcome.err


def test_a_page_without_quickui_is_answered_with_the_rules(workspace):
    with pytest.raises(ReportRejectedError) as caught:
        get_tool("write_result").call({"content": "<p>x", "format": "html"}, workspace)
    rules = get_tool("reasoning_guide").call({"topics": ["html_render"]}, workspace).text
    assert caught.value.guide == rules
    assert rules in get_tool("write_result").failure_text(caught.value)


def test_a_page_with_another_fault_is_answered_without_them(workspace):
    page = (
        '<script src="QuickUI.js"></script><p id="app"></p><script>new QUI({id: "app", data: {}});</script>'
        "<script>let x = ;</script>"
    )
    with pytest.raises(ReportRejectedError) as caught:
        get_tool("write_result").call({"content": page, "format": "html"}, workspace)
    assert caught.value.guide is None
    assert "html_render" not in caught.value.message


def test_from_python(home_folder):
    from generator import write_result

    receipt = write_result("# From Python\n")
    assert receipt.title == "From Python"
    assert Path(receipt.path).is_relative_to(home_folder)
