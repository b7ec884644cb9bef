"""What the index holds of the archive: messages, tool calls, recorded runs, documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.exceptions import NotFoundError
from generator.history.archive import Archive, Located
from generator.history.canonical import Record, record_key
from generator.history.refs import conversation_ref, document_chunk, task_ref
from generator.history.register import Register, Row
from generator.history.wording import action_text, call_text, document_text, message_text
from generator.model.entry import Entry, FileState
from generator.model.session import ActionRecord, Document, Message
from generator.paths import Home


class HistoryCollection:
    """Supplies the archive's entries to the index.

    Args:
        home: The folder with the user's data.
        register: The register of that archive.
    """

    name = "history"

    def __init__(self, home: Home, register: Register) -> None:
        self._archive = Archive(home)
        self._register = register
        self._rows: dict[Path, Row] = {}
        self._ends: dict[Path, int] = {}

    def files(self) -> Iterator[FileState]:
        """Yield every canonical file; the register is brought up to date first."""
        self._refresh()
        for path, row in self._rows.items():
            yield FileState(path=path, size=row.size, mtime_ns=row.mtime_ns)

    def superseded(self, path: Path, start: int, looked: int) -> Sequence[Entry] | None:
        """Return the entries of the records that lines added since the last look replace."""
        row = self._row(path)
        replacing = row.replacing(looked) if row is not None else None
        if row is None or replacing is None:
            return None
        if not replacing:
            return ()
        added = [
            located
            for located in self._records(path, start)
            if located.start + located.length > looked
            and isinstance(located.record, Message | ActionRecord | Document)
        ]
        keys = {record_key(located.record) for located in added}
        # Some replace a line that was added since as well.
        earlier = len(keys) - (len(added) - replacing)
        found = self._archive.newest_before(path, added[0].start, keys, earlier) if added else []
        if len(found) != earlier:
            return None
        root = self._root(row)
        return [entry for located in found for entry in _entries_of(located, row, root)]

    def _records(self, path: Path, start: int) -> Iterator[Located]:
        """Yield the records of a file as it was when it was listed: it may grow meanwhile."""
        end = self._ends.get(path, 0)
        for located in self._archive.records(path, start):
            if located.start + located.length > end:
                return
            yield located

    def entries(self, path: Path, start: int) -> Iterator[Entry]:
        """Yield the entries of one file from byte ``start`` on, replaced records left out."""
        row = self._row(path)
        if row is None or not row.head:
            return
        root = self._root(row)
        newest: dict[tuple[str, ...], int] | None = None
        if row.replacing(start) != 0:
            newest = {
                record_key(located.record): located.start for located in self._records(path, start)
            }
        for located in self._records(path, start):
            if newest is None or newest[record_key(located.record)] == located.start:
                yield from _entries_of(located, row, root)

    def text(self, path: Path, start: int, length: int, part: str) -> str:
        """Return the text of one entry again.

        Raises:
            NotFoundError: The record is not there any more.
        """
        return _text_of(self._archive.record(path, start, length), part)

    def _root(self, row: Row) -> str:
        """Return a workspace's folder when there are several, so that their refs differ."""
        roots = {
            other.head.get("cwd")
            for other in self._rows.values()
            if other.head.get("holds") == "documents"
        }
        return str(row.head.get("cwd") or "") if len(roots) > 1 else ""

    def _row(self, path: Path) -> Row | None:
        if path not in self._rows:
            self._refresh()
        return self._rows.get(path)

    def _refresh(self) -> None:
        self._rows = self._register.refresh()
        self._ends = {path: row.read for path, row in self._rows.items()}


def _entries_of(located: Located, row: Row, root: str) -> Iterator[Entry]:
    record = located.record
    if isinstance(record, Message):
        if not record.copy_of:
            yield from _of_message(record, located, row)
    elif isinstance(record, ActionRecord):
        yield from _of_action(record, located, row)
    elif isinstance(record, Document):
        yield _of_document(record, located, row, root)


def _of_message(message: Message, located: Located, row: Row) -> Iterator[Entry]:
    project = str(row.head.get("project") or "")
    agent = str(row.head["agent"])
    ts = message.ts.timestamp() if message.ts else None
    text = message_text(message)
    if text:
        yield Entry(
            ref=conversation_ref(row.id, message.n, agent=message.agent),
            source="conversation",
            text=text,
            start=located.start,
            length=located.length,
            session=row.id,
            agent=agent,
            project=project,
            role=message.role,
            thread=message.thread,
            ts=ts,
        )
    for position, call in enumerate(message.calls, start=1):
        yield Entry(
            ref=conversation_ref(row.id, message.n, position, agent=message.agent),
            source="conversation",
            text=call_text(call),
            start=located.start,
            length=located.length,
            part=str(position),
            session=row.id,
            agent=agent,
            project=project,
            role="tool",
            tool=call.name,
            thread=message.thread,
            ts=call.started.timestamp() if call.started else ts,
        )


def _of_action(action: ActionRecord, located: Located, row: Row) -> Iterator[Entry]:
    agent = str(row.head["agent"])
    project = str(row.head.get("project") or "")
    ts = action.ended.timestamp() if action.ended else None
    yield Entry(
        ref=task_ref(action.id),
        source="task",
        text=action_text(action),
        start=located.start,
        length=located.length,
        session=row.id,
        agent=agent,
        project=project,
        ts=ts,
    )
    for number, call in enumerate(action.calls, start=1):
        yield Entry(
            ref=task_ref(action.id, f"detail{number}"),
            source="task",
            text=call_text(call),
            start=located.start,
            length=located.length,
            part=str(number),
            session=row.id,
            agent=agent,
            project=project,
            role="tool",
            tool=call.name,
            ts=call.started.timestamp() if call.started else ts,
        )


def _of_document(document: Document, located: Located, row: Row, root: str) -> Entry:
    return Entry(
        ref=document_ref(document, root),
        source=document.source,
        text=document_text(document),
        start=located.start,
        length=located.length,
        session=document.session or "",
        agent=str(row.head["agent"]),
        project=str(row.head.get("project") or ""),
        tool=document.tool or "",
        ts=document.ts.timestamp() if document.ts else None,
    )


def document_ref(document: Document, root: str = "") -> str:
    """Return the ref of a document: its task's where it belongs to one, else its file and chunk.

    Args:
        document: The document.
        root: Its workspace, where its path alone would be ambiguous.
    """
    if document.task:
        return task_ref(document.task, document.part)
    chunk = document_chunk(document)
    path = f"{root.rstrip('/')}/{document.path}" if root else document.path
    return f"file:{path}" + (f"#{chunk}" if chunk else "")


def _text_of(record: Record, part: str) -> str:
    if isinstance(record, Document):
        return document_text(record)
    if isinstance(record, Message | ActionRecord):
        if part:
            position = int(part)
            if position > len(record.calls):
                raise NotFoundError(f"There is no tool call {position} in that record.")
            return call_text(record.calls[position - 1])
        return message_text(record) if isinstance(record, Message) else action_text(record)
    raise NotFoundError("That record holds no text.")
