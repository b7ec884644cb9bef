"""Mining the archive: every tool call in the order it was made, a lane for each thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.echo import quoted
from generator.errors.mining import Mined, draft_action, draft_keywords, mine_failures
from generator.errors.records import Written, load_records, write_record
from generator.exceptions import NotFoundError, UsageError
from generator.history.refs import conversation_ref, task_ref
from generator.history.register import Row
from generator.history.wording import arguments_text
from generator.model.failure import MinedFailure, ObservedCall
from generator.model.session import Session, ToolCall
from generator.recall.store import open_recall
from generator.workspace import Workspace


def mine_archive(workspace: Workspace, rows: Sequence[Row] | None = None) -> Mined:
    """Gather the failures of past runs.

    Args:
        workspace: Whose archive it is.
        rows: The sessions to look through; all when left out.
    """
    records, _ = load_records(workspace.home)
    return mine_failures(
        _lanes(workspace, rows), records, allow=workspace.settings.site.allow_secrets
    )


def accept_draft(
    workspace: Workspace,
    name: str,
    *,
    action: str | None = None,
    cause: str | None = None,
    keywords: tuple[str, ...] = (),
) -> Written:
    """Turn a mined draft into an error record.

    Args:
        workspace: Whose archive and home.
        name: Id of the draft, or its unique beginning.
        action: What fixed it, instead of the likely fix.
        cause: Why it happened.
        keywords: Words to find it by, beside those of the draft.

    Raises:
        NotFoundError: No draft has that id.
        UsageError: Several drafts begin so, or no call succeeded afterwards and no action is given.
    """
    draft = _draft(workspace, name)
    fix = (action or "").strip() or draft_action(draft)
    if not fix:
        raise UsageError(
            f"No later call of {draft.tool} succeeded, so the fix of {draft.id} is not known.",
            hint="Say what fixed it with --action TEXT.",
        )
    return write_record(
        workspace,
        tool_name=draft.tool,
        keywords=[*keywords, *draft_keywords(draft)],
        symptom=draft.symptom,
        cause=cause,
        action=fix,
        outcome="resolved",
        mined=draft.id,
    )


def _draft(workspace: Workspace, name: str) -> MinedFailure:
    wanted = name.strip().lower()
    found = [
        draft
        for draft in mine_archive(workspace).failures
        if wanted and draft.id.startswith(wanted)
    ]
    if not found:
        raise NotFoundError(
            f"There is no mined error {quoted(name)}.",
            hint="List them with 'fieldguide errors mine --all'.",
        )
    if len(found) > 1:
        listed = ", ".join(draft.id for draft in found[:5])
        raise UsageError(f"{len(found)} mined errors begin with {quoted(name)}: {listed}.")
    return found[0]


def _lanes(workspace: Workspace, rows: Sequence[Row] | None) -> Iterator[list[ObservedCall]]:
    reader = open_recall(workspace).reader
    rows = reader.register.sessions() if rows is None else rows
    for done, row in enumerate(rows):
        workspace.progress("reading sessions", done, len(rows))
        session = reader.session(row)
        lanes: dict[str, list[ObservedCall]] = {}
        for lane, call in _calls(session):
            lanes.setdefault(lane, []).append(call)
        yield from lanes.values()


def _calls(session: Session) -> Iterator[tuple[str, ObservedCall]]:
    """Yield each call of a session once, with its lane."""
    seen: set[str] = set()
    for message in session.messages:
        if message.copy_of:
            continue
        lane = f"{message.thread}/{message.agent or ''}"
        for number, call in enumerate(message.calls, start=1):
            seen.add(call.id)
            ref = conversation_ref(session.id, message.n, number, agent=message.agent)
            yield lane, _observed(call, ref, session)
    for action in session.actions:
        for number, call in enumerate(action.calls, start=1):
            if call.id not in seen:
                seen.add(call.id)
                yield "recorded", _observed(call, task_ref(action.id, f"detail{number}"), session)


def _observed(call: ToolCall, ref: str, session: Session) -> ObservedCall:
    return ObservedCall(
        ref=ref,
        agent=session.agent,
        lane=session.id,
        tool=call.name,
        arguments=arguments_text(call.arguments),
        result=call.result or "",
        status=call.status,
        ts=call.started or call.ended or session.updated,
    )
