"""The Nu HTML checker finds no error on any kind of page. It needs Java."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from generator.errors.records import write_record
from generator.export.build import Builder
from generator.history.intake import register, take_in
from generator.paths import Home
from generator.workspace import Workspace

REPOSITORY = Path(__file__).resolve().parents[2]
CHECKER = REPOSITORY / ".tools" / "vnu"
SAMPLES = REPOSITORY / "tests" / "fixtures" / "samples"


@pytest.fixture(scope="module")
def jar():
    found = CHECKER / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"
    if not found.is_file():
        CHECKER.mkdir(parents=True, exist_ok=True)
        command = ["npm", "install", "--prefix", str(CHECKER), "--no-save", "--silent"]
        subprocess.run([*command, "vnu-jar@26.9.27"], check=True, timeout=300)
    return found


@pytest.mark.slow
def test_no_page_has_an_error(tmp_path, jar):
    assert shutil.which("java"), "tests/install/heavy.sh installs Java"
    home = Home(tmp_path / "home")
    home.root.mkdir()
    home.config.write_text('{"output_dir": "reports"}')
    (home.root / "reports").mkdir()
    report = SAMPLES.parent / "reports" / "full.md"
    shutil.copy(report, home.root / "reports" / "report-20260504-101500.md")
    shutil.copy(report.with_name("harbour.png"), home.root / "reports")
    register(Workspace(home=home), [path for path in SAMPLES.iterdir() if path.is_dir()])
    take_in(Workspace(home=home))
    write_record(
        Workspace(home=home), tool_name="run_command", keywords=["x"], symptom="a <b>\n\n# c",
        cause="## d", action="- [ ] e\n\n| f |\n|---|\n| g |", outcome="resolved",
    )  # fmt: skip
    out = tmp_path / "site"
    Builder(Workspace(home=home), out, sections=("history", "errors", "reports")).build()
    pages = [str(path) for path in out.rglob("*.html") if path.parent.name != "view"]
    assert len(pages) > 40
    assert not [path for path in pages if Path(path).stat().st_size > 1_000_000]
    done = subprocess.run(
        ["java", "-Xss4m", "-jar", str(jar), "--errors-only", *pages],
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    told = re.sub(r'"file:[^"]*/site/', '"', done.stderr + done.stdout)
    assert told.strip() == ""
    assert done.returncode == 0
