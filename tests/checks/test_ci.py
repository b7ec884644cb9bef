"""The hook and the action, run on a sample repository as far as that goes without a network."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "tests" / "fixtures" / "rules-repository"
BIN = Path(sys.executable).parent
RULES = ["stand-alone", "obsolete-name", "code-parse"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """The sample as a git repository of its own."""
    folder = tmp_path / "repository"
    shutil.copytree(SAMPLE, folder)
    for arguments in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    return folder


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
        "PRE_COMMIT_HOME": str(tmp_path / "pre-commit"),
        **more,
    }


def test_the_manifest_of_hooks_is_valid(tmp_path: Path) -> None:
    command = [BIN / "pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"]
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, env=environment(tmp_path)
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_hook_finds_what_is_wrong(repository: Path, tmp_path: Path) -> None:
    """As installed, but with the program that is here instead of one from the network."""
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    config = {"repos": [{"repo": "local", "hooks": [hook | {"language": "system"}]}]}
    path = tmp_path / "config.yaml"
    path.write_text(yaml.safe_dump(config))
    done = subprocess.run(
        [BIN / "pre-commit", "run", "--all-files", "--config", path],
        cwd=repository,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    for rule in RULES:
        assert f"[{rule}]" in done.stdout
    assert "3 files checked" in done.stdout


def steps() -> dict[str, dict[str, Any]]:
    action = yaml.safe_load((ROOT / "action.yml").read_text())
    assert action["runs"]["using"] == "composite"
    return {step.get("name", step.get("uses")): step for step in action["runs"]["steps"]}


def run_check_step(repository: Path, tmp_path: Path, **given: str) -> tuple[int, str, Path]:
    runner = tmp_path / "runner"
    (runner / "fieldguide" / "bin").mkdir(parents=True)
    (runner / "fieldguide" / "bin" / "fieldguide").symlink_to(BIN / "fieldguide")
    output = tmp_path / "output"
    values = {"PATHS": ".", "FAIL_ON": "warning", "ARGUMENTS": ""} | given
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps()["Check"]["run"]],
        cwd=repository,
        env=environment(tmp_path, RUNNER_TEMP=str(runner), GITHUB_OUTPUT=str(output), **values),
        capture_output=True,
        text=True,
        check=False,
    )
    sarif = Path(output.read_text().strip().removeprefix("sarif="))
    return done.returncode, done.stdout, sarif


def test_the_action_annotates_and_writes_sarif(repository: Path, tmp_path: Path) -> None:
    code, out, sarif = run_check_step(repository, tmp_path)
    assert code == 1
    assert [line.split("title=")[1].split("::")[0] for line in out.splitlines()] == RULES
    results = json.loads(sarif.read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == RULES


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"FAIL_ON": "never"}, 0),
        ({"PATHS": ".claude AGENTS.md", "ARGUMENTS": "--ignore stand-alone"}, 0),
        ({"PATHS": "no-such-folder"}, 2),
        ({"PATHS": "$(touch injected) ; touch injected"}, 2),
    ],
)
def test_what_is_given_to_the_action(
    repository: Path, tmp_path: Path, given: dict[str, str], code: int
) -> None:
    assert run_check_step(repository, tmp_path, **given)[0] == code
    assert not (repository / "injected").exists()


def test_nothing_from_outside_is_pasted_into_a_script() -> None:
    scripts = [step["run"] for step in steps().values() if "run" in step]
    assert scripts
    for script in scripts:
        assert "${{" not in script
        subprocess.run(["bash", "-n", "-c", script], check=True)
