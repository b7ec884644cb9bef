"""Forgetting what a ref names, in the room that owns it; what was forgotten stays forgotten."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from generator.errors.records import remove_record
from generator.exceptions import NotFoundError, UsageError
from generator.history.canonical import Record
from generator.history.forgetting import forget_records, forget_session
from generator.history.refs import Place, Ref, conversation_places, parse_ref
from generator.knowledge.facts import forget_fact
from generator.knowledge.notes import remove_note
from generator.model.session import Message
from generator.recall.store import open_recall
from generator.workspace import Workspace


def forget_ref(text: str, workspace: Workspace) -> str:
    """Forget what a ref names.

    Args:
        text: A ref as a tool printed it.
        workspace: Whose home it is.

    Returns:
        What was forgotten, in words.

    Raises:
        UsageError: It is no ref, or of a kind that is not forgotten by ref.
        NotFoundError: Nothing is behind it.
        StorageError: A file cannot be written.
    """
    ref = parse_ref(text)
    forget = _FORGETTERS.get(ref.kind)
    if forget is None:
        raise UsageError(f"A {ref.kind} is not forgotten by its ref.", hint=_INSTEAD.get(ref.kind))
    return forget(ref, workspace)


def _fact(ref: Ref, workspace: Workspace) -> str:
    if not ref.target.startswith("knowledge/") or not ref.part:
        raise UsageError(
            f"{str(ref)[:200]!r} names a file, and only facts are forgotten by ref.",
            hint="Remove the file itself, or forget its source: fieldguide history forget --source.",
        )
    return f"the fact {forget_fact(workspace.home, str(ref)).text!r}"


def _error(ref: Ref, workspace: Workspace) -> str:
    remove_record(workspace.home, ref.target)
    return str(ref)


def _note(ref: Ref, workspace: Workspace) -> str:
    name = f"{ref.target}#{ref.part}" if ref.part else ref.target
    return f"the note {remove_note(workspace.home, name).name!r}"


def _conversation(ref: Ref, workspace: Workspace) -> str:
    reader = open_recall(workspace).reader
    for place in conversation_places(ref):
        row = reader.exact(place.session)
        if row is None or (place.agent is not None and place.agent not in row.marks):
            continue
        if place.call is not None:
            raise UsageError(
                "A tool call is part of its message.",
                hint=f"Forget the message: conversation:{place.session}#{place.message}.",
            )
        if place.message is None and place.agent is None:
            done = forget_session(workspace, place.session)
        else:
            done = forget_records(workspace, row.path, partial(_stands_at, place=place))
        counted = ", ".join(f"{count} {name}" for name, count in done.items() if count)
        return f"{ref} ({counted})" if counted else str(ref)
    raise NotFoundError(
        f"The archive holds no {str(ref)[:200]!r}.", hint="Find it with conversation_list."
    )


def _stands_at(record: Record, place: Place) -> bool:
    return (
        isinstance(record, Message)
        and record.agent == place.agent
        and place.message in (None, record.n)
    )


_FORGETTERS: dict[str, Callable[[Ref, Workspace], str]] = {
    "conversation": _conversation,
    "error": _error,
    "file": _fact,
    "note": _note,
}
_INSTEAD = {
    "task": "Forget its session: conversation:<id>, as memory_get shows it beside the task.",
    "report": "A report is a file of yours: remove it in its folder.",
}
