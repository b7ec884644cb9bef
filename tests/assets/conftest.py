"""Pages with the shipped runtimes, opened in Chromium."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from generator.paths import shipped

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def echarts() -> str:
    """The source of the real ECharts."""
    subprocess.run(["sh", "tests/install/node.sh"], cwd=REPOSITORY, check=True, timeout=300)
    built = REPOSITORY / ".tools/node/node_modules/echarts/dist/echarts.min.js"
    return built.read_text(encoding="utf-8")


@dataclass
class Opened:
    """A page in Chromium and what it said on its console."""

    page: Page
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def text(self, selector: str = "#app") -> str:
        return " ".join((self.page.inner_text(selector)).split())

    def run(self, script: str) -> Any:
        return self.page.evaluate(script)


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Opened]]:
    """Open a page from disk: ``open_page(body, "quickui.js", "t.js")``."""
    context = browser.new_context(offline=True)

    def call(
        body: str, *runtimes: str, library: str = "", head: str = "", **options: Any
    ) -> Opened:
        scripts = [(shipped("templates") / "assets" / name).read_text() for name in runtimes]
        inlined = "".join(f"<script>{script}</script>" for script in [library, *scripts] if script)
        path = tmp_path / "page.html"
        path.write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{{{{ title }}}}</title>'
            f"{inlined}{head}<body>{body}",
            encoding="utf-8",
        )
        page = context.new_page()
        if options:
            page.emulate_media(**options)
        opened = Opened(page)
        page.on("console", lambda message: _note(opened, message.type, message.text))
        page.on("pageerror", lambda error: opened.errors.append(str(error)))
        page.goto(path.as_uri())
        return opened

    yield call
    context.close()


def _note(opened: Opened, kind: str, text: str) -> None:
    if kind == "warning":
        opened.warnings.append(text)
    elif kind == "error":
        opened.errors.append(text)
