"""JSON as values."""

from __future__ import annotations

from generator.reports.javascript.json_values import parse_json_value
from generator.reports.javascript.values import UNKNOWN, Known, Record, Sequence


def test_objects_and_lists() -> None:
    value = parse_json_value('{"a": [1, null]}')
    assert isinstance(value, Record)
    [items] = value.props["a"]()
    assert isinstance(items, Sequence)
    assert [item() for item in items.items] == [(Known(1),), (Known(None),)]


def test_what_does_not_parse_is_unknown() -> None:
    assert parse_json_value("{") == UNKNOWN
    assert parse_json_value("[" * 100_000) == UNKNOWN
