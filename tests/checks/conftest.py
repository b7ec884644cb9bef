"""Runs the checks over files that a test writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from generator.catalog.loader import Catalogs
from generator.checks.options import Options
from generator.checks.runner import Outcome, run_checks
from generator.tools.find_tools import load_all
from generator.workspace import Workspace

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'
FRONT_LINES = 6

Run = Callable[..., Outcome]


@pytest.fixture(scope="session")
def catalogs(tmp_path_factory: pytest.TempPathFactory) -> Catalogs:
    """The shipped catalogs with our own tools."""
    from generator.paths import Home

    return load_all(Workspace(home=Home(tmp_path_factory.mktemp("catalogs"))))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that is checked."""
    made = tmp_path / "handbook"
    made.mkdir()
    return made


@pytest.fixture
def check_files(workspace: Workspace, folder: Path, catalogs: Catalogs) -> Run:
    """Write files (``site/...`` beside the folder) and check the folder with some rules."""

    def run(files: Mapping[str, str | bytes], *rules: str, **options: object) -> Outcome:
        site = None
        for name, text in files.items():
            path = folder / name
            if name.startswith("site/"):
                site = folder.parent / "site"
                path = folder.parent / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        asked = Options(select=tuple(rules), site=site)
        asked = replace(asked, **options)  # type: ignore[arg-type]
        where = replace(workspace, cwd=folder)
        return run_checks(where, [folder], asked, catalogs=catalogs)

    return run


@pytest.fixture
def found(check_files: Run) -> Callable[..., list[str]]:
    """Check one guide, given by its body, with one rule: ``rule:line:column`` of the body."""

    def run(rule: str, body: str, **more: str) -> list[str]:
        files = {"sample.md": FRONT + body}
        files |= {name.replace("__", "."): text for name, text in more.items()}
        outcome = check_files(files, rule)
        return [
            f"{finding.line - FRONT_LINES}:{finding.column}"
            for finding in outcome.findings
            if finding.path == "sample.md"
        ]

    return run
