"""The commands chat and memory: text in a pipe, JSON on request, one sentence on an error."""

import json
import shutil
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"
CODEX = "019cb100-aaaa-7000-8000-000000000001"


@pytest.fixture
def filled(run, tmp_path):
    """A home with the samples."""
    folder = shutil.copytree(SAMPLES, tmp_path / "samples")
    run("config", "set", "timezone", "Asia/Shanghai")
    assert run("history", "add", folder).code == 0
    return run


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("chat", "list", "--session", CODEX), "task_id 019cb100"),
        (("chat", "read", f"{CODEX}.1"), "Count the teapots"),
        (("chat", "read", "b7e1", "--scope", "full"), "logo.png"),
        (("chat", "tools", "--session", "cli-sample01"), "fetch_page"),
        (("chat", "tool", "b7e1", "list_files"), "logo.png"),
        (("chat", "search", "茶壶"), "conversation:69a00000"),
        (("memory", "search", "basil", "--sources", "episode"), "file:brain/hippocampus"),
        (("memory", "get", "task:TASK-mabc12xy"), "basil, mint, thyme"),
        (("memory", "read", CODEX), "messages 1 to 2 of 2"),
        (("memory", "read", "--date", "2026-05-04"), "herb garden"),
        (("memory", "list", "--channel", "telegram"), "Herb garden"),
        (("memory", "summarize", "--since", "2026-05-04", "--until", "2026-05-04"), "herb garden"),
    ],
)
def test_each_command_answers_in_text_and_in_json(filled, arguments, told):
    text = filled(*arguments)
    assert text.code == 0
    assert told in text.out
    as_json = filled(*arguments, "--json")
    assert as_json.code == 0
    assert isinstance(json.loads(as_json.out), dict)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("memory", "get", "conversation:nowhere#1"), 1, "holds no session 'nowhere'"),
        (("memory", "get", "nonsense"), 2, "is not a ref"),
        (("memory", "get", "file:../../etc/passwd"), 1, "leads out"),
        (("memory", "search", "   "), 2, "query is empty"),
        (("memory", "search", "x", "--sources", "mail"), 2, "no source named 'mail'"),
        (("memory", "read", "--full", "--date", "today"), 2, "go with SESSION"),
        (("chat", "read", "nothing"), 1, "There is no run"),
        (("chat", "tool", "b7e1", "nothing"), 1, "It called: list_files, run_command"),
        (("chat", "list", "--session", "nowhere"), 1, "holds no session"),
        (("memory", "list", "--after", "someday"), 2, "after takes a day"),
    ],
)
def test_an_error_is_one_sentence_and_nothing_else(filled, arguments, code, told):
    outcome = filled(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert told in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert "Traceback" not in outcome.err


def test_an_empty_home_is_no_error(run):
    for arguments in (
        ("chat", "list"),
        ("memory", "list"),
        ("memory", "search", "x"),
        ("memory", "read"),
    ):
        outcome = run(*arguments)
        assert outcome.code == 0
        assert "history add" in outcome.out


def test_the_frame_stands_in_the_text_of_the_command(filled):
    assert filled("memory", "search", "teapots").out.startswith("Lines behind '> ' are quoted")
