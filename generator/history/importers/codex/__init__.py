"""Codex CLI rollouts: three generations of one idea, one file a session.

Texts stand twice (as response item and as event), the token counter is cumulative, and a forked
or spawned child begins with its parent's history. Calls stand alone before the reply they lead
to, so they are carried by the message that the reply will complete: its number is given with
the first call and never changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.history.importers.base import (
    Parsed,
    Reading,
    Sample,
    Unit,
    list_of,
    moment_of,
    object_of,
    project_of,
    text_of,
)
from generator.history.importers.checkpoints import Past
from generator.history.importers.codex.messages import messages_of
from generator.history.importers.codex.progress import (
    leave_checkpoint,
    restore,
    unchanged_in,
)
from generator.history.importers.codex.rollout import Rollout
from generator.history.importers.codex.steps import ENVELOPES, Steps
from generator.history.importers.growing import GrowingFile
from generator.model.session import Head

FORMAT = "codex"


def recognise(sample: Sample) -> bool:
    """Tell whether a file holds this format's records, of any generation."""
    if sample.kind == "object":
        return any("items" in record and "session" in record for record in sample.records)
    if sample.kind != "lines":
        return False
    for record in sample.records:
        kind = text_of(record.get("type"))
        if kind in ENVELOPES and "payload" in record:
            return True
        if record.get("record_type") == "state":
            return True
        if not kind and "id" in record and "instructions" in record:
            return True
        if kind in ("function_call", "function_call_output", "local_shell_call") and (
            "call_id" in record
        ):
            return True
        if kind == "message" and "role" in record and _has_text_parts(record.get("content")):
            return True
    return False


def _has_text_parts(content: Any) -> bool:
    return any(
        isinstance(part, dict) and part.get("type") in ("input_text", "output_text")
        for part in list_of(content)
    )


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session of a rollout."""
    with unit.open() as handle:
        growing = GrowingFile(handle, reading) if unit.grows else None
        steps = Steps(handle, unit.kind, reading, growing.lines if growing else None)
        rollout = Rollout(steps, reading, growing.past if growing else Past())
        before = restore(rollout, growing.state) if growing and growing.state else None
        rollout.read()
        if not rollout.meta and not rollout.count:
            return
        identity = text_of(rollout.meta.get("id")) or text_of(rollout.meta.get("session_id"))
        git = object_of(rollout.meta.get("git"))
        yield Parsed(
            head=Head(
                id=identity or unit.path.name.split(".")[0],
                agent=FORMAT,
                cwd=rollout.cwd,
                project=project_of(rollout.cwd or text_of(git.get("repository_url"))),
                parent=rollout.parent,
                created=rollout.fork_time or rollout.clock.first,
                updated=rollout.clock.latest,
            ),
            messages=messages_of(rollout),
            usage=rollout.spending.usage,
            owners=rollout.owners,
            events=rollout.events,
            precedence=(
                0 if "archived_sessions" in unit.path.parts else 1,
                moment_of(rollout.clock.latest),
            ),
            unchanged=unchanged_in(rollout, growing.settled) if growing and before else None,
        )
        if growing and not rollout.doubtful:
            leave_checkpoint(growing, rollout, before)
