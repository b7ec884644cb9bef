"""The commands errors, note and memory save/forget."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"


def written(run) -> str:
    outcome = run(
        "errors", "write", "--tool", "run_command", "--keyword", "pip", "--symptom",
        "No module named 'yaml'", "--action", "Installed pyyaml.", "--json",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)["hash"]


def test_a_record_is_written_found_read_listed_and_removed(run) -> None:
    name = written(run)
    assert f"error:{name}" in run("errors", "search", "yaml").out
    assert "Installed pyyaml." in run("errors", "read", name).out
    assert run("errors", "list").out == (
        f"{name}  {run('errors', 'list').out.split()[1]}  run_command  No module named 'yaml'\n"
    )
    assert json.loads(run("errors", "list", "--json").out)["records"][0]["hash"] == name
    assert run("errors", "remove", name).code == 0
    gone = run("errors", "read", name)
    assert (gone.code, gone.out) == (1, "")
    assert f"no data: {name}" in gone.err


def test_what_is_missing_is_named_at_once(run) -> None:
    outcome = run("errors", "write")
    assert (outcome.code, outcome.out) == (2, "")
    for name in ("--tool", "--symptom", "--action", "--keyword"):
        assert name in outcome.err
    assert run("errors", "read", "../x").code == 2


def test_a_stack_trace_is_read_from_standard_input(run, monkeypatch: pytest.MonkeyPatch) -> None:
    name = written(run)
    trace = b"Traceback (most recent call last):\n  File \"x.py\", line 9\nModuleNotFoundError: No module named 'yaml'\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(trace)))
    assert f"error:{name}" in run("errors", "search", "-").out


def test_mined_drafts_are_shown_and_accepted(run) -> None:
    assert "0 of 0 kinds" in run("errors", "mine").err
    run("history", "add", SAMPLES / "gemini-cli")
    shown = run("errors", "mine")
    assert "no later call of" in shown.out
    assert "  1 time, " in shown.out
    draft = json.loads(run("errors", "mine", "--json").out)["drafts"][0]
    assert run("errors", "accept", draft["id"]).code == 2
    accepted = run("errors", "accept", draft["id"], "--action", "Read it again.", "--json")
    assert json.loads(accepted.out)["status"] == "recorded"
    assert json.loads(run("errors", "mine", "--json").out)["drafts"] == []
    kept = json.loads(run("errors", "mine", "--all", "--json").out)["drafts"][0]
    assert kept["accepted"] == json.loads(accepted.out)["hash"]


def test_notes_are_added_listed_found_read_changed_and_removed(
    run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run("note", "add", "Release rules", "Tuesday only.").code == 0
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("先備份。".encode())))
    assert run("note", "add", "部署", "-").code == 0
    assert run("note", "list").out == "Release rules\n部署\n"
    assert run("note", "search", "tuesday").out == "Release rules\n"
    assert run("note", "read", "部署").out == "先備份。\n"
    assert run("note", "edit", "release rules", "Monday.").code == 0
    assert json.loads(run("note", "read", "Release rules", "--json").out) == {
        "name": "Release rules", "text": "Monday.\n",
    }  # fmt: skip
    near = run("note", "read", "Release rule")
    assert near.code == 1
    assert "Did you mean 'Release rules'?" in near.err
    assert run("note", "remove", "部署").code == 0
    assert json.loads(run("note", "list", "--json").out) == {"names": ["Release rules"]}
    assert run("note", "add", "a/b", "x").code == 2
    assert run("note", "add", "empty", "  ").code == 2


def test_a_note_is_changed_in_an_editor(
    run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run("note", "add", "plan", "one")
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "two\\n" >> "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    terminal = io.TextIOWrapper(io.BytesIO())
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", terminal)
    assert run("note", "edit", "plan").code == 0
    assert run("note", "read", "plan").out == "one\ntwo\n"


def test_facts_are_saved_and_forgotten(run) -> None:
    saved = json.loads(run("memory", "save", "The", "port", "is", "8080.", "--json").out)
    assert saved["status"] == "saved"
    assert "8080" in run("memory", "get", saved["ref"]).out
    assert "8080" in run("memory", "forget", saved["ref"]).err
    assert run("memory", "forget", saved["ref"]).code == 1
    assert run("memory", "forget", "nonsense").code == 2
