"""What was forgotten can be counted first, and comes back from a source that still has it."""

from datetime import date

import pytest

from generator.exceptions import FieldguideError, UsageError
from generator.history.forgetting import (
    forget_before,
    forget_records,
    forget_session,
    forget_source,
)
from generator.history.forgotten import load_forgotten
from generator.history.intake import register
from generator.history.restoring import restore_session, restore_source
from generator.model.session import Message
from tests.history.test_intake import S, archive_bytes, prompt

OTHER = S.replace("a", "b")


def two_sessions(source):
    source.write(f"keep/{S}.jsonl", [prompt(0, day=1), prompt(1, day=5)])
    path = source.write(f"drop/{OTHER}.jsonl", [prompt(0, OTHER, day=2)])
    source.take_in()
    return path


def test_a_rehearsal_counts_and_changes_nothing(source):
    folder = two_sessions(source).parent
    before = archive_bytes(source)
    workspace = source.workspace()
    assert forget_session(workspace, S, rehearsal=True)["sessions"] == 1
    assert forget_source(workspace, folder, rehearsal=True)["sessions"] == 1
    counted = forget_before(workspace, date(2026, 3, 4), rehearsal=True)
    assert counted == {"sessions": 1, "messages": 1, "documents": 0}
    assert archive_bytes(source) == before
    assert not load_forgotten(source.home).path.exists()
    assert source.total()["sessions"] == 2


def test_a_session_comes_back_as_it_was(source):
    two_sessions(source)
    before = archive_bytes(source)
    forget_session(source.workspace(), S)
    assert source.total()["sessions"] == 1
    assert restore_session(source.workspace(), S[-6:]) == f"claude-code/{S}"
    assert source.total()["sessions"] == 2
    assert archive_bytes(source) == before


def test_older_messages_and_single_ones_come_back(source):
    two_sessions(source)
    forget_before(source.workspace(), date(2026, 3, 4))
    restore_session(source.workspace(), S)
    assert source.total()["messages"]["user"] == 2
    path = next(source.home.history.rglob(f"{S}*.jsonl"))
    forget_records(source.workspace(), path, lambda r: isinstance(r, Message) and r.n == 2)
    assert source.total()["messages"]["user"] == 1
    restore_session(source.workspace(), S)
    assert source.total()["messages"]["user"] == 2


def test_a_source_comes_back_with_its_sessions_and_no_others(source):
    path = two_sessions(source)
    forget_session(source.workspace(), S)
    forget_source(source.workspace(), path.parent)
    assert source.total()["sessions"] == 0
    restore_source(source.workspace(), path.parent)
    register(source.workspace(), [path.parent])
    assert source.total()["sessions"] == 1
    with pytest.raises(FieldguideError, match="was not forgotten"):
        restore_source(source.workspace(), path.parent)


def test_a_name_must_fit_one(source):
    two_sessions(source)
    with pytest.raises(FieldguideError, match="Nothing of a session 'nope' was forgotten"):
        restore_session(source.workspace(), "nope")
    forget_session(source.workspace(), S)
    third = f"{S[:-1]}x"
    source.write(f"keep/{third}.jsonl", [prompt(0, third)])
    source.take_in()
    forget_session(source.workspace(), third)
    with pytest.raises((UsageError, FieldguideError)):
        restore_session(source.workspace(), "")


def test_the_commands_say_what_would_go_and_list_what_went(run, source):
    two_sessions(source)
    home = ("--home", source.home.root)
    dry = run(*home, "history", "forget", S, "--dry-run")
    assert (dry.code, dry.err) == (0, "This forgets 1 session.\n")
    assert run(*home, "history", "restore").err == "Nothing was forgotten.\n"
    assert "history restore" in run(*home, "history", "forget", S, "--yes").err
    assert run(*home, "history", "restore").out == f"claude-code/{S}  all of it\n"
    assert run(*home, "history", "restore", S[-6:]).code == 0
    assert run(*home, "history", "restore", "--json").out.count("claude-code") == 0
