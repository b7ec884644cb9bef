"""The Nu HTML checker finds no error on any kind of page. It needs Java."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.export.samples import build_all, sample_home

REPOSITORY = Path(__file__).resolve().parents[2]
CHECKER = REPOSITORY / ".tools" / "vnu"


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
    out = build_all(sample_home(tmp_path / "home"), tmp_path / "site")
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
