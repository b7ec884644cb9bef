"""fieldguide guide: exact bytes on standard output, lists, sentences on bad names."""

import json


def test_an_unknown_topic_prints_nothing_and_exits_2(run):
    outcome = run("guide", "recall", "tool_eror")
    assert outcome.code == 2
    assert outcome.out == ""
    assert "Did you mean 'tool_error'?" in outcome.err


def test_no_topic_is_wrong_use(run):
    outcome = run("guide")
    assert outcome.code == 2
    assert "guide --list" in outcome.err


def test_call_prints_the_same_text(run):
    text = run("guide", "recall").out
    assert run("call", "reasoning_guide", '{"topics": ["recall"]}', "--text").out == text
    assert json.loads(run("guide", "recall", "--json").out)["text"] == text


def test_no_dispatch(run):
    assert len(run("guide", "subagent_dispatch", "--no-dispatch").out.splitlines()) == 3


def test_the_list_says_what_overrides_what(run, home_folder):
    (home_folder / "guides").mkdir(parents=True)
    own = home_folder / "guides" / "recall.md"
    own.write_text("---\ntitle: Mine\nsummary: Mine first.\nsince: 1\n---\n## Mine\n")
    (home_folder / "guides" / "broken.md").write_text("---\n")
    outcome = run("guide", "--list")
    assert outcome.code == 0
    line = next(line for line in outcome.out.splitlines() if line.startswith("recall"))
    assert f"[yours: {own} overrides the shipped guide]" in line
    assert "broken.md, line 1" in outcome.err
    rows = json.loads(run("guide", "--list", "--json").out)
    assert {row["topic"]: row["overrides"] for row in rows["topics"]}["recall"] is True
    assert list(rows["problems"]) == ["broken"]
