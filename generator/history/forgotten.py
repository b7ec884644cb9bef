"""What a person had forgotten: it stays forgotten when its sources are imported again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from generator.exceptions import StorageError
from generator.model.session import Head
from generator.paths import Home
from generator.storage import read_text, write_atomic


@dataclass(slots=True)
class Forgotten:
    """The list of what was forgotten, in ``history/.forgotten.json``.

    Attributes:
        path: The file.
        sessions: By ``<agent>/<session or document set>``: True for all of it, or the time
            before which its messages are forgotten.
        records: Single messages and documents: ``<agent>/<session>`` to their keys.
        sources: Paths of files and folders that are never read again.
        with_source: By such a path, the sessions that were forgotten with it.
    """

    path: Path
    sessions: dict[str, bool | str] = field(default_factory=dict)
    records: dict[str, list[str]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    with_source: dict[str, list[str]] = field(default_factory=dict)

    def is_whole(self, head: Head) -> bool:
        """Tell whether a whole session or set of documents was forgotten."""
        return self.sessions.get(name_of(head)) is True

    def holds(self, head: Head, key: str, ts: datetime | None) -> bool:
        """Tell whether one record was forgotten."""
        rule = self.sessions.get(name_of(head))
        if rule is True or key in self.records.get(name_of(head), ()):
            return True
        return isinstance(rule, str) and ts is not None and ts < datetime.fromisoformat(rule)

    def has_source(self, path: Path) -> bool:
        """Tell whether a path lies in a source that was forgotten."""
        return any(path == Path(item) or Path(item) in path.parents for item in self.sources)

    def note_with_source(self, source: Path, name: str) -> None:
        """Add a whole session that is forgotten because all of it came from one source."""
        if self.sessions.get(name) is not True:
            self.sessions[name] = True
            self.with_source.setdefault(str(source), []).append(name)

    def save(self) -> None:
        """Write the list.

        Raises:
            StorageError: It cannot be written.
        """
        content = {
            "sessions": self.sessions,
            "records": self.records,
            "sources": self.sources,
            "with_source": self.with_source,
        }
        write_atomic(self.path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def name_of(head: Head) -> str:
    """Return the name a session or a set of documents has in the list."""
    return f"{head.agent}/{head.id}"


def load_forgotten(home: Home) -> Forgotten:
    """Read the list; empty when nothing was forgotten yet.

    Raises:
        StorageError: The list is there and cannot be read: going on without it would bring
            back what was to be forgotten.
    """
    path = home.history / ".forgotten.json"
    if not path.exists():
        return Forgotten(path)
    try:
        raw: Any = json.loads(read_text(path))
        return Forgotten(
            path,
            dict(raw["sessions"]),
            dict(raw["records"]),
            list(raw["sources"]),
            dict(raw.get("with_source", {})),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise StorageError(
            f"{path}, the list of what was forgotten, is damaged.",
            hint="Mend it by hand, or remove it and forget again what must stay away.",
        ) from error
