"""``anchor-collision``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'
FRONT_LINES = 6


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("## When to ask\n\n## When to *ask*\n", ["3:1"]),
        ("## 登记\n\n### 登记\n", ["3:1"]),
        ("## tool_error\n", []),
    ],
)
def test_in_one_guide(found, body: str, places: list[str]) -> None:
    assert found("anchor-collision", body) == places


def test_in_the_join(check_files) -> None:
    files = {"aa.md": FRONT + "## Steps\n", "bb.md": FRONT + "## A\n\n## Steps\n"}
    (finding,) = check_files(files, "anchor-collision").findings
    assert (finding.path, finding.line) == ("bb.md", FRONT_LINES + 3)
    assert "bundles: all" in finding.message


def test_with_the_heading_of_another_topic(check_files) -> None:
    files = {"aa.md": FRONT + "## Repairs\n", "repairs.md": FRONT + "## A\n"}
    (finding,) = check_files(files, "anchor-collision").findings
    assert finding.path == "aa.md"


def test_guides_of_different_folders_are_not_joined(check_files) -> None:
    files = {"one/aa.md": FRONT + "## Steps\n", "two/bb.md": FRONT + "## Steps\n"}
    assert check_files(files, "anchor-collision").findings == ()


def test_headings_in_samples_are_none(found) -> None:
    assert found("anchor-collision", "## A\n\n```markdown\n## A\n```\n") == []
