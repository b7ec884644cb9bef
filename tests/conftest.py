"""Fixtures that every room's tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

from generator.cli.main import main
from generator.paths import Home
from generator.workspace import Workspace

# Without byte code each child process would compile all it loads: seconds instead of tenths.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(autouse=True)
def home_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Point every test at a home that does not exist yet and a home directory of its own."""
    user = tmp_path_factory.mktemp("user")
    home = user / "fieldguide"
    monkeypatch.setenv("FIELDGUIDE_HOME", str(home))
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.delenv("FIELDGUIDE_SESSION", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    return home


@pytest.fixture
def workspace(home_folder: Path, tmp_path: Path) -> Workspace:
    """A workspace on the empty home whose clock stands at noon on 2026-05-05 in Shanghai."""
    noon = datetime(2026, 5, 5, 12, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
    return Workspace(home=Home(home_folder), cwd=tmp_path, environ={}, clock=lambda: noon)


@dataclass(frozen=True)
class Outcome:
    """What a run of the command line gave."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes]) -> Callable[..., Outcome]:
    """Run the command line in this process: ``run("guide", "recall")``."""

    def call(*arguments: str | os.PathLike[str]) -> Outcome:
        capfdbinary.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Outcome(code, out.decode(), err.decode())

    return call


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the Chromium that page tests drive."""
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        found = shutil.which(name)
        if found:
            return found
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """One Chromium for all page tests of this worker: a second driver beside it cannot start."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox", "--disable-gpu"]
        )
        yield opened
        opened.close()
