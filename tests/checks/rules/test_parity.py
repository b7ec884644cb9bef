"""``parity``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

from generator.checks.rules.parity import CHECK


@pytest.mark.parametrize("name", sorted(CHECK.good))
def test_a_part_that_misses_a_topic_is_named(check_files, name: str) -> None:
    other = {file: text for file, text in CHECK.good.items() if file != name}
    found = check_files(other, "parity").findings
    assert [finding.rule for finding in found] == ["parity"]
    assert "lending" in found[0].message


def test_accepts(check_files) -> None:
    assert check_files(CHECK.good, "parity").findings == ()


def test_broken_lists_are_empty_ones(check_files) -> None:
    files = dict(CHECK.good) | {"site/guides/index.json": "{broken"}
    assert len(check_files(files, "parity").findings) == 1
