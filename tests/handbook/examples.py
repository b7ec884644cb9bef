"""Runs every tool's example on one made-up home, for the reference and for its test.

``python -m tests.handbook.examples`` (``make examples``) writes the answers that the reference
shows; the test runs the same and compares.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from generator.cli.main import main
from generator.handbook.tools import EXAMPLES, shorten
from generator.paths import Home
from generator.settings_edits import set_setting
from generator.tools import all_tools, get_tool
from generator.workspace import Workspace

SAMPLES = Path(__file__).parents[1] / "fixtures" / "samples"
NOON = datetime(2026, 5, 5, 12, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
# What every tool finds: done before the examples, in this order.
BEFORE = (
    (
        "write_error",
        {
            "tool_name": "run_command",
            "keywords": ["yaml", "import"],
            "symptom": "ModuleNotFoundError: No module named 'yaml'",
            "cause": "The package is named pyyaml, not yaml.",
            "action": "Installed pyyaml in the project's environment.",
            "outcome": "resolved",
        },
    ),
)


def record(folder: Path) -> dict[str, dict[str, object]]:
    """Run every example on a home below ``folder`` and return what the reference shows of each."""
    home = Home(folder / "home")
    samples = folder / "samples"
    if not samples.exists():
        _copy_with_times(samples)
    with _surroundings(home):
        set_setting(home, "timezone", "Asia/Shanghai")
        set_setting(home, "output_dir", str(folder / "reports"))
        assert main(["-q", "history", "add", str(samples)]) == 0
        assert main(["-q", "note", "add", "deploys", "Deploys go out on Tuesdays."]) == 0
        workspace = Workspace(home=home, cwd=folder, environ={}, clock=lambda: NOON)
        for name, arguments in BEFORE:
            get_tool(name).call(arguments, workspace)
        answers = {}
        for tool in all_tools():
            _settle(home, folder)
            result = tool.call(tool.example, workspace)
            answer = json.dumps(result.model_dump(mode="json"), ensure_ascii=False, indent=2)
            shown = shorten(_neutral(answer, folder))
            answers[tool.name] = {
                "arguments": dict(tool.example),
                "text": shorten(_neutral(tool.render(result), folder)),
                "answer": shown,
                "whole": not shown.endswith("more lines"),
            }
    return answers


def _copy_with_times(target: Path) -> None:
    """Copy the samples with a fixed time of change, which some entries show."""
    import shutil

    shutil.copytree(SAMPLES, target)
    stamp = NOON.timestamp() - 3600
    for path in sorted(target.rglob("*"), reverse=True):
        os.utime(path, (stamp, stamp))


def _settle(home: Home, folder: Path) -> None:
    """Give what was written on the way one time of change: some answers show it."""
    for place in (home.notes, home.knowledge, folder / "reports"):
        for path in place.glob("*"):
            os.utime(path, (NOON.timestamp(), NOON.timestamp()))


@contextmanager
def _surroundings(home: Home) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in ("FIELDGUIDE_HOME", "TZ")}
    os.environ |= {"FIELDGUIDE_HOME": str(home.root), "TZ": "Asia/Shanghai"}
    time.tzset()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        time.tzset()


def _neutral(text: str, folder: Path) -> str:
    """Write the folders of this run as a reader's own."""
    text = text.replace(str(folder / "home"), "~/.config/fieldguide")
    text = text.replace(str(folder / "reports"), "~/Reports")
    return text.replace(str(folder / "samples"), "~/exports").replace(str(folder), "~")


def encode(answer: dict[str, object]) -> str:
    """Write one example as its file holds it."""
    return json.dumps(answer, ensure_ascii=False, indent=2) + "\n"


def refresh() -> None:
    """Write every example anew."""
    EXAMPLES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        answers = record(Path(folder))
    for stale in EXAMPLES.glob("*.json"):
        stale.unlink()
    for name, answer in answers.items():
        (EXAMPLES / f"{name}.json").write_text(encode(answer), encoding="utf-8")


if __name__ == "__main__":
    refresh()
