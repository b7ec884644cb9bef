"""Forgetting what a ref names, in whichever room it is kept; it stays forgotten."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from generator.counting import counted
from generator.echo import quoted
from generator.errors.records import remove_record
from generator.exceptions import NotFoundError, UsageError
from generator.history.canonical import Record
from generator.history.forgetting import forget_records, forget_session
from generator.history.refs import (
    Ref,
    conversation_places,
    conversation_ref,
    document_chunk,
    file_readings,
    parse_ref,
)
from generator.history.register import Row
from generator.history.runs import Run
from generator.knowledge.facts import forget_fact
from generator.knowledge.notes import remove_note
from generator.model.session import ActionRecord, Document, Message
from generator.recall.store import Recall, open_recall
from generator.workspace import Workspace


def forget_ref(text: str, workspace: Workspace) -> str:
    """Forget what a ref names.

    Args:
        text: A ref as a tool printed it: a session, a sidechain, a message, a run or task, a
            document, a fact, a note or an error record.
        workspace: Whose home it is.

    Returns:
        What was forgotten, as a sentence.

    Raises:
        UsageError: It is no ref, or names something that is not forgotten alone.
        NotFoundError: Nothing is behind it.
        StorageError: A file cannot be written.
    """
    ref = parse_ref(text)
    return _FORGETTERS[ref.kind](ref, open_recall(workspace))


def _conversation(ref: Ref, recall: Recall) -> str:
    for place in conversation_places(ref):
        row = recall.reader.exact(place.session)
        if row is None or (place.agent and place.agent not in row.marks):
            continue
        if place.call is not None:
            raise UsageError(
                "A tool call is forgotten with the message that holds it.",
                hint=f"Forget {conversation_ref(row.id, place.message, agent=place.agent)}.",
            )
        if place.message is None and place.agent is None:
            forget_session(recall.workspace, row.id)
            return f"Session {row.id} is forgotten."
        numbers = None if place.message is None else {place.message}
        count = _forget_messages(row, place.agent, numbers, recall)
        return f"{counted(count, 'message')} of {row.id} forgotten."
    raise NotFoundError(
        f"Nothing is kept behind {quoted(ref)}.", hint="Find it with conversation_list."
    )


def _forget_messages(row: Row, agent: str | None, numbers: set[int] | None, recall: Recall) -> int:
    """Forget messages of one thread, and the copies other sessions hold of them."""

    def named(record: Record) -> bool:
        return (
            isinstance(record, Message)
            and record.agent == agent
            and (numbers is None or record.n in numbers)
        )

    forgotten = _records(recall, row.path, named)["messages"]
    originals = {
        conversation_ref(row.id, number, agent=agent)
        for number in numbers or range(1, len(row.marks.get(agent or "", b"")) + 1)
    }

    def copied(record: Record) -> bool:
        return isinstance(record, Message) and record.copy_of in originals

    for other in recall.reader.register.sessions():
        if other.path != row.path and any(b"c" in marks for marks in other.marks.values()):
            try:
                forgotten += _records(recall, other.path, copied)["messages"]
            except NotFoundError:
                continue
    return forgotten


def _records(recall: Recall, path: Path, fits: Callable[[Record], bool]) -> dict[str, int]:
    done = forget_records(recall.workspace, path, fits)
    # A file that had nothing else was forgotten whole.
    return {**done, "messages": done["messages"] + done["sessions"]}


def _task(ref: Ref, recall: Recall) -> str:
    run = recall.reader.find_run(ref.target)
    if run is not None:
        if ref.part:
            raise UsageError(
                "A part of a run is forgotten with the run.", hint=f"Forget task:{run.task_id}."
            )
        return _forget_run(run, recall)
    documents = recall.reader.documents(task=ref.target)
    if ref.part:
        documents = [pair for pair in documents if pair[1].part == ref.part]
    return _forget_documents(documents, ref, recall)


def _forget_run(run: Run, recall: Recall) -> str:
    row = recall.reader.exact(run.session)
    assert row is not None
    numbers = {message.n for message in run.messages}

    def held(record: Record) -> bool:
        if isinstance(record, ActionRecord):
            return record.id == run.task_id
        return isinstance(record, Message) and record.agent is None and record.n in numbers

    if run.recorded:
        forget_records(recall.workspace, row.path, held)
    else:
        _forget_messages(row, None, numbers, recall)
    return f"Run {run.task_id} is forgotten, with its {counted(len(numbers), 'message')}."


def _file(ref: Ref, recall: Recall) -> str:
    if ref.target.startswith("knowledge/") and ref.part:
        try:
            fact = forget_fact(recall.workspace.home, str(ref))
        except (NotFoundError, UsageError):
            pass  # a workspace may have a folder of that name
        else:
            return f"Forgotten: {fact.text}"
    for path, chunk in file_readings(ref):
        documents = recall.reader.documents(path=path, chunk=chunk or None)
        if documents:
            return _forget_documents(documents, ref, recall)
    raise NotFoundError(
        f"Nothing is kept behind {quoted(ref)}.",
        hint="A file itself is yours to remove; only what was taken into the archive is forgotten.",
    )


def _forget_documents(documents: list[tuple[Row, Document]], ref: Ref, recall: Recall) -> str:
    if not documents:
        raise NotFoundError(
            f"Nothing is kept behind {quoted(ref)}.",
            hint="Find it with memory_search(sources='task').",
        )
    for path in dict.fromkeys(row.path for row, _ in documents):
        ids = {document.id for row, document in documents if row.path == path}
        forget_records(recall.workspace, path, _documents_of(ids))
    chunks = ", ".join(document_chunk(document) or document.path for _, document in documents[:10])
    return f"{counted(len(documents), 'document')} forgotten ({chunks})."


def _documents_of(ids: set[str]) -> Callable[[Record], bool]:
    return lambda record: isinstance(record, Document) and record.id in ids


def _error(ref: Ref, recall: Recall) -> str:
    remove_record(recall.workspace.home, ref.target)
    return f"Error record {ref.target} is forgotten."


def _note(ref: Ref, recall: Recall) -> str:
    name = f"{ref.target}#{ref.part}" if ref.part else ref.target
    return f"Note {remove_note(recall.workspace.home, name).ref.partition(':')[2]} is forgotten."


def _report(ref: Ref, recall: Recall) -> str:
    raise UsageError(
        "Reports are your files and are not forgotten here.",
        hint=f"Remove {ref.target} from the output folder.",
    )


_FORGETTERS: dict[str, Callable[[Ref, Recall], str]] = {
    "conversation": _conversation,
    "task": _task,
    "file": _file,
    "error": _error,
    "note": _note,
    "report": _report,
}
