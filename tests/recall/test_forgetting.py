from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors.records import load_records, write_record
from generator.exceptions import NotFoundError, UsageError
from generator.knowledge.facts import load_facts, save_fact
from generator.knowledge.notes import add_note, note_names
from generator.recall.forgetting import forget_ref
from generator.settings import set_setting
from generator.tools.memory_search import TOOL as SEARCH
from generator.workspace import Workspace

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"


def test_a_fact_a_note_and_a_record_are_taken_out(workspace: Workspace) -> None:
    fact = save_fact(workspace, "The port is 8080.").fact
    note, _ = add_note(workspace, "plan #2", "ship")
    record = write_record(
        workspace, tool_name="t", keywords=["k"], symptom="s", action="a", outcome="resolved"
    ).failure
    assert record is not None
    assert "8080" in forget_ref(fact.ref, workspace)
    assert "plan #2" in forget_ref(note.ref, workspace)
    forget_ref(f"error:{record.hash}", workspace)
    assert load_facts(workspace.home)[0] == []
    assert note_names(workspace.home) == []
    assert load_records(workspace.home)[0] == []
    for ref in (fact.ref, note.ref, f"error:{record.hash}"):
        with pytest.raises(NotFoundError):
            forget_ref(ref, workspace)


def test_a_message_is_forgotten_and_stays_so(workspace: Workspace) -> None:
    set_setting(workspace.home, "sources", f'["{SAMPLES / "claude-code"}"]')
    session = "3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001"
    refs = {hit.ref for hit in SEARCH.call({"query": "test", "session": session}, workspace).hits}
    ref = next(ref for ref in sorted(refs) if ref.count("#") == 1 and "." not in ref.split("#")[1])
    forget_ref(ref, workspace)
    again = {hit.ref for hit in SEARCH.call({"query": "test", "session": session}, workspace).hits}
    assert ref not in again
    forget_ref(f"conversation:{session}", workspace)
    with pytest.raises(NotFoundError):
        forget_ref(f"conversation:{session}", workspace)


@pytest.mark.parametrize(
    "ref", ["task:x", "report:x", "file:notes/a.md", "file:knowledge/technical.md", "nonsense"]
)
def test_what_is_not_forgotten_by_ref_says_what_to_do(ref: str, workspace: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        forget_ref(ref, workspace)
    assert caught.value.hint
