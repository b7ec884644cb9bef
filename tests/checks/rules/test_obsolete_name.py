"""``obsolete-name``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("Save it with `write_report`.\n", ["1:15"]),
        ("Then rag_web answers, and write_file.\n", ["1:6", "1:27"]),
        ("Read [it](rag_web.md).\n", ["1:11"]),
        ("`error_history(mode=write, keyword=x)`\n", ["1:21"]),
        ("`reasoning_guide(topic=recall)`\n", ["1:18"]),
        ('```json\n{"tool": "list_files", "arguments": {}}\n```\n', ["2:11"]),
        ('```json\n{"tool": "error_history", "arguments": {"mode": "write"}}\n```\n', ["2:50"]),
        ("```python\nwrite_report(content='x')\n```\n", ["2:1"]),
        ("Type /cron to plan.\n", ["1:6"]),
        ("It ends with [SEND_VOICE: hello].\n", ["1:14"]),
        ("- item\n\n  > quoted `find_knowledge`\n", ["3:13"]),
    ],
)
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("obsolete-name", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "`write_result`, `error_history(mode=search)`, my_write_report, write_reports\n",
        "`write_file.py`, `src/list_files/x`, `self.write_file()`, /cron/daily, etc/cron\n",
        "```python\ndef write_file(path):\n    pass\n\nwrite_file(1)\n```\n",
        '```json wrong\n{"tool": "list_files"}\n```\n',
        '```json\n[{"tool": "error_history", "arguments": {"mode": "search"}}, {"tool": "x", "arguments": {"mode": "write"}}]\n```\n',
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("obsolete-name", body) == []


def test_tools_of_the_front_matter_are_read_and_aliases_are_not(check_files) -> None:
    text = FRONT.replace('since: "1.0"', 'since: "1.0"\naliases: [rag_web]\ntools: [write_report]')
    (finding,) = check_files({"sample.md": text + "## A\n"}, "obsolete-name").findings
    assert (finding.line, finding.column) == (6, 9)


def test_only_plain_renames_are_fixed(check_files) -> None:
    body = "`write_report` and `write_file` and `rag_web`\n"
    outcome = check_files({"sample.md": FRONT + body}, "obsolete-name")
    (edits,) = outcome.edits.values()
    assert [edit.text for edit in edits] == ["write_result", "web_search"]


def test_a_name_in_a_catalog_of_ones_own_is_current(check_files, workspace) -> None:
    folder = workspace.home.catalogs
    folder.mkdir(parents=True)
    (folder / "mine.yaml").write_text(
        "platform: mine\ntitle: Mine\nsummary: Mine.\ntools:\n  - {name: write_file, summary: Writes.}\n"
    )
    from generator.checks.ledger import Ledger
    from generator.tools.find_tools import load_all

    assert "write_file" not in Ledger(load_all(workspace)).words
