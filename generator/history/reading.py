"""Reading the archive back: sessions by id, messages by number, runs and tasks, documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from generator.counting import counted
from generator.echo import quoted
from generator.exceptions import NotFoundError, RecordError, StorageError, UsageError
from generator.history.archive import Archive
from generator.history.canonical import Record, decode, record_key
from generator.history.refs import document_chunk
from generator.history.register import Register, Row
from generator.history.runs import Run, session_runs
from generator.model.session import Document, Message, Session
from generator.paths import Home

_LISTED = 5
# Any number under a key "n": a line without a wanted one is not worth decoding.
_NUMBERS = re.compile(rb'"n"\s*:\s*(\d+)')


class Reader:
    """Reads one archive through its register.

    Args:
        home: The folder with the user's data.
        register: The archive's register; a new one when left out.

    Attributes:
        register: Whose files hold what.
    """

    def __init__(self, home: Home, register: Register | None = None) -> None:
        self.register = register or Register(home)
        self._archive = Archive(home)

    def find(self, name: str) -> Row:
        """Find a session by its id; a suffix, a beginning or a part that is unique is enough.

        Raises:
            NotFoundError: No session is called so.
            UsageError: Several are; the message lists them.
        """
        rows = self.register.sessions()
        wanted = name.strip().removeprefix("conversation:").lower()
        for reading in (wanted, wanted.removeprefix("conv-")):
            for fits in _FITS:
                found = {row.id: row for row in reversed(rows) if fits(row.id.lower(), reading)}
                if len(found) == 1:
                    return next(iter(found.values()))
                if found:
                    listed = ", ".join(list(found)[-_LISTED:])
                    raise UsageError(
                        f"{counted(len(found), 'session')} fit {quoted(name)}: {listed}"
                        f"{', ...' if len(found) > _LISTED else ''}.",
                        hint="Give more of the id.",
                    )
            if not reading:
                break
        raise NotFoundError(
            f"The archive holds no session {quoted(name)} ({counted(len(rows), 'session')} searched).",
            hint="List them with conversation_list.",
        )

    def exact(self, session_id: str) -> Row | None:
        """Return the session of exactly this id, None when there is none."""
        rows = [row for row in self.register.sessions() if row.id == session_id]
        return max(rows, key=lambda row: row.read, default=None)

    def session(self, row: Row) -> Session:
        """Read a whole session."""
        return self._archive.load_file(row.path)

    def messages(self, row: Row, numbers: range, agent: str = "") -> list[Message]:
        """Read some messages of a session without decoding the others.

        Args:
            row: The session.
            numbers: Message numbers.
            agent: Sidechain id; empty for the main thread.
        """
        found: dict[tuple[str, ...], Message] = {}
        for record in _decoded(row.path, _mentions(numbers)):
            if (
                isinstance(record, Message)
                and record.n in numbers
                and (record.agent or "") == agent
            ):
                found[record_key(record)] = record
        return sorted(found.values(), key=lambda message: message.n)

    def runs(self, row: Row) -> tuple[Run, ...]:
        """Return the runs of a session, the oldest first."""
        return session_runs(self.session(row))

    def find_run(self, task_id: str) -> Run | None:
        """Find a run by its task id, None when no run has it."""
        for row in self.register.sessions():
            if task_id in row.tasks:
                for run in self.runs(row):
                    if run.task_id == task_id:
                        return run
        session_id, _, number = task_id.rpartition(".")
        owner = self.exact(session_id) if number.isdecimal() else None
        if owner is None:
            return None
        for run in self.runs(owner):
            if any(message.n == int(number) for message in run.messages):
                return run
        return None

    def documents(
        self,
        *,
        path: str | None = None,
        chunk: str | None = None,
        task: str | None = None,
    ) -> list[tuple[Row, Document]]:
        """Read documents by the file or the task they belong to, in file order.

        Args:
            path: Path in the workspace, or absolute.
            chunk: Only this chunk of the file.
            task: Task id.
        """
        found: dict[tuple[Path, str], tuple[Row, Document]] = {}
        for row in self.register.documents():
            if task is not None:
                if task not in row.tasks:
                    continue
                local = ""
            else:
                local = _in_workspace(path or "", row)
            for record in _decoded(row.path, _quotes(task or local)):
                if not isinstance(record, Document):
                    continue
                if record.task == task if task is not None else record.path == local:
                    found[row.path, record.id] = (row, record)
        wanted = list(found.values())
        if wanted:  # a path that two workspaces have means the first one's
            root = wanted[0][0].head.get("cwd")
            wanted = [pair for pair in wanted if pair[0].head.get("cwd") == root]
        if chunk is not None:
            wanted = [pair for pair in wanted if document_chunk(pair[1]) == chunk]
        return wanted


_FITS: Sequence[Callable[[str, str], bool]] = (
    lambda held, wanted: held == wanted,
    lambda held, wanted: bool(wanted) and held.endswith(wanted),
    lambda held, wanted: bool(wanted) and held.startswith(wanted),
    lambda held, wanted: bool(wanted) and wanted in held,
)


def _mentions(numbers: range) -> Callable[[bytes], bool]:
    return lambda line: any(int(match[1]) in numbers for match in _NUMBERS.finditer(line))


def _quotes(text: str) -> Callable[[bytes], bool]:
    plain = json.dumps(text, ensure_ascii=False).encode("utf-8", "replace")
    escaped = json.dumps(text).encode("ascii")
    return lambda line: plain in line or escaped in line


def _in_workspace(path: str, row: Row) -> str:
    """Return a path as the workspace's documents write it."""
    plain = path.replace("\\", "/")
    root = str(row.head.get("cwd") or "").replace("\\", "/").rstrip("/")
    return plain.removeprefix(f"{root}/") if root else plain


def _decoded(path: Path, wanted: Callable[[bytes], bool]) -> Iterator[Record]:
    """Yield the records of the lines that look wanted."""
    try:
        with path.open("rb") as handle:
            for line in handle:
                if not line.endswith(b"\n") or not wanted(line):
                    continue
                try:
                    yield decode(line.removeprefix(b"\xef\xbb\xbf"))
                except RecordError:
                    continue
    except OSError as error:
        raise StorageError(f"{path} could not be read: {error.strerror}.") from error
