"""Joins pieces of text of which each has several possibilities, or is not known at all."""

from __future__ import annotations

from collections.abc import Sequence as Items
from itertools import product
from typing import Any

from generator.reports.javascript.strings import LONGEST
from generator.reports.javascript.values import MOST, UNKNOWN, Known, Text, Value, Values, text_of


def joined(pieces: Items[Values]) -> Values:
    """Join pieces of text, each with its possibilities."""
    combinations = 1
    for options in pieces:
        combinations *= max(1, len(options))
        if combinations > MOST:
            break
    chosen: Any = (
        product(*pieces) if combinations <= MOST else [tuple(_blur(options) for options in pieces)]
    )
    return tuple(_concatenated(choice) for choice in chosen)


def _blur(options: Values) -> Value:
    return options[0] if len(options) == 1 else UNKNOWN


def _concatenated(choice: Items[Value]) -> Value:
    parts = [""]
    for value in choice:
        if isinstance(value, Text):
            parts[-1] += value.parts[0]
            parts.extend(value.parts[1:])
            continue
        text = text_of(value)
        if text is None:
            parts.append("")
        else:
            parts[-1] += text
    if len(parts) == 1 and len(parts[0]) <= LONGEST:
        return Known(parts[0])
    return Text(tuple(part[:LONGEST] for part in parts)) if len(parts) > 1 else UNKNOWN
