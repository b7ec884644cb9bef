"""Running the scripts of guides: the tool of tool_generate, and the runner itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.proofs.samples import Sample
from generator.proofs.scripts import Run, lay_out, run_script

Samples = Callable[..., list[Sample]]


def make(folder: Path, code: str) -> Path:
    script = folder / "made.py"
    script.write_text(code, encoding="utf-8")
    return script


def test_a_script_is_given_input_and_its_files_are_named(tmp_path: Path) -> None:
    code = "import sys\nopen('new.txt', 'w').write('x')\nprint(sys.stdin.read().upper())\nsys.exit(3)\n"
    run = run_script(make(tmp_path, code), given="é中")
    assert (run.code, run.out) == (3, "É中\n")
    assert [path.name for path in run.made] == ["new.txt"]


def test_a_script_that_never_ends_is_ended(tmp_path: Path) -> None:
    run = run_script(make(tmp_path, "print('on', flush=True)\nwhile True: pass\n"), time_limit=0.5)
    assert (run.code, run.out) == (None, "on\n")


def test_a_script_sees_nothing_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "value")
    run = run_script(make(tmp_path, "import os\nprint('SOME_KEY' in os.environ)\n"))
    assert run.out == "False\n"


def test_a_file_name_cannot_leave_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    lay_out([Sample(language="json", code="{}", line=1, file="../out.json")], folder)
    assert [path.name for path in folder.iterdir()] == ["out.json"]
    assert not (tmp_path / "out.json").exists()


@pytest.fixture
def tool(samples: Samples, tmp_path: Path) -> Callable[[str], Run]:
    """Run the sample tool on a text."""
    files = lay_out(samples("tool_generate"), tmp_path)
    return lambda given: run_script(files["script.py"], given=given)


def shown(samples: Samples, name: str) -> str:
    return next(sample.code for sample in samples("tool_generate") if sample.file == name)


def test_the_tool_gives_what_the_guide_says(tool: Callable[[str], Run], samples: Samples) -> None:
    run = tool(shown(samples, "input.json"))
    assert (run.code, run.err) == (0, "")
    assert json.loads(run.out) == json.loads(shown(samples, "expected.json"))


def test_the_tool_fails_as_the_guide_says(tool: Callable[[str], Run], samples: Samples) -> None:
    run = tool(shown(samples, "bad-input.json"))
    assert (run.code, run.err) == (1, "")
    assert json.loads(run.out) == json.loads(shown(samples, "bad-expected.json"))


@pytest.mark.parametrize(
    "given",
    ["", "[]", "null", "{", "[" * 100_000, '{"start": 5}', '{"start": "2026-05-01"}',
     '{"start": "2026-05-02", "end": "2026-05-01"}', '{"start": "0001-01-01", "end": "9999-12-31"}',
     '{"start": "2026-05-01", "end": "2026-05-02", "weekend": [8]}',
     '{"start": "2026-05-01", "end": "2026-05-02", "weekend": [[]]}',
     '{"start": "2026-05-01", "end": "2026-05-02", "holidays": "x"}',
     '{"start": "2026-05-01", "end": "2026-05-02", "holidays": [null]}',
     '{"start": "2026-05-01", "end": "2026-05-02", "hollidays": []}', "\ud800"],
)  # fmt: skip
def test_the_tool_fails_with_a_sentence_and_never_a_traceback(
    tool: Callable[[str], Run], given: str
) -> None:
    run = tool(given)
    assert (run.code, run.err) == (1, "")
    answer = json.loads(run.out)
    assert set(answer) == {"error", "next"}
    assert all(text.endswith(".") for text in answer.values())


def test_the_tool_counts_at_the_edges(tool: Callable[[str], Run]) -> None:
    one = tool('{"start": "2026-05-02", "end": "2026-05-02"}')
    assert json.loads(one.out)["working_days"] == 0  # a Saturday
    friday = tool(
        '{"start": "2026-05-01", "end": "2026-05-02", "weekend": [5], "holidays": ["2026-05-01"]}'
    )
    assert json.loads(friday.out) == {
        "working_days": 1,
        "calendar_days": 2,
        "holidays_left_out": [],
    }
    last = tool('{"start": "9999-12-31", "end": "9999-12-31"}')
    assert json.loads(last.out)["calendar_days"] == 1


def test_the_schema_of_the_tool_fits_its_script_and_samples(samples: Samples) -> None:
    from jsonschema import Draft202012Validator, FormatChecker

    schema = json.loads(shown(samples, "tool.json"))
    assert len(schema["description"].splitlines()) == 3
    validator = Draft202012Validator(schema["parameters"], format_checker=FormatChecker())
    validator.check_schema(schema["parameters"])
    validator.validate(json.loads(shown(samples, "input.json")))
    assert not validator.is_valid(json.loads(shown(samples, "bad-input.json")))
    names = set(schema["parameters"]["properties"])
    assert all(f'"{name}"' in shown(samples, "script.py") for name in names)


def test_the_api_tool_describes_itself_in_three_lines(samples: Samples) -> None:
    described = json.loads(shown(samples, "exchange_rate.json"))
    assert len(described["description"].splitlines()) == 3
    assert all(parameter["description"] for parameter in described["parameters"].values())
