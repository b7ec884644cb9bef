"""The home that the whole site is shown with: every kind of record, and a session cut into pages."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from generator.errors.records import write_record
from generator.export.build import Builder
from generator.history.intake import register, take_in
from generator.paths import Home
from generator.workspace import Workspace

SAMPLES = Path(__file__).parents[1] / "fixtures" / "samples"
OWN = ("history", "errors", "reports", "drafts")


def sample_home(folder: Path, **settings: object) -> Home:
    """Fill a home with the samples of every agent, errors and reports.

    Args:
        folder: The home; it must not exist.
        settings: What its config.json holds besides the folder of reports.
    """
    home = Home(folder)
    folder.mkdir()
    home.config.write_text(json.dumps({"output_dir": "reports", **settings}))
    reports = folder / "reports"
    reports.mkdir()
    shutil.copy(SAMPLES.parent / "reports" / "full.md", reports / "report-20260504-101500.md")
    shutil.copy(SAMPLES.parent / "reports" / "harbour.png", reports)
    (reports / "report-20260505-101500.html").write_text(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Tide</title></head>"
        "<body><h1>Tide</h1><p id=tide></p>"
        "<script>document.getElementById('tide').textContent = 'High at ' + 6;</script></body></html>"
    )
    (folder / "history" / "codex").mkdir(parents=True)
    (folder / "history" / "codex" / "long.jsonl").write_text(_long_session())
    register(Workspace(home=home), [path for path in SAMPLES.iterdir() if path.is_dir()])
    take_in(Workspace(home=home))
    write_record(
        Workspace(home=home), tool_name="run_command", keywords=["x"], symptom="a <b>\n\n# c",
        cause="## d", action="- [ ] e\n\n| f |\n|---|\n| g |", outcome="resolved",
    )  # fmt: skip
    for symptom in ("错误，重试也没有用", "错误重试三次后失败"):
        write_record(
            Workspace(home=home), tool_name="memory_search", keywords=["query"], symptom=symptom,
            action="Give it a `query`.", outcome="resolved",
        )  # fmt: skip
    return home


def build_all(home: Home, out: Path, **options: object) -> Path:
    """Export a home with everything it holds, as the command does."""
    from generator.cli.reference import load_reference
    from generator.tools.find_tools import load_all

    workspace = Workspace(home=home)
    own = {"reference": load_reference(), "tools": load_all(workspace).own}
    Builder(workspace, out, sections=OWN, **own, **options).build()  # type: ignore[arg-type]
    return out


def _long_session() -> str:
    lines: list[dict[str, object]] = [
        {"type": "head", "schema": 1, "id": "long", "agent": "codex", "title": "A long day",
         "project": "tide", "created": "2026-05-01T10:00:00Z", "updated": "2026-05-01T11:00:00Z"}
    ]  # fmt: skip
    for number in range(1, 121):
        role = "user" if number % 2 else "assistant"
        call = {"id": f"c{number}", "name": "Bash", "status": "ok",
                "arguments": {"command": "seq 900"}, "result": "row\n" * 5_000}  # fmt: skip
        lines.append(
            {"type": "message", "n": number, "id": f"m{number}", "role": role,
             "text": f"Step {number} of the day. See [the notes](notes/day.md).",
             "ts": f"2026-05-01T10:{number // 2:02}:00Z",
             "calls": [call] if role == "assistant" else []}
        )  # fmt: skip
    return "".join(json.dumps(line) + "\n" for line in lines)
