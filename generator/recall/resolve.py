"""What is behind a ref: one reader a kind, in one table."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from generator.counting import counted
from generator.echo import quoted
from generator.exceptions import NotFoundError, OutsideError
from generator.history.collection import document_ref
from generator.history.refs import (
    Place,
    Ref,
    conversation_places,
    conversation_ref,
    file_readings,
    parse_ref,
)
from generator.history.register import Row
from generator.history.run_text import call_body, run_text
from generator.history.runs import Run
from generator.history.wording import document_text, message_text
from generator.model.session import Document, Message
from generator.recall.days import local
from generator.recall.files import Passage, allowed_file, file_passage, text_passage
from generator.recall.kept import Kept, kept_error, kept_fact, kept_note
from generator.recall.store import Recall
from generator.reports.collection import find_report
from generator.reports.destination import output_folder

_DETAIL = re.compile(r"detail([1-9][0-9]{0,5})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Text behind a ref.

    Attributes:
        ref: The ref in its plain form.
        source: What it is: ``conversation``, ``task``, ``file``, ``error``, ...
        passage: The text.
        facts: What is known about it, name to value.
        related: Refs of what belongs to it.
    """

    ref: str
    source: str
    passage: Passage
    facts: dict[str, str] = field(default_factory=dict)
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundThread:
    """A whole conversation or sidechain behind a ref.

    Attributes:
        ref: The ref in its plain form.
        row: The session.
        places: Its messages in archive order, as sidechain id (empty: main thread) and number.
        related: Refs of runs that the agent recorded itself.
    """

    ref: str
    row: Row
    places: tuple[tuple[str, int], ...]
    related: tuple[str, ...] = ()


def resolve(text: str, recall: Recall) -> Found | FoundThread:
    """Read what a ref names.

    Args:
        text: A ref as a tool printed it.
        recall: The home.

    Raises:
        UsageError: It is no ref.
        NotFoundError: Nothing is behind it.
        OutsideError: It leads out of the folders that may be read.
    """
    ref = parse_ref(text)
    reader = _READERS.get(ref.kind)
    if reader is None:
        raise NotFoundError(f"Nothing of the kind {quoted(ref.kind)} is kept in this home.")
    return reader(ref, recall)


def _conversation(ref: Ref, recall: Recall) -> Found | FoundThread:
    for place in conversation_places(ref):
        row = recall.reader.exact(place.session)
        if row is not None and (place.agent is None or place.agent in row.marks):
            return _at(place, row, recall)
    session = next(iter(conversation_places(ref))).session
    raise NotFoundError(
        f"The archive holds no session {quoted(session)}.",
        hint="Find it with conversation_list; a ref takes the whole id.",
    )


def _at(place: Place, row: Row, recall: Recall) -> Found | FoundThread:
    whole = conversation_ref(row.id, agent=place.agent)
    if place.message is None:
        agents = [place.agent] if place.agent else sorted(row.marks)
        return FoundThread(
            ref=whole,
            row=row,
            places=tuple(
                (agent, number)
                for agent in agents
                for number, mark in enumerate(row.marks[agent], start=1)
                if mark != ord(" ")
            ),
            related=tuple(f"task:{task}" for task in row.tasks),
        )
    numbers = range(place.message, place.message + 1)
    messages = recall.reader.messages(row, numbers, place.agent or "")
    if not messages:
        last = len(row.marks.get(place.agent or "", b""))
        raise NotFoundError(
            f"{whole} has no message {place.message}; its last is {last}.",
            hint=f"Read around it with conversation_read(id={row.id!r}).",
        )
    return _message(messages[0], place, row, recall)


def _message(message: Message, place: Place, row: Row, recall: Recall) -> Found:
    refs = [
        conversation_ref(row.id, message.n, position, agent=place.agent)
        for position in range(1, len(message.calls) + 1)
    ]
    facts = _facts(
        agent=str(row.head["agent"]),
        project=row.head.get("project"),
        role=message.role,
        thread=message.thread,
        model=message.model,
        ts=local(message.ts, recall.workspace),
        copy_of=message.copy_of,
    )
    if place.call is None:
        return Found(
            ref=conversation_ref(row.id, message.n, agent=place.agent),
            source="conversation",
            passage=text_passage(message_text(message)),
            facts=facts,
            related=tuple(refs),
        )
    if not 0 < place.call <= len(refs):
        raise NotFoundError(
            f"Message {message.n} of {row.id} holds {len(refs)} tool calls, not {place.call}.",
            hint=f"Read the message with memory_get(ref='conversation:{row.id}#{message.n}').",
        )
    call = message.calls[place.call - 1]
    child = conversation_ref(row.id, agent=call.child) if call.child in row.marks else None
    if call.child and child is None and recall.reader.exact(call.child):
        child = conversation_ref(call.child)
    return Found(
        ref=refs[place.call - 1],
        source="conversation",
        passage=text_passage(call_body(call)),
        facts={**facts, "role": "tool", "tool": call.name, "status": call.status},
        related=(child,) if child else (),
    )


