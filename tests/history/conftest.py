"""Helpers of the history tests: write a source, bring it in, look at what came of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from generator.history.archive import Archive
from generator.history.intake import register, status, take_in
from generator.paths import Home
from generator.workspace import Workspace


@dataclass
class Source:
    """A folder of exports, and the archive they are brought into."""

    folder: Path
    home: Home

    def write(self, name: str, content: Any) -> Path:
        """Write a file: bytes and text as they are, a list of objects as JSON Lines."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8", newline="")
        elif isinstance(content, list) and name.endswith(".jsonl"):
            lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in content]
            path.write_text("".join(lines), encoding="utf-8", newline="")
        else:
            path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8", newline="")
        return path

    def workspace(self) -> Workspace:
        noon = datetime(2026, 5, 5, 12, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
        return Workspace(home=self.home, cwd=self.folder, environ={}, clock=lambda: noon)

    def take_in(self) -> dict[str, Any]:
        """Import what changed and return the status."""
        self.folder.mkdir(parents=True, exist_ok=True)
        register(self.workspace(), [self.folder])
        take_in(self.workspace())
        return status(self.workspace())

    def total(self) -> dict[str, Any]:
        return self.take_in()["total"]

    def row(self, name: str) -> dict[str, Any]:
        (found,) = [row for row in self.take_in()["files"] if row["path"].endswith(name)]
        return found

    def counts(self, row: dict[str, Any] | None = None) -> tuple[Any, ...]:
        """Return a row's numbers (the total's) in short: messages, off, side, calls, tokens."""
        report = row or self.total()
        calls = report["tool_calls"]
        tokens = report["tokens"]
        return (
            (report["messages"]["user"], report["messages"]["assistant"]),
            (report["off_thread"]["user"], report["off_thread"]["assistant"]),
            (report["sidechain"]["user"], report["sidechain"]["assistant"]),
            (calls["total"], calls["errors"], calls["unfinished"]),
            tuple(tokens[name] for name in ("input", "output", "cache_read", "cache_write")),
        )

    def archive(self) -> Archive:
        return Archive(self.home)

    def session(self, session_id: str | None = None):
        self.take_in()
        archive = self.archive()
        if session_id is None:
            (head,) = archive.sessions()
            session_id = head.id
        return archive.load(session_id)


@pytest.fixture
def source(tmp_path, home_folder):
    """A folder of exports and an empty home in Shanghai's time."""
    home_folder.mkdir(parents=True, exist_ok=True)
    (home_folder / "config.json").write_text('{"timezone": "Asia/Shanghai"}')
    return Source(tmp_path / "exports", Home(home_folder))
