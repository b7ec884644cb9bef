"""The web form of a transcript: the same records in one object, read like lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.history.importers.base import Reading, object_of
from generator.history.importers.records import Line


class Listed:
    """The web form: the same records in one object, read like lines."""

    def __init__(self, records: list[Any], reading: Reading) -> None:
        self._records = records
        self._reading = reading

    def __iter__(self) -> Iterator[Line]:
        for index, record in enumerate(self._records):
            if isinstance(record, dict):
                self._reading.notes.records += 1
                yield Line(index + 1, index, 1, record)
            else:
                self._reading.notes.skip(index + 1, "not an object")

    def at(self, start: int, _length: int) -> dict[str, Any]:
        """Return one record again."""
        return object_of(self._records[start])
