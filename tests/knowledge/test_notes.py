from __future__ import annotations

from pathlib import Path

import pytest

from generator.exceptions import NotFoundError, UsageError
from generator.knowledge.notes import (
    add_note,
    note_names,
    read_note,
    remove_note,
    replace_note,
    search_notes,
)
from generator.workspace import Workspace


def test_a_note_is_a_file_that_is_read_back(workspace: Workspace) -> None:
    add_note(workspace, "部署流程", "先備份。\n")
    assert (workspace.home.notes / "部署流程.md").read_text() == "先備份。\n"
    assert read_note(workspace.home, "note:部署流程").text == "先備份。\n"
    assert read_note(workspace.home, "部署流程.md").name == "部署流程"


def test_search_gives_names_with_most_hits_first(workspace: Workspace) -> None:
    add_note(workspace, "once", "deploy at nine")
    add_note(workspace, "often", "deploy, DEPLOY, redeploy")
    add_note(workspace, "deploy rules", "nothing else")
    add_note(workspace, "both", "deploy the server")
    assert search_notes(workspace.home, "deploy") == ["often", "both", "deploy rules", "once"]
    assert search_notes(workspace.home, "deploy server")[0] == "both"
    assert search_notes(workspace.home, ["the server"]) == ["both"]
    assert search_notes(workspace.home, "zebra") == []


def test_search_gives_at_most_twenty_names(workspace: Workspace) -> None:
    for number in range(25):
        add_note(workspace, f"n{number:02}", "deploy")
    assert len(search_notes(workspace.home, "deploy")) == 20


def test_a_miss_names_the_nearest(workspace: Workspace) -> None:
    add_note(workspace, "Release checklist", "x")
    with pytest.raises(NotFoundError, match="Did you mean 'Release checklist'"):
        read_note(workspace.home, "release check")
    assert read_note(workspace.home, "release CHECKLIST").name == "Release checklist"


def test_before_the_first_note_the_miss_says_so(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no notes yet"):
        read_note(workspace.home, "any")
    assert search_notes(workspace.home, "any") == []


@pytest.mark.parametrize(
    "name",
    ["", " ", "../x", "a/b", "a\\b", "a:b", "CON", "nul.txt", "com1", ".hidden", "end.", "a\x00b", "a\nb",
     "x" * 201, "好" * 70, "a\u202eb", "what?", "a\u200bb"],
)  # fmt: skip
def test_names_that_some_file_system_refuses_are_refused(name: str, workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="cannot be named"):
        add_note(workspace, name, "x")
    assert note_names(workspace.home) == []


def test_a_note_is_not_added_over_another(workspace: Workspace) -> None:
    add_note(workspace, "Plan", "one")
    with pytest.raises(UsageError, match="already"):
        add_note(workspace, "plan", "two")
    replace_note(workspace, "plan", "two")
    assert read_note(workspace.home, "Plan").text == "two\n"
    remove_note(workspace.home, "Plan")
    assert note_names(workspace.home) == []


def test_an_empty_note_is_refused_and_secrets_are_masked(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="empty"):
        add_note(workspace, "x", " \n")
    _, counts = add_note(workspace, "x", "DB_PASSWORD=" + "hunter22x")
    assert counts == {"password": 1}
    assert "hunter22x" not in read_note(workspace.home, "x").text


def test_bytes_that_are_no_utf8_are_read_all_the_same(workspace: Workspace) -> None:
    workspace.home.notes.mkdir(parents=True)
    (workspace.home.notes / "old.md").write_bytes(b"\xef\xbb\xbfcaf\xe9 deploy\r\n")
    assert read_note(workspace.home, "old").text == "caf\ufffd deploy\r\n"
    assert search_notes(workspace.home, "deploy") == ["old"]


def test_a_link_that_leads_out_is_no_note(workspace: Workspace, tmp_path: Path) -> None:
    outside = tmp_path / "secret.md"
    outside.write_text("deploy key")
    workspace.home.notes.mkdir(parents=True)
    (workspace.home.notes / "linked.md").symlink_to(outside)
    assert search_notes(workspace.home, "deploy") == []
    with pytest.raises(NotFoundError):
        read_note(workspace.home, "linked")
    with pytest.raises(UsageError, match="already"):
        add_note(workspace, "linked", "x")
    assert outside.read_text() == "deploy key"
