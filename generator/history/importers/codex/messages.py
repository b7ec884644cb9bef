"""The second pass over a rollout: each message is read again from its places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from generator.exceptions import RecordError
from generator.history.importers.base import text_of
from generator.history.importers.codex.calls import call_of
from generator.history.importers.codex.content import images_in, said_in, thought_in
from generator.history.importers.codex.parts import Part
from generator.history.importers.codex.rollout import Rollout
from generator.history.tally import share_of
from generator.model.session import Attachment, Message


def messages_of(rollout: Rollout) -> Iterator[Message]:
    """Read each message's places again and put it together."""
    copied = f"conversation:{rollout.parent}" if rollout.parent else None
    for part in rollout.parts:
        if not part.changed:
            continue
        try:
            message = _message(rollout, part)
        except RecordError:
            rollout.reading.notes.warn(
                "The file changed while it was read; it is read again later."
            )
            rollout.doubtful = True
            return
        part.share = share_of(message)
        yield replace(message, copy_of=copied) if part.replayed else message


def _message(rollout: Rollout, part: Part) -> Message:
    text = ""
    attachments: list[Attachment] = []
    if part.said is not None:
        payload = rollout.steps.payload(part.said)
        if part.event:
            text = text_of(payload.get("message")).strip()
        else:
            text, _ = said_in(payload, part.role)
            attachments = images_in(payload.get("content"), rollout.reading.images)
    thoughts = [thought_in(rollout.steps.payload(place)) for place in part.thoughts]
    calls = [
        call_of(rollout, rollout.steps.payload(place), ts, f"{part.id}-{number}")
        for number, (place, ts) in enumerate(part.calls, start=1)
    ]
    return Message(
        n=0,
        id=part.id,
        role="user" if part.role == "user" else "assistant",
        text=text,
        thinking="\n\n".join(thought for thought in thoughts if thought),
        ts=part.ts,
        model=part.model if part.role == "assistant" else None,
        thread="off" if part.off else "active",
        calls=tuple(calls),
        attachments=tuple(attachments),
        partial=part.said is None,
    )
