"""Whole content behind a ref, in pages, and never from outside."""

import pytest

from generator import limits
from generator.exceptions import FieldguideError, NotFoundError, OutsideError, UsageError
from generator.settings_edits import set_setting
from generator.tools.memory_get import TOOL


def get(workspace, ref, **more):
    return TOOL.call({"ref": ref, **more}, workspace)


def whole(workspace, ref):
    """Read a text page by page."""
    result = get(workspace, ref, offset=0)
    pages = [result.text]
    while result.next_offset is not None:
        result = get(workspace, ref, offset=result.next_offset)
        pages.append(result.text)
    return "".join(pages)


@pytest.fixture
def source(archived, tmp_path):
    """A registered source with files of many kinds, and a folder beside it."""
    folder = tmp_path / "source"
    (folder / "brain").mkdir(parents=True)
    (folder / "brain" / "note.md").write_text("inside", encoding="utf-8")
    (folder / "config.json").write_text('{"key": "configuration-canary"}', encoding="utf-8")
    (folder / ".debug").mkdir()
    (folder / ".debug" / "trace.txt").write_text("hidden", encoding="utf-8")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "a.js").write_text("hidden", encoding="utf-8")
    (folder / "id_rsa").write_text("hidden", encoding="utf-8")
    (folder / ".env").write_text("hidden", encoding="utf-8")
    (folder / "telegram").mkdir()
    (folder / "telegram" / "state.json").write_text("hidden", encoding="utf-8")
    (folder / "drafts").mkdir()
    (folder / "drafts" / "plan.md").write_text("hidden", encoding="utf-8")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("outside", encoding="utf-8")
    (folder / "leads-out").symlink_to(outside)
    (folder / "leads-out.txt").symlink_to(outside / "secret.txt")
    (folder / "stays-in.md").symlink_to(folder / "brain" / "note.md")
    set_setting(archived.home, "sources", f'["{folder}"]')
    set_setting(archived.home, "exclude", '["drafts/*"]')
    return folder


def test_a_message_comes_whole_with_the_refs_of_its_calls(archived):
    result = get(archived, "conversation:boat-0001#2")
    assert result.text == "我先查看现有的单位换算代码。"
    assert result.facts["model"] == "claude-sonnet"
    assert result.facts["ts"] == "2026-05-04T10:01:00+08:00"
    assert result.related == [f"conversation:boat-0001#2.{n}" for n in (1, 2, 3)]


def test_a_call_comes_whole_over_its_pages(archived):
    text = whole(archived, "conversation:boat-0001#2.1")
    assert text.startswith("Grep (ok)\npattern: def .*knots")
    assert "line 1500: def knots_to_ms(v)" in text
    assert text.endswith("line 2999: def knots_to_ms(v)\n")
    assert len(text) == get(archived, "conversation:boat-0001#2.1").characters


def test_a_long_text_without_offset_gives_head_and_tail(archived):
    result = get(archived, "conversation:boat-0001#2.1")
    assert len(result.text) < limits.FILE_EXCERPT_CHARACTERS + 200
    assert "line 2999" in result.text
    assert "line 1500" not in result.text
    assert f"offset={result.next_offset}" in TOOL.render(result)


def test_a_sidechain_and_an_off_thread_message_are_marked(archived):
    side = get(archived, "conversation:boat-0001/a1b2#2")
    assert (side.text, side.facts["thread"]) == ("they live in units.py", "side")
    assert get(archived, "conversation:boat-0001#3").facts["thread"] == "off"


def test_a_whole_conversation_comes_in_archive_order_with_its_sidechains(archived):
    result = get(archived, "conversation:boat-0001")
    assert [record.ref.rpartition(":")[2] for record in result.records] == [
        *(f"boat-0001#{n}" for n in range(1, 7)),
        "boat-0001/a1b2#1",
        "boat-0001/a1b2#2",
    ]
    assert [record.thread for record in result.records][2:4] == ["off", "off"]
    first = get(archived, "conversation:boat-0001#", limit=3)
    assert (len(first.records), first.total, first.next_offset) == (3, 8, 3)
    rest = get(archived, "conversation:boat-0001", offset=3)
    assert len(rest.records) == 5


def test_a_sidechain_alone(archived):
    result = get(archived, "conversation:boat-0001/a1b2")
    assert [record.text for record in result.records][1] == "they live in units.py"


def test_runs_and_tasks_and_their_parts(archived):
    assert "Replied:\n高潮" in get(archived, "task:5f0c-1").text
    assert get(archived, "task:5f0c-1#detail1").text.startswith("fetch_page (ok)")
    assert get(archived, "task:boat-0001.1#detail3").facts["status"] == "error"
    assert "Tidy the garden" in get(archived, "task:TASK-mabc12xy").text
    assert get(archived, "task:TASK-mabc12xy#detail2").text == "basil, mint, thyme in full"


