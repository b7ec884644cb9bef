"""``front-matter``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("## Body\n", "1:1"),
        ("---\ntitle: A\nsummary: B\nsince: 1\ncolour: red\n---\n\n## C\n", "5:1"),
        ("---\ntitle: A\nsummary: B\n---\n\n## C\n", "1:1"),
        ("---\ntitle: A\nsummary: " + "b" * 301 + "\nsince: 1\n---\n\n## C\n", "3:1"),
        ("---\ntitle: " + "a" * 101 + "\nsummary: B\nsince: 1\n---\n\n## C\n", "2:1"),
        ("---\ntitle: A\nsummary: B\nsince: 1\ntools: one\n---\n\n## C\n", "5:1"),
        ("---\ntitle: A\nsummary: |\n  B\n  C\nsince: 1\n---\n\n## C\n", "3:1"),
        ("---\ntitle: A: B\nsummary: C\nsince: 1\n---\n\n## C\n", "2:9"),
        ("---\ntitle: A\ntitle: B\nsummary: C\nsince: 1\n---\n\n## C\n", "3:1"),
        ("---\ntitle: A\nsummary: B\nsince: 1\n", "1:1"),
        ("---\ntitle: A\nsummary: B\nsince: 1\n---\n", "6:1"),
        ("---\ntitle: A\nsummary: B\nsince: 1\naliases: [recall]\n---\n\n## C\n", "5:1"),
        ("\ufeff---\r\ntitle: A\r\nsummary: B\r\nsince: 1\r\nwho: me\r\n---\r\n\r\n## C\r\n", "5:1"),
    ],
)  # fmt: skip
def test_reports(check_files, text: str, place: str) -> None:
    (finding,) = check_files({"sample.md": text}, "front-matter").findings
    assert f"{finding.line}:{finding.column}" == place


def test_a_file_name_that_is_no_topic(check_files) -> None:
    (finding,) = check_files({"Bad-Name.md": FRONT + "## A\n"}, "front-matter").findings
    assert "Bad-Name.md" in finding.message


def test_every_problem_at_once(check_files) -> None:
    text = "---\nsumary: B\nsince: 1\n---\n\n## C\n"
    found = check_files({"sample.md": text}, "front-matter").findings
    assert len(found) == 3
    assert any("Write 'summary'" in finding.fix for finding in found)


@pytest.mark.parametrize(
    "text",
    [
        FRONT + "## A\n",
        '---\ntitle: "A: b"\nsummary: C\nsince: 1.10\naliases: []\ntools: [x]\naudience: agents\n---\n\n## D\n',
        "---\ntitle: 借车\nsummary: 借车之前读\nsince: 1\n---\n\n## 登记\n",
    ],
)
def test_accepts(check_files, text: str) -> None:
    assert check_files({"sample.md": text}, "front-matter").findings == ()
