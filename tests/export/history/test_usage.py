"""The usage page says what `fieldguide usage` says, of the agents that are exported."""

import json
from pathlib import Path

import pytest

from generator.export.build import Builder
from generator.export.site import Choice
from generator.history.intake import register, take_in
from generator.paths import Home
from generator.workspace import Workspace

SAMPLES = Path(__file__).parents[2] / "fixtures" / "samples"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    home = Home(tmp_path_factory.mktemp("usage"))
    register(Workspace(home=home), sorted(path for path in SAMPLES.iterdir() if path.is_dir()))
    take_in(Workspace(home=home))
    return home


def usage(home, out, **choice):
    choice = Choice(**choice)
    Builder(Workspace(home=home), out, sections=("history",), choice=choice).build()
    return json.loads((out / "usage" / "index.json").read_text())


def test_a_ledger_beside_the_sessions_counts(home, tmp_path):
    found = usage(home, tmp_path / "site")
    assert found["total"]["total"] == 125306
    assert found["agents"]["wolffish"]["total"] == 6550
    home_page = (tmp_path / "site" / "index.html").read_text()
    assert "125\u202f306" in home_page


def test_one_agents_ledger_counts_with_its_sessions(home, tmp_path):
    found = usage(home, tmp_path / "site", agent="wolffish")
    assert found["total"]["total"] == 6550
    assert list(found["agents"]) == ["wolffish"]


def test_sessions_that_were_picked_count_alone(home, tmp_path):
    found = usage(home, tmp_path / "site", session="ses_sample0001")
    assert found["total"]["total"] == 4500
    assert list(found["agents"]) == ["opencode"]
