"""Mining the real samples, and turning a draft into a record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.errors.records import get_record, load_records
from generator.exceptions import NotFoundError, UsageError
from generator.recall.mined import accept_draft, mine_archive
from generator.settings_edits import set_setting
from generator.tools.error_history import TOOL as HISTORY
from generator.workspace import Workspace

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"


@pytest.fixture
def archive(workspace: Workspace) -> Workspace:
    """A home whose sources are the samples of six agents."""
    names = ("claude-code", "codex", "gemini-cli", "opencode", "wolffish", "agenvoy")
    set_setting(workspace.home, "sources", json.dumps([str(SAMPLES / name) for name in names]))
    return workspace


def test_every_failed_call_of_the_samples_is_gathered_and_nothing_else(archive: Workspace) -> None:
    mined = mine_archive(archive)
    assert sum(item.count for item in mined.failures) == mined.failed == 4
    assert {agent for item in mined.failures for agent in item.agents} == {
        "claude-code", "codex", "gemini-cli", "opencode",
    }  # fmt: skip
    assert dict(mined.set_aside) == {"denied": 1, "cancelled": 0, "unfinished": 2}
    assert load_records(archive.home)[0] == []


def test_an_accepted_draft_is_a_record_that_is_found_and_no_draft_any_more(
    archive: Workspace,
) -> None:
    draft = next(item for item in mine_archive(archive).failures if "replace" in item.tool)
    with pytest.raises(UsageError, match="--action"):
        accept_draft(archive, draft.id)
    written = accept_draft(
        archive, draft.id[:6], action="Read the file first.", cause="It had changed."
    )
    assert written.failure is not None
    record = get_record(archive.home, written.failure.hash)
    assert (record.mined, record.action, record.cause) == (
        draft.id, "Read the file first.", "It had changed.",
    )  # fmt: skip
    found = HISTORY.call({"keyword": "old_string not found in other.txt"}, archive).records
    assert found[0].hash == record.hash
    assert (
        next(item for item in mine_archive(archive).failures if item.id == draft.id).accepted
        == record.hash
    )
    assert (
        accept_draft(
            archive, draft.id, action="Read the file first.", cause="It had changed."
        ).is_new
        is False
    )


def test_a_draft_that_is_none_is_refused(archive: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no mined error"):
        accept_draft(archive, "ffffffff")
    with pytest.raises(NotFoundError, match="no mined error"):
        accept_draft(archive, " ")
