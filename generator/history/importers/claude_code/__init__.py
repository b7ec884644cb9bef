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
from generator.history.importers.claude_code.messages import messages_of
from generator.history.importers.claude_code.transcript import BOOKKEEPING, CONVERSATION, Transcript
from generator.history.importers.claude_code.web_form import Listed
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
    handle = unit.open()
    with handle:
        lines = _source(unit, reading, handle)
        seen = Transcript(lines, unit, reading)
        if not seen.groups and not seen.session_ids:
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
        side_only = seen.side_file is not None or (
            bool(seen.groups) and all(group.agent for group in seen.groups.values())
        )
        head = Head(
            id=seen.session_id(),
            agent=FORMAT,
            title=seen.title(),
            cwd=seen.cwd,
            project=project_of(seen.cwd),
            created=seen.clock.first,
            updated=seen.clock.latest,
            subagents=tuple(_subagents(seen, unit.path)),
        )
        foreign = {leaf: title for leaf, title in seen.summaries.items() if leaf not in seen.nodes}
        yield Parsed(
            head=head,
            messages=messages_of(seen),
            events=seen.events,
            counts_as_session=not side_only,
            leaf_titles={leaf: title for leaf, title in foreign.items() if title},
            leaf_ids=() if side_only else seen.nodes.keys(),
            precedence=(UNRANKED, "") if side_only else (0, moment_of(seen.clock.latest)),
        )


def _source(unit: Unit, reading: Reading, handle: BinaryIO) -> JsonLines | Listed:
    if unit.kind == "object":
        whole = object_of(read_whole(handle, reading.notes))
        return Listed(list_of(whole.get("loglines")), reading)
    return JsonLines(handle, reading.notes)


def _subagents(seen: Transcript, path: Path) -> Iterator[SubagentInfo]:
    agents = dict.fromkeys(group.agent for group in seen.groups.values() if group.agent)
    for agent in agents:
        meta: dict[str, Any] = {}
        if agent == seen.side_file or len(agents) == 1:
            try:
                meta = object_of(json.loads(path.with_suffix(".meta.json").read_bytes()))
            except (OSError, ValueError, RecursionError):
                meta = {}
        yield SubagentInfo(
            id=agent,
            kind=text_of(meta.get("agentType")) or None,
            description=text_of(meta.get("description")) or None,
        )
