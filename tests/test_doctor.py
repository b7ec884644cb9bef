"""fieldguide doctor: what is there, what is missing, what is broken and how to mend it."""

import json


def states(run):
    outcome = run("doctor", "--json")
    checks = json.loads(outcome.out)["checks"]
    return outcome.code, {check["name"]: check for check in checks}


def test_a_sound_installation(run, home_folder):
    code, checks = states(run)
    assert code == 0
    assert checks["home"]["detail"] == f"{home_folder} (made on the first write)"
    assert checks["libraries"]["state"] == "ok"
    assert not home_folder.exists()
    text = run("doctor").out
    assert text.splitlines()[0].startswith("ok  fieldguide")


def test_what_is_broken_names_the_remedy(run, home_folder):
    (home_folder / "guides").mkdir(parents=True)
    (home_folder / "config.json").write_text('{"timezon": "UTC"}')
    (home_folder / "guides" / "recall.md").write_text(
        "---\ntitle: R\nsummary: s\nsince: 1\n---\n## A\n"
    )
    (home_folder / "guides" / "bad.md").write_text("---\n")
    code, checks = states(run)
    assert code == 1
    assert "did you mean 'timezone'" in checks["settings"]["detail"]
    assert checks["settings"]["fix"]
    assert "overriding recall" in checks["guides"]["detail"]
    assert checks["guide bad"]["state"] == "broken"


def test_a_home_that_is_a_file(run, home_folder):
    home_folder.write_text("x")
    code, checks = states(run)
    assert code == 1
    assert checks["home"]["state"] == "broken"


def test_optional_parts_that_are_missing_say_how_to_get_them(run, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    code, checks = states(run)
    assert code == 0
    assert checks["Chromium"]["state"] == "missing"
    assert "apt install chromium" in checks["Chromium"]["fix"]
