"""A source that grows: many steps must leave what one import of the whole leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.history.canonical import encode, record_key
from generator.paths import Home
from tests.history.conftest import Source

SAMPLES = Path(__file__).parent.parent / "fixtures" / "samples"
GROWING = sorted(SAMPLES.rglob("*.jsonl"))


def held(source: Source) -> dict[tuple[str, ...], bytes]:
    """Return the newest line of every record of the archive, by file."""
    records: dict[tuple[str, ...], bytes] = {}
    for state in source.archive().files():
        for located in source.archive().records(state.path):
            records[state.path.name, *record_key(located.record)] = encode(located.record)
    return records


@pytest.mark.parametrize("path", GROWING, ids=lambda path: path.stem[:24])
def test_many_steps_leave_what_one_import_leaves(path, tmp_path):
    whole = Source(tmp_path / "src", Home(tmp_path / "whole"))
    stepped = Source(tmp_path / "src", Home(tmp_path / "stepped"))
    lines = path.read_bytes().splitlines(keepends=True)
    grown = b""
    for line in lines:
        # Half a line first, as a program that is still writing leaves it.
        stepped.write(path.name, grown + line[: len(line) // 2])
        stepped.take_in()
        grown += line
        stepped.write(path.name, grown)
        report = stepped.take_in()
    assert report == whole.take_in()
    assert held(stepped) == held(whole)
