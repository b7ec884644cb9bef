"""``unknown-tool``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("Use `no_such_tool(query=x)`.\n", ["1:6"]),
        ("Use `find_files(query=x)`.\n", ["1:17"]),
        ("Use `find_tools(mode=guess)`.\n", ["1:17"]),
        ("Call `fetch_pages` first.\n", ["1:7"]),
        ("The `fetch_pages` tool helps.\n", ["1:6"]),
        ('```json\n{"tool": "find_note", "arguments": {\n  "mode": "read", "nome": "a"}}\n```\n', ["3:20"]),
        ('```json\n{"tool": "write_result", "arguments": {}}\n```\n', ["2:11"]),
    ],
)  # fmt: skip
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("unknown-tool", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "`find_tools(mode=list)`, `script_working_days(start=1)`, `mcp__kura__search_rag(query=x)`\n",
        "`my_function(x)`, `T.init(id, option)`, `some_variable`\n",
        "`write_file(path=x)` is told by another rule.\n",
        '```json wrong\n{"tool": "nope", "arguments": {}}\n```\n',
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("unknown-tool", body) == []


def test_tools_of_the_front_matter(check_files) -> None:
    text = FRONT.replace('since: "1.0"', 'since: "1.0"\ntools: [find_note, find_notes]')
    (finding,) = check_files({"sample.md": text + "## A\n"}, "unknown-tool").findings
    assert (finding.line, finding.column) == (5, 20)
    assert "'find_note'" in finding.fix
