"""reasoning_guide: order, once each, aliases, one level down, legs that cannot dispatch."""

import pytest

from generator import limits, reasoning_guide
from generator.exceptions import ArgumentsError, GuideError, UnknownNameError, UsageError
from generator.guides.compose import CANNOT_DISPATCH, compose
from generator.guides.loader import load_folders


@pytest.fixture
def library(tmp_path, write_guide):
    write_guide(tmp_path / "g", "one", "## Rule\n\nSee [two](two.md).\n")
    write_guide(tmp_path / "g", "two", "## Rule\n\n### Deep\n", more="aliases: [zwei]\n")
    write_guide(tmp_path / "g", "subagent_dispatch", "## Many\n\nlines\n")
    return load_folders(tmp_path / "g")


def test_each_guide_stands_under_its_topic_one_level_down(library):
    assert compose(library, ["two", "one"]) == (
        "## two\n\n### Rule\n\n#### Deep\n\n## one\n\n### Rule\n\nSee `two`.\n"
    )


def test_asked_twice_is_given_once_also_by_alias(library):
    assert compose(library, ["zwei", "two", "zwei"]) == compose(library, ["two"])


def test_a_leg_that_cannot_dispatch_gets_one_line(library):
    text = compose(library, ["subagent_dispatch", "two"], can_dispatch=False)
    assert text.startswith(f"## subagent_dispatch\n\n{CANNOT_DISPATCH}\n\n## two\n")
    assert "\n" not in CANNOT_DISPATCH


def test_an_unknown_topic_returns_nothing_else(library):
    with pytest.raises(UnknownNameError, match="Did you mean 'one'"):
        compose(library, ["two", "onne"])


def test_no_topic_is_wrong_use(library):
    with pytest.raises(UsageError, match="at least one topic"):
        compose(library, [])


def test_limits_come_from_the_constants(tmp_path, write_guide):
    write_guide(tmp_path / "g", "one", "## A\n\nat most {{ limits.error_history_max }}\n")
    text = compose(load_folders(tmp_path / "g"), ["one"])
    assert f"at most {limits.ERROR_HISTORY_MAX}" in text


def test_an_undefined_name_gives_file_and_line(tmp_path, write_guide):
    path = write_guide(tmp_path / "g", "one", "## A\n\n{{ limits.nope }}\n")
    line = path.read_text().splitlines().index("{{ limits.nope }}") + 1
    with pytest.raises(GuideError) as caught:
        compose(load_folders(tmp_path / "g"), ["one"])
    assert str(caught.value).startswith(f"{path}, line {line}: ")
    assert "nope" in str(caught.value)


def test_the_python_door_answers_as_the_command_does(run):
    assert reasoning_guide(["recall", "tool_error"]) == run("guide", "recall", "tool_error").out


def test_the_old_name_of_web_search_still_answers():
    assert reasoning_guide(["rag_web"]) == reasoning_guide(["web_search"])


def test_a_text_is_no_list_of_topics():
    with pytest.raises(ArgumentsError, match="topics"):
        reasoning_guide("recall")
