"""Claude Code: one JSON Lines file a session, with subagents in side files.

One reply is several lines that share ``message.id``; the thread is the chain of ``parentUuid``
back from the newest leaf; results come as user records. A first pass keeps only ids and places,
a second reads each message's lines again, so memory is bounded by the largest message.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from generator.exceptions import DoubtError
from generator.history.importers.base import (
    UNRANKED,
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
from generator.history.importers.claude_code.kinds import BOOKKEEPING, CONVERSATION
from generator.history.importers.claude_code.messages import messages_of
from generator.history.importers.claude_code.progress import (
    leave_checkpoint,
    restore,
    unchanged_in,
)
from generator.history.importers.claude_code.transcript import Transcript
from generator.history.importers.claude_code.web_form import Listed
from generator.history.importers.growing import GrowingFile
from generator.history.importers.records import JsonLines, read_whole
from generator.model.session import Head, SubagentInfo

FORMAT = "claude-code"


def recognise(sample: Sample) -> bool:
    """Tell whether a file holds this format's records."""
    if sample.kind == "object":
        return any("loglines" in record for record in sample.records)
    if sample.kind != "lines":
        return False
    for record in sample.records:
        kind = text_of(record.get("type"))
        if kind in CONVERSATION and "sessionId" in record and "uuid" in record:
            return True
        if kind == "summary" and "leafUuid" in record:
            return True
    # A file of book-keeping alone is a session that never began.
    return bool(sample.records) and all(
        text_of(record.get("type")) in BOOKKEEPING
        and ("sessionId" in record or "snapshot" in record)
        for record in sample.records
    )


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session of a file, or the sidechain of a side file."""
    with unit.open() as handle:
        growing = GrowingFile(handle, reading) if unit.grows else None
        lines = growing.lines if growing else _source(unit, reading, handle)
        seen = Transcript(lines, unit, reading, growing.past if growing else Past())
        before = restore(seen, growing.state) if growing and growing.state else None
        seen.read()
        if seen.is_empty:
            foreign = {leaf: title for leaf, title in seen.summaries.items() if title}
            if not foreign:
                return
            # A file of summaries alone titles sessions that stand elsewhere.
            yield Parsed(
                head=Head(id=unit.path.stem, agent=FORMAT),
                counts_as_session=False,
                leaf_titles=foreign,
            )
            return
        side_only = seen.is_side_file
        session = seen.session_id()
        if before is not None and before.identity != (session, side_only):
            raise DoubtError("The file is now another session's.")
        head = Head(
            id=session,
            agent=FORMAT,
            title=seen.title(),
            cwd=seen.cwd,
            project=project_of(seen.cwd),
            created=seen.clock.first,
            updated=seen.clock.latest,
            subagents=tuple(_subagents(seen, unit.path)),
        )
        foreign = {leaf: title for leaf, title in seen.summaries.items() if not seen.holds(leaf)}
        yield Parsed(
            head=head,
            messages=messages_of(seen),
            events=seen.events,
            counts_as_session=not side_only,
            leaf_titles={leaf: title for leaf, title in foreign.items() if title},
            leaf_ids=()
            if side_only
            else seen.thread.nodes.keys() - (before.nodes if before else set()),
            precedence=(UNRANKED, "") if side_only else (0, moment_of(seen.clock.latest)),
            unchanged=unchanged_in(seen, growing.settled) if growing and before else None,
        )
        if growing and not seen.doubtful:
            leave_checkpoint(growing, seen, before, (session, side_only))


def _source(unit: Unit, reading: Reading, handle: BinaryIO) -> JsonLines | Listed:
    if unit.kind == "object":
        whole = object_of(read_whole(handle, reading.notes))
        return Listed(list_of(whole.get("loglines")), reading)
    return JsonLines(handle, reading.notes)


def _subagents(seen: Transcript, path: Path) -> Iterator[SubagentInfo]:
    for agent in seen.agents:
        meta: dict[str, Any] = {}
        if agent == seen.side_file or len(seen.agents) == 1:
            try:
                meta = object_of(json.loads(path.with_suffix(".meta.json").read_bytes()))
            except (OSError, ValueError, RecursionError):
                meta = {}
        yield SubagentInfo(
            id=agent,
            kind=text_of(meta.get("agentType")) or None,
            description=text_of(meta.get("description")) or None,
        )
