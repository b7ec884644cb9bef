"""Importers: one module a format, one line in this table, chosen by content.

Order matters where one format's records could pass for another's: the stricter test stands
first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from generator.history.importers import (
    agenvoy,
    canonical_lines,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    gemini_cli,
    opencode,
    wolffish,
)
from generator.history.importers.base import Importer, Parsed, Reading, Sample, Unit

IMPORTERS: tuple[Importer, ...] = cast(
    "tuple[Importer, ...]",
    (
        canonical_lines,
        claude_code,
        codex,
        gemini_cli,
        opencode,
        chatgpt,
        claude_ai,
        agenvoy,
        wolffish,
    ),
)


def recognise(sample: Sample) -> str | None:
    """Return the format of a file, None when no importer knows it."""
    for importer in IMPORTERS:
        if importer.recognise(sample):
            return importer.FORMAT
    return None


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the sessions of a unit through the importer of its format."""
    for importer in IMPORTERS:
        if unit.format == importer.FORMAT:
            yield from importer.read(unit, reading)
            return
