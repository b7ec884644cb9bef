from __future__ import annotations

import json

import pytest

from generator.exceptions import UsageError
from generator.tools import TOOLS
from generator.tools.find_tools import TOOL, render
from generator.workspace import Workspace


def call(workspace: Workspace, **arguments: object) -> dict:
    return TOOL.call(arguments, workspace).model_dump(mode="json")


def test_a_list_gives_three_fields_each_and_every_tool_of_the_registry(
    workspace: Workspace,
) -> None:
    tools = call(workspace)["tools"]
    assert [tool["name"] for tool in tools if tool["platform"] == "fieldguide"] == [
        name for name in TOOLS if name in {tool["name"] for tool in tools}
    ]
    assert all(set(tool) == {"name", "platform", "summary"} for tool in tools)


def test_select_gives_the_schema_of_ours_and_says_what_is_unknown_elsewhere(
    workspace: Workspace,
) -> None:
    ours, theirs = call(workspace, query="select:find_tools")["tools"]
    assert ours["input_schema"] == TOOL.arguments.model_json_schema()
    assert theirs["platform"] == "agenvoy"
    assert theirs["input_schema"] is None
    assert "not known" in theirs["notes"][-1]
    assert theirs["full_schema"] is True


def test_a_search_without_a_query_is_refused(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="needs a query"):
        call(workspace, mode="search")


def test_mcp_lists_ours_only(workspace: Workspace) -> None:
    tools = call(workspace, mode="list", mcp=True)["tools"]
    assert {tool["platform"] for tool in tools} == {"fieldguide"}


def test_a_broken_catalog_is_told(workspace: Workspace) -> None:
    workspace.home.catalogs.mkdir(parents=True)
    (workspace.home.catalogs / "bad.yaml").write_text("tools: [", encoding="utf-8")
    result = TOOL.call({"query": "edit_file"}, workspace)
    assert "bad.yaml:2" in (result.problems or [""])[0]
    assert "problem: " in render(result)


def test_an_agent_reads_limits_and_older_names(workspace: Workspace) -> None:
    text = render(TOOL.call({"query": "select:find_files,nothing_like_it"}, workspace))
    assert "limit, result in all: 100 KiB" in text
    assert "took over list_files, glob_files, search_files" in text
    assert "There is no tool nothing_like_it." in text


def test_the_command_line_lists_searches_and_shows(run) -> None:
    found = run("tools", "search", "套件")
    assert (found.code, found.out.split(" ")[0]) == (0, "pkg_manage")
    listed = run("tools", "list", "--platform", "wolffish", "--json")
    assert {tool["platform"] for tool in json.loads(listed.out)["tools"]} == {"wolffish"}
    wrong = run("tools", "list", "--platform", "wolfish")
    assert wrong.code == 2
    assert "Did you mean 'wolffish'?" in wrong.err
    assert run("tools", "show", "edit_fil").code == 2
    assert "edit_file" in run("tools", "show", "edit_fil").err
