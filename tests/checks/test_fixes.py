"""Safe fixes: exactly these bytes change, and what is mended is clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.checks.fixes import apply_edits, fix_file
from generator.checks.rules.base import Edit
from generator.exceptions import StorageError

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'
BAD = FRONT + ('Use `write_report`, then [it](rag_web.md).\n\n```\n{"a": 1}\n```\n\nAt most 3 }}\n')
GOOD = FRONT + (
    'Use `write_result`, then [it](web_search.md).\n\n```json\n{"a": 1}\n```\n\nAt most 3\n'
)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_all_at_once(check_files, folder: Path, ends: str, mark: str) -> None:
    given = (mark + BAD.replace("\n", ends)).encode()
    outcome = check_files({"sample.md": given})
    ((path, edits),) = outcome.edits.items()
    fixed = fix_file(path, edits, name="sample.md")
    assert path.read_bytes() == (mark + GOOD.replace("\n", ends)).encode()
    assert fixed is not None
    assert "-Use `write_report`" in fixed.diff
    assert "+Use `write_result`" in fixed.diff
    assert check_files({}).findings == ()


def test_mixed_line_ends_stay(check_files, folder: Path) -> None:
    given = BAD.encode().replace(b"\n\n```\n", b"\r\n\n```\r\n")
    ((path, edits),) = check_files({"sample.md": given}).edits.items()
    fix_file(path, edits, name="sample.md")
    assert path.read_bytes() == GOOD.encode().replace(b"\n\n```json\n", b"\r\n\n```json\r\n")


def test_a_template_around_a_name_stays(check_files, folder: Path) -> None:
    body = "{% if true %}\nUse {{ limits.error_history_max }} `write_report`.\n{% endif %}\n"
    ((path, edits),) = check_files({"sample.md": FRONT + body}).edits.items()
    fix_file(path, edits, name="sample.md")
    assert path.read_text() == FRONT + body.replace("write_report", "write_result")


def test_what_a_comment_switches_off_is_not_changed(check_files) -> None:
    body = "<!-- fieldguide-disable obsolete-name: history -->\n`write_report`\n"
    assert check_files({"sample.md": FRONT + body}).edits == {}


def test_of_two_changes_that_overlap_the_first_is_made() -> None:
    assert apply_edits("abcdef", [Edit(2, 4, "X"), Edit(0, 3, "Y")]) == ("Ydef", 1)


def test_bytes_that_are_no_text_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(b"\xff write_report")
    with pytest.raises(StorageError):
        fix_file(path, [Edit(0, 1, "x")], name="a.md")
    assert path.read_bytes() == b"\xff write_report"
