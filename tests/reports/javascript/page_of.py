"""Reads scripts as a page would hold them, and tells what their last expression may be."""

from __future__ import annotations

from typing import Any

from generator.reports.checker import read_page
from generator.reports.javascript.values import Known, Text, Values
from generator.reports.page import Page


def page_of(*scripts: str) -> Page:
    """Return a page of these classic scripts."""
    return read_page("".join(f"<script>{script}</script>" for script in scripts))


def last_values(*scripts: str) -> Values:
    """Return what the last expression of the last script may be."""
    page = page_of(*scripts)
    return page.evaluator.values(page.programs[-1].tree.body[-1].expression)


def last(*scripts: str) -> list[Any]:
    """Return the same in short: plain values, text with ``*`` for holes, ``?`` for the unknown."""
    return [_short(value) for value in last_values(*scripts)]


def _short(value: Any) -> Any:
    if isinstance(value, Known):
        return value.value
    if isinstance(value, Text):
        return "*".join(value.parts)
    kind = type(value).__name__
    return "?" if kind == "Unknown" else kind
