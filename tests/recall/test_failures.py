"""Ranking of error records: a later failure finds the record of the same one, first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.errors.records import write_record
from generator.paths import Home
from generator.recall.failures import find_failures
from generator.workspace import Workspace

DATA = json.loads(
    (Path(__file__).parent.parent / "fixtures" / "errors" / "pairs.json").read_text(
        encoding="utf-8"
    )
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> tuple[Workspace, dict[str, str]]:
    """A home with every record of the pairs; returns it with the ids by hash."""
    folder = tmp_path_factory.mktemp("errors")
    workspace = Workspace(home=Home(folder / "home"), cwd=folder, environ={})
    ids = {}
    for record in DATA["records"]:
        fields = {name: value for name, value in record.items() if name != "id"}
        written = write_record(workspace, outcome="resolved", **fields)
        assert written.failure is not None
        ids[written.failure.hash] = record["id"]
    assert len(ids) == len(DATA["records"])
    return workspace, ids


@pytest.mark.parametrize("pair", DATA["pairs"], ids=[pair["first"] for pair in DATA["pairs"]])
def test_the_record_of_the_same_failure_comes_first(
    pair: dict, desk: tuple[Workspace, dict[str, str]]
) -> None:
    workspace, ids = desk
    answer = find_failures(workspace, keyword=pair["asked"], tool_name=pair.get("tool_name"))
    found = [ids[failure.hash] for failure in answer.found[:4]]
    assert found[:1] == [pair["first"]], found


def test_records_are_found_where_the_index_has_no_place_in_the_home(workspace: Workspace) -> None:
    for record in DATA["records"][:10]:
        fields = {name: value for name, value in record.items() if name != "id"}
        write_record(workspace, outcome="resolved", **fields)
    workspace.home.index.write_text("a file in the way")
    answer = find_failures(workspace, keyword="connect ECONNREFUSED 10.0.0.1:6379")
    assert "6379" in answer.found[0].symptom
