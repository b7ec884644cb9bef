"""What a person forgets is gone from every answer and does not come back."""

import shutil
from pathlib import Path

import pytest

from generator.errors.records import load_records, write_record
from generator.exceptions import FieldguideError, NotFoundError, UsageError
from generator.knowledge.facts import load_facts, save_fact
from generator.knowledge.notes import add_note, note_names
from generator.recall.forgetting import forget_ref
from generator.settings_edits import set_setting
from generator.tools import get_tool
from generator.tools.memory_search import TOOL as SEARCH

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"


@pytest.fixture
def sampled(workspace, tmp_path):
    folder = shutil.copytree(SAMPLES, tmp_path / "samples")
    set_setting(workspace.home, "timezone", "Asia/Shanghai")
    set_setting(workspace.home, "sources", f'["{folder}"]')
    return workspace


def found(workspace, query, **filters):
    tool = get_tool("memory_search")
    return {hit.ref for hit in tool.call({"query": query, **filters}, workspace).hits}


def touch_everything(workspace, tmp_path):
    """Make every source look changed, and let the index be built anew."""
    for path in (tmp_path / "samples").rglob("*"):
        if path.is_file():
            path.touch()
    shutil.rmtree(workspace.home.index)


@pytest.mark.parametrize(
    ("ref", "query"),
    [
        ("conversation:2026-05-04_09-15-00#2", "百里香"),
        ("conversation:77aa0002-4444-4000-8000-000000000004", "kite"),
        ("task:TASK-mabc12xy", "ENOENT thyme"),
        ("task:b7e1", "convert"),
        ("task:3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001.1", "风速换算函数，单位从节"),
        ("file:notes/seeds.md#2", "sow"),
        ("file:brain/hippocampus/episodes/2026-05-04.md", "nightly"),
        ("conversation:3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001/a1b2c3d", "exact float assertions"),
    ],
)
def test_what_is_forgotten_stays_forgotten_after_the_next_import(sampled, tmp_path, ref, query):
    before = found(sampled, query)
    assert any(hit.startswith((ref, "conversation:3f1c9a10")) for hit in before)
    assert "forgotten" in forget_ref(ref, sampled)
    for _ in range(2):
        after = found(sampled, query)
        assert not any(hit == ref or hit.startswith((f"{ref}#", f"{ref}.")) for hit in after)
        assert after < before
        with pytest.raises(NotFoundError):
            get_tool("memory_get").call({"ref": ref}, sampled)
        touch_everything(sampled, tmp_path)


def test_the_other_messages_keep_their_numbers(sampled):
    forget_ref("conversation:3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001#1", sampled)
    tool = get_tool("conversation_read")
    result = tool.call({"id": "7a2f6c1e0001", "from": 1}, sampled)
    assert result.messages[0].n == 2


def test_facts_notes_and_error_records_are_forgotten_by_their_refs(sampled):
    get_tool("memory_save").call({"fact": "The quartz harbour opens at six."}, sampled)
    get_tool("write_error").call(
        {
            "tool_name": "quartz",
            "keywords": ["quartz"],
            "symptom": "quartz broke",
            "action": "mend it",
            "outcome": "resolved",
        },
        sampled,
    )
    add_note(sampled, "Quartz rules", "quartz before noon")
    refs = found(sampled, "quartz")
    assert {ref.partition(":")[0] for ref in refs} == {"file", "error", "note"}
    for ref in refs:
        forget_ref(ref, sampled)
    assert found(sampled, "quartz") == set()


@pytest.mark.parametrize(
    ("ref", "error"),
    [
        ("conversation:nowhere#1", NotFoundError),
        ("conversation:cli-sample01#99", NotFoundError),
        ("conversation:019cb100-aaaa-7000-8000-000000000001#2.1", UsageError),
        ("task:b7e1#detail1", UsageError),
        ("file:../outside.txt", NotFoundError),
        ("file:config.json", NotFoundError),
        ("error:../../x", FieldguideError),
        ("note:../../x", FieldguideError),
        ("report:report-20260505-120000.md", UsageError),
        ("nonsense", UsageError),
    ],
)
def test_what_cannot_be_forgotten_is_said_and_nothing_changes(sampled, ref, error):
    before = found(sampled, "basil tide kite")
    with pytest.raises(error):
        forget_ref(ref, sampled)
    assert found(sampled, "basil tide kite") == before


def test_the_command_forgets_several(run, home_folder, tmp_path):
    folder = shutil.copytree(SAMPLES, tmp_path / "samples")
    run("history", "add", folder)
    outcome = run("memory", "forget", "task:b7e1", "file:notes/seeds.md#2")
    assert outcome.code == 0
    assert outcome.err.count("forgotten") == 2
    assert run("memory", "forget", "task:b7e1").code == 1


def test_a_fact_a_note_and_a_record_are_taken_out(workspace):
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


def test_a_message_is_forgotten_and_stays_so(workspace):
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
def test_what_is_not_forgotten_by_ref_says_what_to_do(ref, workspace):
    with pytest.raises(FieldguideError) as caught:
        forget_ref(ref, workspace)
    assert caught.value.hint
