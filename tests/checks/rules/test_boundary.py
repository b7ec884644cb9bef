"""``boundary``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("# Top\n", ["1:1"]),
        ("Top\n===\n", ["1:1"]),
        ("## A\n\n#### B\n", ["3:1"]),
        ("### A\n", ["1:1"]),
        ("## A\n\n## tool_error\n", ["3:1"]),
        ("## A\n\n### `recall`\n", ["3:1"]),
        ("## rag_web\n", ["1:1"]),
        ("## sample ##\n", ["1:1"]),
        ("> # Quoted\n", ["1:3"]),
        ("## A\n\n```text\n## recall\n```\n", ["4:1"]),
    ],
)
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("boundary", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "## A\n\n### B\n\n#### C\n\n## D\n",
        "## Recall again\n\n## When recall helps\n",
        "```python\n# a comment\n## recall this\n```\n",
        "    # indented code\n",
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("boundary", body) == []


def test_other_rules_may_have_a_title(check_files) -> None:
    assert check_files({"AGENTS.md": "# Title\n\n#### Deep\n"}, "boundary").findings == ()
