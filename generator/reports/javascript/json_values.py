"""JSON as values: what ``JSON.parse`` gives for text that stands in the page."""

from __future__ import annotations

import json
from typing import Any

from generator.reports.javascript.values import UNKNOWN, Known, Record, Sequence, Thunk, Value


def from_json(value: Any) -> Value:
    """Turn decoded JSON into a value."""
    if isinstance(value, dict):
        return Record({key: _json_thunk(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return Sequence(tuple(_json_thunk(inner) for inner in value))
    return Known(value)


def _json_thunk(value: Any) -> Thunk:
    return lambda: (from_json(value),)


def parse_json_value(text: str) -> Value:
    """Return what ``JSON.parse`` gives, unknown when it throws."""
    try:
        return from_json(json.loads(text))
    except (ValueError, RecursionError):
        return UNKNOWN
