"""The samples' table of right counts holds, row by row and in total."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"

# The status rows that a row of the table speaks of, by the end of their path.
ROWS = {
    "claude-code 3f1c... main": ["7a2f6c1e0001.jsonl"],
    "claude-code 3f1c... sub a1b2c3d": ["agent-a1b2c3d.jsonl"],
    "claude-code 7d20...": ["7a2f6c1e0002.jsonl"],
    "codex 019cb100": ["019cb100-aaaa-7000-8000-000000000001.jsonl"],
    "codex 0b7c2f00": ["0b7c2f00-2222-4000-8000-000000000002.jsonl"],
    "gemini-cli 5e6f0001": ["5e6f0001.json"],
    "gemini-cli 77aa0002": ["77aa0002.jsonl"],
    "chatgpt ...0001": ["chatgpt/conversations.json"],
    "chatgpt ...0002": ["chatgpt/conversations.json"],
    "claude-ai ...0001": ["claude-ai/conversations.json"],
    "claude-ai ...0002": ["claude-ai/conversations.json"],
    "opencode ses_sample0001": ["ses_sample0001.json"],
    "opencode ses_sample0002": ["ses_sample0002.json"],
    "agenvoy tg-sample02": [],  # only the database shows it, beside the other session
    "agenvoy cli-sample01": ["sessions/cli-sample01"],
    "wolffish": ["wolffish/workspace/"],
}


@dataclass
class Expected:
    user: int
    assistant: int
    calls: int
    errors: int
    unfinished: int
    tokens: list


def table() -> dict[str, Expected]:
    found = {}
    for line in (SAMPLES / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != 5 or cells[0] in ("sample", "---"):
            continue
        name = re.sub(r" \(.*\)$", "", cells[0])
        said = re.match(r"(\d+)\+(\d+)", cells[2])
        calls = re.match(r"(\d+)", cells[3])
        errors = re.search(r"\((\d+)", cells[3])
        numbers = [
            None if part.strip() == "unknown" else int(part)
            for part in (cells[4].split("/") if "/" in cells[4] else ["unknown"] * 4)
        ]
        found[name] = Expected(
            user=int(said[1]) if said else 0,
            assistant=int(said[2]) if said else 0,
            calls=int(calls[1]),
            errors=int(errors[1]) if errors else 0,
            unfinished=int("unfinished" in cells[3]),
            tokens=numbers,
        )
    return found


def add(parts):
    known = [part for part in parts if part is not None]
    return sum(known) if known else None


@pytest.fixture
def samples(tmp_path):
    """A copy, so that a test may touch and change it."""
    return shutil.copytree(SAMPLES, tmp_path / "samples")


@pytest.fixture
def status(run, samples):
    assert run("config", "set", "timezone", "Asia/Shanghai").code == 0
    assert run("history", "add", samples).code == 0
    return json.loads(run("history", "status", "--json").out)


def test_every_row_of_the_table_is_tested():
    assert set(table()) == set(ROWS)


def test_each_file_shows_what_the_table_says(status):
    expected = table()
    groups = {}
    for name, ends in ROWS.items():
        groups.setdefault(tuple(ends), []).append(expected[name])
    for ends, wanted in groups.items():
        if not ends:
            continue
        rows = [row for row in status["files"] if any(end in row["path"] for end in ends)]
        assert rows, ends
        side = "agent-" in ends[0]
        counted = "sidechain" if side else "messages"
        assert sum(row[counted]["user"] for row in rows) == sum(item.user for item in wanted)
        assert sum(row[counted]["assistant"] for row in rows) == sum(
            item.assistant for item in wanted
        )
        for name in ("calls", "errors", "unfinished"):
            key = "total" if name == "calls" else name
            assert sum(row["tool_calls"][key] for row in rows) == sum(
                getattr(item, name) for item in wanted
            ), (ends, name)
        for place, name in enumerate(("input", "output", "cache_read", "cache_write")):
            assert add(row["tokens"][name] for row in rows) == add(
                item.tokens[place] for item in wanted
            ), (ends, name)


def test_the_total_counts_each_thing_once(status):
    expected = table()
    total = status["total"]
    side = expected.pop("claude-code 3f1c... sub a1b2c3d")
    everything = list(expected.values())
    assert total["sessions"] == 15
    assert total["messages"] == {
        "user": sum(item.user for item in everything),
        "assistant": sum(item.assistant for item in everything),
    }
    assert total["sidechain"] == {"user": side.user, "assistant": side.assistant}
    everything.append(side)
    assert total["tool_calls"] == {
        "total": sum(item.calls for item in everything),
        "errors": sum(item.errors for item in everything),
        "unfinished": sum(item.unfinished for item in everything),
    }
    assert total["off_thread"] == {"user": 0, "assistant": 2}
    for place, name in enumerate(("input", "output", "cache_read", "cache_write")):
        assert total["tokens"][name] == add(item.tokens[place] for item in everything)


def test_the_torn_line_is_told_with_its_number(status):
    row = next(row for row in status["files"] if row["path"].endswith("7a2f6c1e0002.jsonl"))
    assert [skipped["line"] for skipped in row["skipped"]] == [6]
    assert "cut last line" in row["skipped"][0]["reason"]


def test_settings_of_a_workspace_are_never_read(status, home_folder):
    for path in home_folder.rglob("*"):
        if path.is_file():
            assert b"configuration-canary" not in path.read_bytes(), path


def test_importing_again_changes_nothing(run, status, samples, home_folder):
    def state():
        return {path: path.read_bytes() for path in (home_folder / "history").rglob("*.jsonl")}

    before = state()
    assert run("history", "add", samples).code == 0
    for path in samples.rglob("*"):
        if path.is_file() and "uploads" not in path.parts:  # an artifact's time is its own
            path.touch()
    assert run("history", "index").code == 0
    assert state() == before
    assert json.loads(run("history", "status", "--json").out)["total"] == status["total"]
