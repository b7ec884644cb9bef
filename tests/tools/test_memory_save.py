from __future__ import annotations

import pytest

from generator.exceptions import ArgumentsError
from generator.tools.memory_get import TOOL as GET
from generator.tools.memory_save import TOOL, render
from generator.tools.memory_search import TOOL as SEARCH
from generator.workspace import Workspace


def save(workspace: Workspace, fact: str, **arguments: str) -> dict:
    return TOOL.call({"fact": fact, **arguments}, workspace).model_dump(mode="json")


def test_saved_known_similar(workspace: Workspace) -> None:
    first = save(workspace, "The deploy window is Tuesday at 9:00.")
    assert first == {"status": "saved", "ref": first["ref"], "similar": []}
    assert save(workspace, "the deploy window is tuesday, at 9:00") == {
        "status": "known", "ref": first["ref"], "similar": [],
    }  # fmt: skip
    near = save(workspace, "The deploy window is Wednesday at 10:00.")
    assert near["status"] == "similar"
    assert near["similar"] == [
        {"ref": first["ref"], "fact": "The deploy window is Tuesday at 9:00."}
    ]


def test_a_fact_is_searchable_at_once_and_its_ref_resolves(workspace: Workspace) -> None:
    ref = save(workspace, "部署時間是週二早上九點。", type="decisions")["ref"]
    hits = SEARCH.call({"query": "部署", "sources": "knowledge"}, workspace).hits
    assert [hit.ref for hit in hits] == [ref]
    assert "部署時間是週二早上九點" in GET.render(GET.call({"ref": ref}, workspace))


def test_a_hand_edit_is_what_is_found(workspace: Workspace) -> None:
    save(workspace, "The port is 8080.")
    file = workspace.home.knowledge / "technical.md"
    file.write_text(file.read_text().replace("8080", "9090"))
    assert SEARCH.call({"query": "8080", "sources": "knowledge"}, workspace).hits == []
    (hit,) = SEARCH.call({"query": "9090", "sources": "knowledge"}, workspace).hits
    assert "9090" in GET.render(GET.call({"ref": hit.ref}, workspace))


@pytest.mark.parametrize("arguments", [{}, {"fact": " "}, {"fact": "x", "type": "gossip"}])
def test_wrong_arguments_are_named(arguments: dict, workspace: Workspace) -> None:
    with pytest.raises(ArgumentsError, match=r"fact is required|must not be empty|'projects'"):
        TOOL.call(arguments, workspace)


def test_an_agent_reads_what_was_masked_and_what_is_near(workspace: Workspace) -> None:
    save(workspace, "The staging password rule is in the vault")
    result = TOOL.call(
        {"fact": "The staging password rule is DB_PASSWORD=" + "hunter22x"}, workspace
    )
    text = render(result)
    assert "Masked before it was kept: password (1)" in text
    assert "Near facts stand there" in text
