"""Every entry of the real samples is found and every ref of any tool is read back."""

import re
import shutil
from pathlib import Path

import pytest

from generator.recall.search import SOURCES
from generator.settings_edits import set_setting
from generator.tools import get_tool

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"
KINDS = r"(?:conversation|task|file|error|note|report)"
REF = re.compile(rf"{KINDS}:\S.*")
IN_TEXT = re.compile(rf"\b{KINDS}:\S.*?(?=  |, |;|\.?$)", re.MULTILINE)


@pytest.fixture
def sampled(workspace, tmp_path):
    """A home whose one source is a copy of the samples; days are cut in Shanghai."""
    folder = shutil.copytree(SAMPLES, tmp_path / "samples")
    set_setting(workspace.home, "timezone", "Asia/Shanghai")
    set_setting(workspace.home, "sources", f'["{folder}"]')
    return workspace


def call(workspace, name, /, **arguments):
    tool = get_tool(name)
    result = tool.call(arguments, workspace)
    return result, tool.render(result)


def refs_in(result, text):
    own = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">"))
    found = {ref.rstrip(".,;:)") for ref in IN_TEXT.findall(own)}

    def walk(value):
        if isinstance(value, dict):
            for inner in value.values():
                yield from walk(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from walk(inner)
        elif isinstance(value, str) and REF.fullmatch(value):
            yield value

    return found | set(walk(result.model_dump(mode="json")))


def every_ref(workspace):
    """Call every tool on everything and collect what they print."""
    found = set()

    def keep(name, /, **arguments):
        result, text = call(workspace, name, **arguments)
        found.update(refs_in(result, text))
        return result

    for mode in ("overview", "performance", "memory", "files", "channels"):
        keep("status", mode=mode)
    for row in keep("conversation_list", limit=100).conversations:
        keep("conversation_read", id=row.id, **{"from": 1})
        keep("memory", mode="read", session_id=row.id)
        for run in keep("chat_history", session_id=row.id).runs:
            keep("chat_history", task_id=run.task_id)
        for reused in keep("chat_history", mode="tool_list", session_id=row.id).calls:
            keep("chat_history", task_id=reused.task_id, name=reused.name)
    for source in SOURCES:
        keep("memory_search", query="a e basil 的 05 in tide", sources=source, limit=50)
    keep("error_history", keyword="tide")
    keep("find_note", keywords=["tide"])
    keep("memory_save", fact="The tide table of the sample harbour is in notes.md.")
    for day in ("2026-05-04", "2026-03-02", "2026-04-01", "2026-06-01"):
        keep("wolffish_recall", date=day, limit=30)
    return found


def test_every_ref_that_any_tool_prints_resolves(sampled):
    from generator.knowledge.notes import add_note

    add_note(sampled, "Tide rules", "Check the basil at high tide.")
    call(sampled, "memory_save", fact="The tide table of the sample harbour is in notes.md.")
    call(
        sampled,
        "write_error",
        tool_name="fetch_page",
        keywords=["tide"],
        symptom="the tide table timed out",
        action="ask for one day only",
        outcome="resolved",
    )
    call(sampled, "write_result", content="# Tide report\n\nHigh tide at 05:12.\n")
    printed = every_ref(sampled)
    assert len(printed) > 100
    seen, open_refs = set(), set(printed)
    while open_refs:
        ref = open_refs.pop()
        seen.add(ref)
        result, text = call(sampled, "memory_get", ref=ref)
        empty = ref == "conversation:c0000000-0000-4000-8000-000000000002"
        assert "text" in result.model_dump() or result.records or empty, ref
        open_refs |= refs_in(result, text) - seen
    kinds = {ref.partition(":")[0] for ref in seen}
    assert kinds == {"conversation", "task", "file", "error", "note", "report"}


def test_every_entry_of_the_index_resolves(sampled):
    from generator.recall.search import find
    from generator.recall.store import open_recall
    from generator.search import Filters

    answer = find(open_recall(sampled), None, Filters(), limit=1000)
    assert answer.total == len(answer.hits) > 80
    for shown in answer.hits:
        result, _ = call(sampled, "memory_get", ref=shown.hit.ref)
        assert result.text.strip(), shown.hit.ref
    assert len({shown.hit.ref for shown in answer.hits}) == answer.total


@pytest.mark.parametrize(
    ("query", "session"),
    [
        ("风速换算", "3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001"),
        ("潮汐", "cli-sample01"),
        ("薄荷", "2026-05-04_09-15-00"),
        ("茶壶", "69a00000-0000-8000-8000-000000000001"),
        ("迷宫", "ses_sample0001"),
        ("teapots", "019cb100-aaaa-7000-8000-000000000001"),
        ("lighthouse", "c0000000-0000-4000-8000-000000000001"),
        ("kite", "77aa0002-4444-4000-8000-000000000004"),
    ],
)
def test_what_was_said_to_each_agent_is_found(sampled, query, session):
    result, _ = call(sampled, "memory_search", query=query, sources="conversation,task")
    assert session in {hit.session for hit in result.hits}


@pytest.mark.parametrize("query", ["configuration-canary", "configuration canary", '"canary"'])
def test_settings_of_an_agent_are_never_found(sampled, query):
    for name in ("memory_search", "wolffish_recall"):
        result, text = call(sampled, name, query=query)
        assert result.total == 0
        assert "configuration-canary" not in text.replace(query, "")
    with pytest.raises(Exception, match="never shown"):
        call(sampled, "memory_get", ref="file:wolffish/workspace/config.json")


def test_rewound_regenerated_and_sidechain_messages_are_marked(sampled):
    off, text = call(sampled, "memory_search", query="70 元 kite rewound", limit=50)
    assert {"off", "active"} <= {hit.thread for hit in off.hits}
    assert "off-thread" in text
    side, _ = call(sampled, "conversation_read", id="3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001/a1b2c3d")
    assert {message.thread for message in side.messages} == {"side"}


def test_tasks_keep_the_names_their_agents_gave_them(sampled):
    for task, told in (
        ("5f0c1d2e-7a1b-4c2d-9e3f-000000000001", "High tide 05:12"),
        ("b7e1", "convert logo.png"),
        ("TASK-mabc12xy", "basil, mint, thyme"),
    ):
        result, _ = call(sampled, "memory_get", ref=f"task:{task}")
        assert told in result.text


def test_a_source_that_grows_is_seen_by_the_next_query(sampled, tmp_path):
    first, _ = call(sampled, "memory_search", query="barnacle")
    assert first.total == 0
    path = next((tmp_path / "samples").rglob("7d20be44*.jsonl"))
    line = (
        '{"parentUuid":null,"isSidechain":false,"cwd":"/home/dev/paperboat",'
        '"sessionId":"7d20be44-1111-4c55-9d0a-7a2f6c1e0002","type":"user",'
        '"uuid":"7d20be44-0009-4000-8000-00000000000f","timestamp":"2026-03-05T10:00:00.000Z",'
        '"message":{"role":"user","content":"scrape the barnacle off"}}\n'
    )
    with path.open("ab") as handle:
        handle.write(b"\n" + line.encode())
    second, _ = call(sampled, "memory_search", query="barnacle")
    assert second.total == 1
    assert second.hits[0].session == "7d20be44-1111-4c55-9d0a-7a2f6c1e0002"


def test_what_vanished_from_its_source_stays(sampled, tmp_path):
    before, _ = call(sampled, "memory_search", query="basil")
    shutil.rmtree(tmp_path / "samples")
    after, _ = call(sampled, "memory_search", query="basil")
    assert before.total
    assert {hit.ref for hit in after.hits} == {hit.ref for hit in before.hits}
    for hit in after.hits:
        assert call(sampled, "memory_get", ref=hit.ref)[0].text


def test_two_workspaces_with_the_same_paths_have_refs_of_their_own(sampled, tmp_path):
    second = shutil.copytree(SAMPLES / "wolffish" / "workspace", tmp_path / "other")
    note = second / "notes" / "seeds.md"
    note.write_text("# Seeds\n\n## Basil\nSow in June instead.\n", encoding="utf-8")
    set_setting(sampled.home, "sources", f'["{tmp_path / "samples"}", "{second}"]')
    import dataclasses

    both = dataclasses.replace(sampled)
    result, _ = call(both, "memory_search", query="sow", sources="doc")
    texts = {call(both, "memory_get", ref=hit.ref)[0].text for hit in result.hits}
    assert any("May" in text for text in texts)
    assert any("June" in text for text in texts)


def test_a_corpus_turn_belongs_to_its_conversation(sampled):
    result, _ = call(sampled, "memory_search", query="llm.completed", sources="corpus")
    assert [hit.session for hit in result.hits] == ["2026-05-04_09-15-00"]