def _task(ref: Ref, recall: Recall) -> Found:
    run = recall.reader.find_run(ref.target)
    if run is not None:
        return _run(run, ref, recall)
    documents = recall.reader.documents(task=ref.target)
    if ref.part:
        documents = [pair for pair in documents if pair[1].part == ref.part]
    if not documents:
        raise NotFoundError(
            f"There is no task {quoted(str(ref)[5:])} in the archive.",
            hint="Find it with memory_search(sources='task') or chat_history(mode=list).",
        )
    return _documents(str(ref), "task", documents, recall)


def _run(run: Run, ref: Ref, recall: Recall) -> Found:
    facts = _facts(
        agent=run.agent,
        project=run.project,
        thread=run.thread,
        model=", ".join(run.models),
        ts=local(run.started or run.ended, recall.workspace),
        session=run.session,
    )
    if not ref.part:
        related = [conversation_ref(run.session, message.n) for message in run.messages]
        if not related:
            related = [conversation_ref(run.session)]
        return Found(
            ref=f"task:{run.task_id}",
            source="task",
            passage=text_passage(run_text(run)),
            facts=facts,
            related=tuple(related[:20]),
        )
    detail = _DETAIL.fullmatch(ref.part)
    if detail is None or int(detail[1]) > len(run.calls):
        raise NotFoundError(
            f"Run {run.task_id} has no part {quoted(ref.part)}; it made {counted(len(run.calls), 'call')}.",
            hint="Its calls are #detail1, #detail2 and so on.",
        )
    call = run.calls[int(detail[1]) - 1].call
    return Found(
        ref=f"task:{run.task_id}#{ref.part}",
        source="task",
        passage=text_passage(call_body(call)),
        facts={**facts, "role": "tool", "tool": call.name, "status": call.status},
        related=(f"task:{run.task_id}",),
    )


def _error(ref: Ref, recall: Recall) -> Found:
    return _kept(kept_error(ref, recall.workspace))


def _note(ref: Ref, recall: Recall) -> Found:
    return _kept(kept_note(ref, recall.workspace))


def _kept(kept: Kept) -> Found:
    return Found(
        ref=kept.ref, source=kept.source, passage=text_passage(kept.text), facts=kept.facts
    )


def _file(ref: Ref, recall: Recall) -> Found:
    fact = kept_fact(ref, recall.workspace)
    if fact is not None:
        return _kept(fact)
    outside: OutsideError | None = None
    for path, chunk in file_readings(ref):
        if chunk:
            kept = recall.reader.documents(path=path, chunk=chunk)
        else:
            try:
                real = allowed_file(path, recall.workspace)
            except OutsideError as error:
                outside, real = error, None
            if real is not None:
                passage = file_passage(real, recall.workspace)
                return Found(ref=str(ref), source="file", passage=passage)
            kept = recall.reader.documents(path=path)
        if kept:
            return _documents(str(ref), kept[0][1].source, kept, recall)
    if outside is not None:
        raise outside
    raise NotFoundError(
        f"There is no file behind {quoted(ref)}.",
        hint="Copy the ref as a tool printed it, or search again: files come and go.",
    )


def _report(ref: Ref, recall: Recall) -> Found:
    path = find_report(output_folder(recall.workspace), ref.target)
    return Found(
        ref=f"report:{path.name}",
        source="report",
        passage=file_passage(path, recall.workspace),
        facts={"path": str(path)},
    )


def _documents(
    ref: str, source: str, documents: list[tuple[Row, Document]], recall: Recall
) -> Found:
    row, first = documents[0]
    last = documents[-1][1]
    text = "\n\n".join(document_text(document).strip("\n") for _, document in documents)
    return Found(
        ref=ref,
        source=source,
        passage=text_passage(text),
        facts=_facts(
            agent=str(row.head["agent"]),
            path=first.path,
            ts=local(last.ts or first.ts, recall.workspace),
            tool=first.tool if len(documents) == 1 else None,
            outcome=first.outcome if len(documents) == 1 else None,
            origin=first.origin,
            removed="gone from its workspace, kept here" if first.removed else None,
        ),
        related=tuple(dict.fromkeys(_owners(documents, ref, recall))),
    )


def _owners(documents: list[tuple[Row, Document]], ref: str, recall: Recall) -> list[str]:
    related = []
    for _, document in documents:
        if document.session and recall.reader.exact(document.session):
            related.append(conversation_ref(document.session))
        if document.part and document_ref(document) != ref:
            related.append(document_ref(document))
    return related


def _facts(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value}


_READERS: dict[str, Callable[[Ref, Recall], Found | FoundThread]] = {
    "conversation": _conversation,
    "task": _task,
    "file": _file,
    "error": _error,
    "note": _note,
    "report": _report,
}
