from __future__ import annotations

import pytest

from generator.exceptions import ArgumentsError, NotFoundError, UsageError
from generator.knowledge.notes import add_note
from generator.tools.find_note import TOOL, render
from generator.tools.memory_get import TOOL as GET
from generator.tools.memory_search import TOOL as SEARCH
from generator.workspace import Workspace


def ask(workspace: Workspace, **arguments: object) -> dict:
    return TOOL.call(arguments, workspace).model_dump(mode="json")


def test_search_gives_names_and_read_the_note(workspace: Workspace) -> None:
    add_note(workspace, "Deploy rules", "Tuesday only.\n")
    assert ask(workspace, keywords="tuesday") == {"names": ["Deploy rules"]}
    assert ask(workspace, mode="search", keywords=["Tuesday only"]) == {"names": ["Deploy rules"]}
    assert ask(workspace, name="deploy rules") == {
        "name": "Deploy rules",
        "text": "Tuesday only.\n",
    }


def test_it_answers_before_the_first_note(workspace: Workspace) -> None:
    assert ask(workspace, keywords="x") == {"names": []}
    assert "next:" in render(TOOL.call({"keywords": "x"}, workspace))
    with pytest.raises(NotFoundError, match="no notes yet"):
        ask(workspace, name="x")


def test_what_is_missing_is_said(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="keywords is required"):
        ask(workspace)
    with pytest.raises(UsageError, match="needs a name"):
        ask(workspace, mode="read")
    with pytest.raises(ArgumentsError, match="list was removed"):
        ask(workspace, mode="list")


def test_a_note_is_found_by_the_index_and_its_ref_resolves(workspace: Workspace) -> None:
    add_note(workspace, "部署 #1", "先備份資料庫。\n")
    (hit,) = SEARCH.call({"query": "備份", "sources": "note"}, workspace).hits
    assert hit.ref == "note:部署 #1"
    assert "先備份資料庫" in GET.render(GET.call({"ref": hit.ref}, workspace))
