"""Which tool for which question: one table, and everything that shows it agrees."""

import pytest

from generator.cli.reference import load_reference
from generator.guides.compose import compose
from generator.guides.loader import load_library
from generator.mcp_server.server import instructions
from generator.proofs.calls import call_in_span, call_problems
from generator.questions import QUESTIONS, first_for, table_rows
from generator.tools import TOOLS, all_tools, get_tool
from generator.tools.find_tools import load_all


def test_each_question_is_asked_once_and_each_call_is_right(workspace):
    questions = [question for question, _ in table_rows()]
    assert len(set(questions)) == len(questions)
    catalogs = load_all(workspace)
    for tool, calls in QUESTIONS.items():
        for sample in calls.values():
            call = call_in_span(sample, 1)
            assert call is not None, sample
            assert call.tool == tool
            assert call_problems(call, catalogs) == []


def test_every_tool_that_reads_the_past_is_in_the_table():
    past = {
        tool.name
        for tool in all_tools()
        if tool.read_only and tool.group in ("history", "errors", "knowledge")
    }
    # A simpler door to what memory_search does, kept for those who know its name.
    assert past - {"wolffish_recall"} == set(QUESTIONS)


@pytest.mark.parametrize("tool", QUESTIONS)
def test_the_table_is_told_wherever_a_tool_is_chosen(tool, workspace):
    assert tool in TOOLS
    guide = compose(load_library(workspace), ["recall"])
    pages = {page.name: page.markdown for page in load_reference().pages if page.kind == "tools"}
    assert f"First for: {first_for(tool)}." in get_tool(tool).description
    assert f"**First for:** {first_for(tool)}." in pages[tool]
    for question, call in QUESTIONS[tool].items():
        assert f"| {question} | `{call}` |\n" in guide
        assert question in instructions(workspace)