def test_documents_outlive_their_workspace(archived):
    day = get(archived, "file:brain/hippocampus/episodes/2026-05-04.md")
    assert "basil fits" in day.text
    assert "nothing" in day.text
    assert get(archived, "file:brain/hippocampus/episodes/2026-05-04.md#1").text.endswith(
        "basil fits"
    )
    absolute = get(archived, "file:/gone/workspace/brain/hippocampus/episodes/2026-05-04.md#2")
    assert absolute.facts["origin"] == "heartbeat"
    owner = get(archived, "file:uploads/conv-04/balcony.txt#1")
    assert owner.related == ["conversation:2026-05-04_09-15-00"]


def test_files_of_the_home_and_of_sources_are_read(archived, source):
    archive = get(archived, "file:history/claude-code/boat-0001.jsonl")
    assert archive.text.startswith('{"type":"head"')
    assert "ghp_" not in archive.text
    assert get(archived, "file:brain/note.md").text == "inside"
    assert get(archived, f"file:{source}/brain/note.md").text == "inside"
    assert get(archived, "file:stays-in.md").text == "inside"


@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.txt",
        "brain/../../outside/secret.txt",
        "/etc/passwd",
        "{outside}/secret.txt",
        "leads-out/secret.txt",
        "leads-out.txt",
        "{source}/leads-out.txt",
        "~/../../etc/passwd",
        "config.json",
        "{source}/config.json",
        "brain/../config.json",
        "{home}/config.json",
        ".debug/trace.txt",
        "node_modules/a.js",
        "id_rsa",
        ".env",
        "telegram/state.json",
        "drafts/plan.md",
        "\x00",
        "a" * 5000,
        "",
    ],
)
def test_no_path_leads_out_or_to_what_is_never_shown(archived, source, tmp_path, path):
    name = path.format(outside=tmp_path / "outside", source=source, home=archived.home.root)
    with pytest.raises((OutsideError, NotFoundError, UsageError)) as caught:
        get(archived, f"file:{name}")
    told = TOOL.failure_text(caught.value)
    assert told.splitlines()[-1].startswith("next: ")
    for kept in ("canary", "hidden", "outside\n", "root:"):
        assert kept not in told


@pytest.mark.parametrize(
    "ref",
    [
        "conversation:../../../etc/passwd",
        "conversation:boat-0001/../tea-0002#1",
        "conversation:/etc/passwd#1",
        "task:../config",
        "conversation:boat-0001#99",
        "conversation:boat-0001#0",
        "conversation:boat-0001#2.9",
        "conversation:boat-0001#2.0",
        "conversation:boat-0001/nobody#1",
        "task:5f0c-1#detail9",
        "task:5f0c-1#../x",
        "file:brain/hippocampus/episodes/2026-05-04.md#99",
        "error:../../x",
        "note:../../x",
        "report:../../x",
        "nonsense",
    ],
)
def test_a_ref_that_leads_nowhere_is_a_sentence_with_what_to_do(archived, ref):
    with pytest.raises(FieldguideError) as caught:
        get(archived, ref)
    assert TOOL.failure_text(caught.value).splitlines()[-1].startswith("next: ")


def test_a_folder_names_what_it_holds_and_a_binary_file_only_itself(archived, source):
    with pytest.raises(NotFoundError, match=r"is a folder. It holds: note.md"):
        get(archived, "file:brain")
    (source / "shot.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0secret pixels")
    text = get(archived, "file:shot.png").text
    assert "a binary file of" in text
    assert "pixels" not in text


def test_a_file_too_large_to_hold_is_walked_through(archived, source, monkeypatch):
    monkeypatch.setattr("generator.recall.files._WHOLE_BYTES", 1000)
    monkeypatch.setattr("generator.recall.files._STEP_BYTES", 777)
    text = "".join(f"第{n}行 of a long log\n" for n in range(4000))
    (source / "big.log").write_text(text, encoding="utf-8")
    first = get(archived, "file:big.log")
    assert first.characters is None
    assert first.text.startswith("第0行")
    assert "第3999行" in first.text
    assert whole(archived, "file:big.log") == text


def test_a_chunk_is_found_in_a_path_that_holds_a_hash(archived, source):
    (source / "c#.md").write_text("sharp", encoding="utf-8")
    assert get(archived, "file:c#.md").text == "sharp"


def test_windows_line_ends_and_stray_bytes_are_read(archived, source):
    (source / "w.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo \xff\r\n")
    result = get(archived, "file:w.txt")
    assert result.text == "one\r\ntwo \ufffd\r\n"
    assert "> one\n> two \ufffd" in TOOL.render(result)
