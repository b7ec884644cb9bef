"""``parity``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

from generator.checks.rules.parity import CHECK

PLACES = "site/search/places/0.js"


@pytest.mark.parametrize("name", sorted(CHECK.good.keys() - {PLACES}))
def test_a_part_that_misses_a_topic_is_named(check_files, name: str) -> None:
    other = {file: text for file, text in CHECK.good.items() if file != name}
    found = check_files(other, "parity").findings
    assert [finding.rule for finding in found] == ["parity"]
    assert "lending" in found[0].message


def test_a_topic_that_search_does_not_find_is_named(check_files) -> None:
    files = dict(CHECK.good) | {PLACES: 'found.places[0]=[[0,"guides/other.html","Other"]]'}
    found = check_files(files, "parity").findings
    assert any("lending is not in search" in finding.message for finding in found)


def test_an_export_without_search_is_compared_without_it(check_files) -> None:
    files = {file: text for file, text in CHECK.good.items() if file != PLACES}
    assert check_files(files, "parity").findings == ()


def test_accepts(check_files) -> None:
    assert check_files(CHECK.good, "parity").findings == ()


def test_broken_lists_are_empty_ones(check_files) -> None:
    files = dict(CHECK.good) | {"site/guides/index.json": "{broken"}
    assert len(check_files(files, "parity").findings) == 1


@pytest.mark.parametrize("start", ["https://example.org/", "http://127.0.0.1:4747/a/"])
def test_whole_addresses_and_the_page_that_lists_all_are_read_as_well(check_files, start) -> None:
    listed = f"- [lending]({start}guides/lending.md): x\n- [Guides]({start}guides/index.md)\n"
    files = dict(CHECK.good) | {"site/llms.txt": listed}
    assert check_files(files, "parity").findings == ()
