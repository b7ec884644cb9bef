"""fieldguide config: values by name, problems in sentences, nothing lost on a bad value."""

import json


def test_a_set_value_is_read_back(run):
    assert run("config", "set", "timezone", "Asia/Taipei").code == 0
    assert run("config", "get", "timezone").out == "Asia/Taipei\n"


def test_a_wrong_value_changes_nothing_and_names_the_key(run, home_folder):
    run("config", "set", "report.interpolation", "none")
    before = (home_folder / "config.json").read_bytes()
    outcome = run("config", "set", "report.interpolation", "sometimes")
    assert outcome.code == 2
    assert "report.interpolation" in outcome.err
    assert "'paths' or 'none'" in outcome.err
    assert (home_folder / "config.json").read_bytes() == before


def test_an_unknown_key_names_the_nearest(run):
    outcome = run("config", "set", "timezon", "UTC")
    assert outcome.code == 2
    assert "Did you mean 'timezone'?" in outcome.err


def test_every_problem_of_a_file_is_named(run, home_folder):
    home_folder.mkdir()
    (home_folder / "config.json").write_text(
        json.dumps({"timezone": "Mars/Olympus", "outputdir": "x", "referent_context_rounds": 0})
    )
    outcome = run("config", "get")
    assert outcome.code == 1
    for part in (
        "'timezone' takes a zone",
        "did you mean 'output_dir'",
        "'referent_context_rounds'",
    ):
        assert part in outcome.err


def test_a_file_that_is_not_json_names_line_and_column(run, home_folder):
    home_folder.mkdir()
    (home_folder / "config.json").write_text('{\n  "timezone": ,\n}')
    outcome = run("config", "get")
    assert outcome.code == 1
    assert "line 2, column 15" in outcome.err


def test_a_wrong_value_is_mended_by_setting_it(run, home_folder):
    home_folder.mkdir()
    (home_folder / "config.json").write_text('{"timezone": 5}')
    outcome = run("config", "get")
    assert outcome.code == 1
    assert "'timezone' should be text (it holds 5)" in outcome.err
    assert run("config", "set", "timezone", "UTC").code == 0
    assert run("config", "get", "timezone").out == "UTC\n"


def test_another_wrong_key_does_not_stop_a_change_and_is_named(run, home_folder):
    home_folder.mkdir()
    path = home_folder / "config.json"
    path.write_text('{"nope": 1, "timezone": 5}')
    outcome = run("config", "set", "timezone", "UTC")
    assert outcome.code == 1
    assert "unknown key 'nope'" in outcome.err
    assert json.loads(path.read_text()) == {"nope": 1, "timezone": "UTC"}


def written(home_folder, content):
    home_folder.mkdir()
    (home_folder / "config.json").write_text(json.dumps(content))


def test_a_key_that_is_taken_out_has_its_default_again(run, home_folder):
    written(home_folder, {"timezone": "UTC", "report": {"interpolation": "none"}})
    assert run("config", "unset", "report.interpolation").code == 0
    assert run("config", "get", "report.interpolation").out == "paths\n"
    assert json.loads((home_folder / "config.json").read_text()) == {"timezone": "UTC"}


def test_unknown_keys_are_taken_out_one_by_one(run, home_folder):
    held = {"a.b": 1, "odd": {"x.y": {"z": 2}, "keep": 3}, "report": {"nope": 4}, "timezone": "UTC"}
    written(home_folder, held)
    first = run("config", "unset", "a.b")
    assert first.code == 1
    assert "unknown key 'odd'" in first.err
    assert "'fieldguide config unset KEY'" in first.err
    for key in ("odd.x.y.z", "odd", "report.nope"):
        last = run("config", "unset", key)
    assert last.code == 0
    assert json.loads((home_folder / "config.json").read_text()) == {"timezone": "UTC"}


def test_a_key_that_is_not_set_changes_nothing_and_names_those_that_are(run, home_folder):
    written(home_folder, {"timezone": "UTC", "report": {"interpolation": "none"}})
    before = (home_folder / "config.json").read_bytes()
    outcome = run("config", "unset", "output_dir")
    assert outcome.code == 1
    assert "It sets: timezone, report.interpolation." in outcome.err
    assert (home_folder / "config.json").read_bytes() == before
    assert run("config", "unset", "timezone.x").code == 1
