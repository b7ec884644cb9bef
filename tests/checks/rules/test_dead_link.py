"""``dead-link``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'
FRONT_LINES = 6


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("## A\n\n[x](#gone)\n", ["3:5"]),
        ("## A\n\n[x](recall.md#gone)\n", ["3:5"]),
        ("[x](missing.md)\n", ["1:5"]),
        ("[x](files/missing.pdf)\n", ["1:5"]),
        ("![x](missing.png)\n", ["1:6"]),
        ("- a\n- b [x](<no such.txt>)\n", ["2:10"]),
        ("| a | b |\n|---|---|\n| c | [x](#gone) |\n", ["3:11"]),
        ("[x]: gone.txt\n", ["1:6"]),
        ("## 部署\n\n[x](#部门)\n", ["3:5"]),
    ],
)
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("dead-link", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "## A b\n\n[x](#a-b) [y](sample.md#a-b) [z](recall.md) [w](#A-B)\n",
        "## A\n\n## A\n\n[x](#a-1)\n",
        "## 部署 流程\n\n[x](#部署-流程) [y](#%E9%83%A8%E7%BD%B2-%E6%B5%81%E7%A8%8B)\n",
        "[x](https://example.org/a.md) [y](mailto:a@example.org) [z](//example.org)\n",
        "`[x](gone.md)` and \\[x](gone.md)\n\n```text\n[x](gone.md)\n```\n",
        '## A\n\n[x](#a "A title") [y](<#a>)\n',
        "## [Link](recall.md) in a heading\n\n[x](#link-in-a-heading)\n",
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("dead-link", body) == []


def test_a_file_beside_a_guide_is_dead_once_joined(found) -> None:
    assert found("dead-link", "[x](notes.txt)\n", notes__txt="x") == ["1:5"]


def test_an_anchor_that_leads_into_another_topic_once_joined(check_files) -> None:
    files = {
        "aa.md": FRONT + "## Steps\n",
        "bb.md": FRONT + "## Steps\n\n[x](#steps)\n",
    }
    (finding,) = check_files(files, "dead-link").findings
    assert (finding.path, finding.line) == ("bb.md", FRONT_LINES + 3)


def test_other_rules_may_link_to_files(check_files) -> None:
    files = {
        "AGENTS.md": "# A\n\n[a](docs/x.md#part) [b](docs/x.md#gone) [c](docs/y.md)\n",
        "docs/x.md": "# X\n\n## Part\n",
    }
    found = check_files(files, "dead-link").findings
    assert [(finding.line, finding.column) for finding in found] == [(3, 25), (3, 45)]
