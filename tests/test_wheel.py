"""The wheel in an empty environment and an empty folder: every command works."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def fieldguide(tmp_path_factory):
    """Install the wheel alone, and return a function that runs its command."""
    root = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "--version"], capture_output=True, check=False).returncode:
        subprocess.run([sys.executable, "-m", "ensurepip"], check=True, capture_output=True)
    subprocess.run([*pip, "wheel", "--no-deps", "-w", root, REPOSITORY], check=True)
    wheel = next(root.glob("fieldguide-*.whl"))
    venv.create(root / "venv", with_pip=True)
    python = root / "venv" / "bin" / "python"
    constraints = REPOSITORY / "constraints.txt"
    subprocess.run([python, "-m", "pip", "install", "-q", "-c", constraints, wheel], check=True)
    folder = root / "empty"
    folder.mkdir()

    def run(*arguments, code=0):
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(root), "FIELDGUIDE_HOME": str(root / "home"),
        }  # fmt: skip
        done = subprocess.run(
            [root / "venv" / "bin" / "fieldguide", *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    run.folder = folder
    return run


@pytest.mark.slow
def test_every_command_has_help(fieldguide):
    from generator.cli.main import COMMANDS

    for name in COMMANDS:
        assert "Usage: fieldguide" in fieldguide(name, "--help")


@pytest.mark.slow
def test_guides_come_along(fieldguide):
    assert fieldguide("guide", "recall").startswith("## recall\n")
    topics = json.loads(fieldguide("guide", "--list", "--json"))["topics"]
    assert len(topics) >= 12


@pytest.mark.slow
def test_the_site_is_the_committed_one(fieldguide):
    fieldguide("build", "--out", "site")
    made = fieldguide.folder / "site"
    committed = REPOSITORY / "site"
    names = {path.relative_to(made) for path in made.rglob("*") if path.is_file()}
    assert names == {path.relative_to(committed) for path in committed.rglob("*") if path.is_file()}
    for name in names:
        assert (made / name).read_bytes() == (committed / name).read_bytes(), name


@pytest.mark.slow
def test_the_core_is_healthy_and_says_how_to_get_the_rest(fieldguide):
    checks = json.loads(fieldguide("doctor", "--json"))["checks"]
    states = {check["name"]: check for check in checks}
    assert states["libraries"]["state"] == "ok"
    assert states["extra charts"]["state"] == "missing"
    assert "fieldguide[charts]" in states["extra charts"]["fix"]


@pytest.mark.slow
def test_tools_answer(fieldguide):
    result = json.loads(fieldguide("call", "reasoning_guide", '{"topics": ["ask_user"]}'))
    assert result["topics"] == ["ask_user"]
    receipt = json.loads(fieldguide("call", "write_result", '{"content": "# Hello\\n\\nText.\\n"}'))
    assert Path(receipt["path"]).read_text().startswith("# Hello")
    assert fieldguide("call", "nonsense", code=2) == ""
