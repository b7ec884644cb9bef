"""A home that is a file is named by every command that needs it, and nothing is made up."""

import pytest


@pytest.mark.parametrize(
    "arguments", [("memory", "search", "x"), ("history", "status"), ("config", "get"), ("usage",)]
)
def test_a_home_that_is_a_file_is_told(run, tmp_path, monkeypatch, arguments):
    home = tmp_path / "home"
    home.write_text("not a folder")
    monkeypatch.setenv("FIELDGUIDE_HOME", str(home))
    outcome = run(*arguments)
    assert outcome.code == 1
    assert outcome.out == ""
    assert f"{home} is a file" in outcome.err
    assert home.read_text() == "not a folder"
