"""``conflict``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'
FRONT_LINES = 6


def run(check_files, one: str, two: str) -> list[str]:
    files = {"aa.md": FRONT + one + "\n", "bb.md": FRONT + two + "\n"}
    return [
        f"{f.path}:{f.line - FRONT_LINES}:{f.column}"
        for f in check_files(files, "conflict").findings
    ]


@pytest.mark.parametrize(
    ("one", "two", "places"),
    [
        ("`memory_search(limit=20)`", "Do `memory_search(limit=30)`", ["bb.md:1:19"]),
        ("`memory_search(limit=20)`", "`memory_search(query=x,\n limit=30)`", ["bb.md:2:2"]),
        ("`find_note` gives at most 20 names.", "`find_note` gives up to 30 names.", ["bb.md:1:25"]),
        ("The search cap is 16.", "Note that the search cap is 20.", ["bb.md:1:29"]),
        ("`my_tool` takes `depth` of at most 3.", "`my_tool` takes `depth`, no more than 4.", ["bb.md:1:39"]),
        ("A", "`error_history` returns at most 20 records.", ["bb.md:1:33"]),
        ("A", "`memory_search` returns 99 hits by default.", ["bb.md:1:25"]),
    ],
)  # fmt: skip
def test_reports(check_files, one: str, two: str, places: list[str]) -> None:
    assert run(check_files, one, two) == places


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("`memory_search(limit=20)`", "`memory_search(limit=20)`"),
        ("`conversation_read(from=1, to=5)`", "`conversation_read(from=7, to=9)`"),
        ("`memory_search(limit=20)`", "`conversation_list(limit=30)`"),
        ("At most 3 of them.", "At most 4 of those."),
        ("`error_history` returns at most 16 records.", "`error_history` returns 4 by default."),
        ("`find_note` gives at most 20 names.", "`memory_save` takes at most 30 names."),
    ],
)
def test_accepts(check_files, one: str, two: str) -> None:
    assert run(check_files, one, two) == []


def test_files_of_rules_are_compared_with_each_other(check_files) -> None:
    files = {
        "AGENTS.md": "# A\n\n`my_tool(limit=3)`\n",
        "CLAUDE.md": "# A\n\n`my_tool(limit=4)`\n",
    }
    (finding,) = check_files(files, "conflict").findings
    assert finding.path == "CLAUDE.md"
