"""init touches its own part of a file and nothing else."""

import pytest

from generator.exceptions import FieldguideError, UsageError
from generator.guides.agents_file import BEGIN, END, section, targets, update_file

TOPICS = [("recall", "Before saying that something was never recorded."), ("office", "表格")]
MORE = [*TOPICS, ("figure", "Before a chart.")]


def test_a_file_is_made_where_there_is_none(tmp_path):
    change = update_file(tmp_path / "AGENTS.md", TOPICS)
    assert change.action == "created"
    text = (tmp_path / "AGENTS.md").read_text(encoding="utf-8")
    assert "- `recall`: Before saying that something was never recorded." in text
    assert text == section(TOPICS) + "\n"


def test_the_rest_of_the_file_stays_byte_for_byte(tmp_path):
    path = tmp_path / "CLAUDE.md"
    before = "\ufeff# Mine\r\n\r\nOnly tabs\there.\r\n".encode()
    path.write_bytes(before)
    assert update_file(path, TOPICS).action == "added"
    once = path.read_bytes()
    assert once.startswith(before)
    assert b"\n" not in once.replace(b"\r\n", b"")
    path.write_bytes(once + "尾\r\nmixed\nends".encode())
    assert update_file(path, MORE).action == "updated"
    twice = path.read_bytes()
    assert twice.startswith(before)
    assert twice.endswith("尾\r\nmixed\nends".encode())
    assert b"figure" in twice
    assert twice.count(BEGIN.encode()) == 1
    assert update_file(path, MORE).action == "unchanged"
    assert path.read_bytes() == twice


@pytest.mark.parametrize("text", [BEGIN, END, f"{END}\n{BEGIN}", f"{BEGIN}\n{END}\n{BEGIN}\n{END}"])
def test_broken_markers_are_told_and_nothing_is_written(tmp_path, text):
    path = tmp_path / "AGENTS.md"
    path.write_text(f"# Title\n{text}\n")
    with pytest.raises(FieldguideError, match=r"markers on line 2"):
        update_file(path, TOPICS)
    assert path.read_text() == f"# Title\n{text}\n"


def test_a_marker_inside_a_sentence_is_no_marker(tmp_path):
    path = tmp_path / "AGENTS.md"
    path.write_text(f"The part starts at {BEGIN} in each file.\n")
    assert update_file(path, TOPICS).action == "added"


def test_a_folder_means_the_files_that_exist(tmp_path):
    assert targets(tmp_path) == [tmp_path / "AGENTS.md"]
    (tmp_path / "CLAUDE.md").write_text("x")
    assert targets(tmp_path) == [tmp_path / "CLAUDE.md"]
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    assert len(targets(tmp_path)) == 1
    update_file(targets(tmp_path)[0], TOPICS)
    assert (tmp_path / "AGENTS.md").is_symlink()
    assert BEGIN in (tmp_path / "CLAUDE.md").read_text()


def test_other_paths_are_refused(tmp_path):
    with pytest.raises(UsageError, match="neither a folder nor a Markdown file"):
        targets(tmp_path / "notes.txt")


def test_a_dry_run_writes_nothing(tmp_path):
    assert update_file(tmp_path / "AGENTS.md", TOPICS, dry_run=True).action == "created"
    assert not (tmp_path / "AGENTS.md").exists()
