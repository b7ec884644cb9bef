"""Arguments are judged in our words, all problems at once."""

from typing import Literal

import pytest
from pydantic import Field

from generator.exceptions import ArgumentsError, NotFoundError, UnknownNameError
from generator.tools import get_tool
from generator.tools.base import Arguments, ModeResult, Result, Tool


class Wanted(Arguments):
    mode: Literal["list", "read"] = "list"
    keywords: list[str] = Field(min_length=1)
    limit: int = 4


class Given(Result):
    count: int


TOOL = Tool(
    name="sample",
    group="guides",
    what="Counts.",
    when="When counting.",
    precondition="Needs nothing.",
    arguments=Wanted,
    result=Given,
    handler=lambda arguments, _: Given(count=len(arguments.keywords)),
    render=lambda result: f"{result.count} keywords",
    read_only=True,
    idempotent=True,
    example={"keywords": ["a"]},
)


def test_good_arguments_are_worked_on(workspace):
    result = TOOL.call({"keywords": ["a", "b"]}, workspace)
    assert result.count == 2
    assert TOOL.render(result) == "2 keywords"


def test_every_problem_is_named_without_pydantics_words(workspace):
    with pytest.raises(ArgumentsError) as caught:
        TOOL.call({"mode": "lst", "limt": 3, "limit": "many"}, workspace)
    text = str(caught.value)
    assert "keywords is required" in text
    assert "limt is not an argument (did you mean limit?)" in text
    assert "mode should be 'list' or 'read' (got \"lst\")" in text
    assert "limit should be a whole number" in text
    assert "pydantic" not in text
    assert "validation error" not in text


def test_the_description_has_three_lines():
    assert TOOL.description == "Counts.\nWhen counting.\nNeeds nothing."


def test_a_failure_ends_with_what_to_do_next():
    known = TOOL.failure_text(NotFoundError("Nothing is there.", hint="Search\nagain."))
    assert known.splitlines() == ["Nothing is there.", "next: Search again."]
    unknown = TOOL.failure_text(NotFoundError("Nothing is there."))
    assert unknown.splitlines()[-1].startswith("next: ")


def test_a_result_by_mode_gives_only_the_fields_that_were_set():
    class Either(ModeResult):
        hits: list[int] = Field(default_factory=list, description="with search")
        text: str | None = Field(None, description="with read")

    assert Either(hits=[]).model_dump(mode="json") == {"hits": []}
    assert Either(text=None).model_dump(mode="json") == {"text": None}
    assert set(Either.model_json_schema()["properties"]) == {"hits", "text"}
    assert Either.model_json_schema(mode="serialization")["type"] == "object"


def test_what_may_be_one_or_many_says_so_in_its_schema():
    import jsonschema

    for name, arguments in (
        ("memory_search", {"query": "x", "sources": "note,error"}),
        ("memory_search", {"query": "x", "sources": ["note", "error"]}),
        ("chat_history", {"task_id": "a.1"}),
        ("chat_history", {"task_id": ["a.1", "b.2"]}),
        ("memory", {"query": "x", "date_range": {"start": "2026-05-04"}}),
        ("memory", {"query": "x", "date_range": ["2026-05-04", None]}),
    ):
        tool = get_tool(name)
        jsonschema.validate(arguments, tool.arguments.model_json_schema())
        assert tool.parse(arguments)
        for field in tool.arguments.model_json_schema()["properties"].values():
            assert field["description"]


def test_what_was_expected_is_said_in_our_words(workspace):
    for raw, expected in [
        ({"keywords": []}, "keywords should hold at least 1 item"),
        ({"keywords": "a"}, 'keywords should be a list (got "a")'),
        ({"keywords": [3]}, "keywords.0 should be text (got 3)"),
        ({"keywords": ["a"], "limit": 1.5}, "limit should be a whole number (got 1.5)"),
    ]:
        with pytest.raises(ArgumentsError) as caught:
            TOOL.call(raw, workspace)
        assert expected in str(caught.value)


def test_a_huge_name_is_not_repeated_whole():
    with pytest.raises(UnknownNameError) as caught:
        get_tool("x" * 100_000)
    assert len(str(caught.value)) < 1000
