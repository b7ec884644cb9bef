"""fieldguide init: what it says, what it writes, what it refuses."""

import json

from generator.guides.loader import load_library


def test_a_project_gets_every_topic_with_its_trigger(run, tmp_path, workspace):
    outcome = run("init", tmp_path)
    assert outcome.code == 0
    assert "made, with every topic" in outcome.out
    text = (tmp_path / "AGENTS.md").read_text(encoding="utf-8")
    for topic, trigger in load_library(workspace).triggers():
        assert f"- `{topic}`: {trigger}\n" in text


def test_check_tells_and_writes_nothing(run, tmp_path):
    assert run("init", tmp_path, "--check").code == 1
    assert list(tmp_path.iterdir()) == []
    run("init", tmp_path)
    outcome = run("init", tmp_path, "--check", "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["changes"][0]["action"] == "unchanged"


def test_both_files_of_a_project_are_kept_up_to_date(run, tmp_path):
    (tmp_path / "AGENTS.md").write_text("# A\n")
    (tmp_path / "CLAUDE.md").write_text("# C\n")
    assert run("init", tmp_path).out.count("topics added at the end") == 2


def test_a_file_that_is_not_utf_8_is_left_alone(run, tmp_path):
    (tmp_path / "AGENTS.md").write_bytes(b"caf\xe9\n")
    outcome = run("init", tmp_path)
    assert outcome.code == 1
    assert "Save it as UTF-8" in outcome.err
    assert (tmp_path / "AGENTS.md").read_bytes() == b"caf\xe9\n"
