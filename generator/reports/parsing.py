"""Parses pages as browsers do. The only importer of ``justhtml``."""

from __future__ import annotations

import contextlib
import gc
import re
from collections.abc import Iterator
from typing import Any

_PLAIN_LESS_THAN = re.compile(r"<(?![A-Za-z/!?])")
STAND_IN = "\ue3c0"
_FEW = 1_000


@contextlib.contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: building a large tree, it looks at all of it for nothing."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def parse(source: str, **options: Any) -> Any:
    """Parse a page; see :func:`_calm` for what is done to hostile ones first."""
    from justhtml import JustHTML

    return JustHTML(
        _calm(source), sanitize=False, scripting_enabled=True, track_node_locations=True, **options
    )


def _calm(source: str) -> str:
    """Stand in for ``<`` where many of them open nothing.

    The parser adds each to its text one by one, which takes a quadratic time. A ``<`` that no
    letter, slash, exclamation or question mark follows never opens anything, wherever it stands,
    so a character that means nothing takes its place here, and :meth:`Document._read` puts it
    back.
    """
    if not needs_calming(source):
        return source
    return _PLAIN_LESS_THAN.sub(STAND_IN, source)


def needs_calming(source: str) -> bool:
    """Tell whether a page is calmed: it has many ``<`` that open nothing."""
    if source.count("<") < _FEW or STAND_IN in source:
        return False
    return len(_PLAIN_LESS_THAN.findall(source)) >= _FEW
