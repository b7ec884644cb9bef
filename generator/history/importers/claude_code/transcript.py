"""The first pass over a transcript: ids, places, links and tokens, no content."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from generator.history.importers.base import (
    Clock,
    Reading,
    Unit,
    count_of,
    list_of,
    mark_of,
    object_of,
    text_of,
)
from generator.history.importers.claude_code.blocks import CONTINUED, is_block, joined, own_text
from generator.history.importers.claude_code.web_form import Listed
from generator.history.importers.records import JsonLines, Line
from generator.model.session import Event, Tokens
from generator.timestamps import parse_time

CONVERSATION = ("user", "assistant", "system")
BOOKKEEPING = frozenset(
    [
        "summary",
        "file-history-snapshot",
        "queue-operation",
        "progress",
        "permission-mode",
        "last-prompt",
        "custom-title",
        "ai-title",
        "attachment",
        "checkpoint",
        "agent-name",
        "mode",
    ]
)
_AGENT_FILE = re.compile(r"agent-(.+)\.jsonl")


@dataclass(slots=True)
class Node:
    """A record's place in the tree."""

    parent: str | None
    number: int
    chain: bool  # user, assistant or system, outside sidechains
    key: str | None = None


@dataclass(slots=True)
class Group:
    """A message: the places of its lines, in file order."""

    id: str
    role: str
    agent: str | None
    ts: datetime | None
    places: list[tuple[int, int]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    tokens: Tokens | None = None


class Transcript:
    """The first pass over a file: ids, places, links and tokens, no content."""

    def __init__(self, lines: JsonLines | Listed, unit: Unit, reading: Reading) -> None:
        self.lines = lines
        self.reading = reading
        self.path = unit.path
        self.clock = Clock()
        self.nodes: dict[str, Node] = {}
        self.groups: dict[tuple[str, str], Group] = {}
        self.results: dict[str, tuple[int, int]] = {}
        self.events: list[Event] = []
        self.titles: dict[str, str] = {}
        self.summaries: dict[str, str] = {}
        self.session_ids: dict[str, int] = {}
        self.agent_of: dict[str, str] = {}
        self.cwd: str | None = None
        self.newest: str | None = None
        self.unnamed: list[str] = []
        self.main_messages = 0
        self._previous: str | None = None
        name = _AGENT_FILE.fullmatch(unit.path.name)
        self.side_file = name.group(1) if name else None
        if self.side_file is None and unit.path.parent.name == "subagents":
            self.side_file = unit.path.stem
        for line in lines:
            self._take(line)

    def _take(self, line: Line) -> None:
        record = line.value
        kind = text_of(record.get("type"))
        if kind == "summary":
            self.summaries[text_of(record.get("leafUuid"))] = text_of(record.get("summary"))
            return
        if kind in ("custom-title", "ai-title"):
            for name in ("customTitle", "aiTitle", "title"):
                if text_of(record.get(name)):
                    self.titles[kind] = text_of(record[name])
        if not isinstance(kind, str) or (kind not in CONVERSATION and kind not in BOOKKEEPING):
            self._keep_opaque(line)
        uuid = text_of(record.get("uuid"))
        if not uuid:
            if kind not in CONVERSATION:
                return
            # Its content is part of the name: line 3 of another session is another record.
            said = json.dumps([record.get("timestamp"), record.get("message")])
            uuid = f"line-{line.number}-{mark_of(said)}"
            self.unnamed.append(uuid)
        if uuid in self.nodes:
            self.reading.audit.drop("the same record twice in one file")
            return
        if session := text_of(record.get("sessionId")):
            self.session_ids[session] = line.number
        agent = self._agent(record, uuid)
        parent = record.get("parentUuid") or record.get("logicalParentUuid")
        chain = agent is None and kind in CONVERSATION
        if agent is None and not isinstance(parent, str) and not self._is_root(record):
            parent = self._previous
        node = Node(parent if isinstance(parent, str) else None, line.number, chain)
        self.nodes[uuid] = node
        if agent is None:
            if node.parent is not None and node.parent not in self.nodes:
                # The parent is missing, or is book-keeping without an id.
                node.parent = self._previous
            self._previous = uuid
            if chain:
                self.newest = uuid
        if kind not in CONVERSATION:
            return
        ts = self.clock.take(parse_time(record.get("timestamp"), self.reading.zone))
        self.cwd = self.cwd or text_of(record.get("cwd")) or None
        if kind == "user":
            self._take_user(line, uuid, agent, ts)
        elif kind == "assistant":
            self._take_assistant(line, uuid, agent, ts)
        else:
            self._take_system(record, uuid, ts)

    def _is_root(self, record: dict[str, Any]) -> bool:
        """Tell whether a record without a parent begins a thread of its own.

        A prompt does: the first one was edited. A compaction boundary or another record of the
        tool's own does not: it goes on from what stands before it.
        """
        return record.get("type") == "user" and not record.get("isCompactSummary")

    def _agent(self, record: dict[str, Any], uuid: str) -> str | None:
        if not record.get("isSidechain") and self.side_file is None:
            return None
        agent = text_of(record.get("agentId")) or self.side_file
        if agent is None:
            parent = text_of(record.get("parentUuid"))
            agent = self.agent_of.get(parent) or f"side-{uuid[-12:]}"
        self.agent_of[uuid] = agent
        return agent

    def _keep_opaque(self, line: Line) -> None:
        self.reading.notes.opaque += 1
        raw = json.dumps(line.value, ensure_ascii=False)
        kind = f"opaque:{line.value.get('type')}"
        key = text_of(line.value.get("uuid")) or f"line-{line.number}"
        self.events.append(Event(id=key, kind=kind, text=raw, after=self.main_messages))

    def _group(
        self,
        line: Line,
        uuid: str,
        *,
        key: str,
        role: str,
        agent: str | None,
        ts: datetime | None,
    ) -> Group:
        group = self.groups.get((agent or "", key))
        if group is None:
            group = Group(id=key, role=role, agent=agent, ts=ts)
            self.groups[(agent or "", key)] = group
            self.main_messages += agent is None
        group.places.append((line.start, line.length))
        group.nodes.append(uuid)
        return group

    def _take_user(self, line: Line, uuid: str, agent: str | None, ts: datetime | None) -> None:
        record = line.value
        content = object_of(record.get("message")).get("content")
        blocks = list_of(content)
        results = [block for block in blocks if is_block(block, "tool_result")]
        for block in results:
            self.results.setdefault(text_of(block.get("tool_use_id")), (line.start, line.length))
        if results or record.get("isMeta"):
            return
        said = content if isinstance(content, str) else joined(blocks)
        if record.get("isCompactSummary") or CONTINUED.match(said):
            self.events.append(
                Event(id=uuid, kind="compaction", text=said, ts=ts, after=self.main_messages)
            )
            return
        if own_text(content) or any(is_block(block, "image", "document") for block in blocks):
            self._group(line, uuid, key=uuid, role="user", agent=agent, ts=ts)

    def _take_assistant(
        self, line: Line, uuid: str, agent: str | None, ts: datetime | None
    ) -> None:
        message = object_of(line.value.get("message"))
        if message.get("model") == "<synthetic>" or line.value.get("isApiErrorMessage"):
            content = message.get("content")
            said = content if isinstance(content, str) else joined(list_of(content))
            self.events.append(
                Event(id=uuid, kind="notice", text=said, ts=ts, after=self.main_messages)
            )
            return
        key = text_of(message.get("id"))
        group = self._group(line, uuid, key=key or uuid, role="assistant", agent=agent, ts=ts)
        self.nodes[uuid].key = group.id
        for block in list_of(message.get("content")):
            if isinstance(block, dict) and text_of(block.get("type")).endswith("_tool_result"):
                self.results.setdefault(
                    text_of(block.get("tool_use_id")), (line.start, line.length)
                )
        usage = message.get("usage")
        if not isinstance(usage, dict):
            return
        tokens = tokens_of(usage)
        self.reading.audit.line(tokens)
        if group.tokens is not None:
            self.reading.audit.drop("repeated usage of one reply")
        if group.tokens is None or (tokens.total or 0) > (group.tokens.total or 0):
            group.tokens = tokens

    def _take_system(self, record: dict[str, Any], uuid: str, ts: datetime | None) -> None:
        subtype = text_of(record.get("subtype"))
        if subtype == "api_error":
            text = text_of(record.get("content")) or json.dumps(
                record.get("error"), ensure_ascii=False
            )
            self.events.append(
                Event(id=uuid, kind="notice", text=text, ts=ts, after=self.main_messages)
            )

    def active(self) -> set[str]:
        """Return the records on the chain back from the newest leaf."""
        seen: set[str] = set()
        at = self.newest
        while at is not None and at not in seen and at in self.nodes:
            seen.add(at)
            at = self.nodes[at].parent
        # Nothing can point to a record without an id: it stands where its parent stands.
        for name in self.unnamed:
            if self.nodes[name].parent in seen:
                seen.add(name)
        return seen

    def session_id(self) -> str:
        """Return the session this file belongs to."""
        if self.path.stem in self.session_ids:
            return self.path.stem
        if self.session_ids:
            return max(self.session_ids, key=lambda name: self.session_ids[name])
        if self.path.parent.name == "subagents":
            return self.path.parent.parent.name
        return self.path.stem

    def title(self) -> str | None:
        """Return the title that this file itself gives its session."""
        own = [title for leaf, title in self.summaries.items() if leaf in self.nodes and title]
        return (
            self.titles.get("custom-title")
            or self.titles.get("ai-title")
            or (own[-1] if own else None)
        )


def tokens_of(usage: dict[str, Any]) -> Tokens:
    """Read a usage object."""
    written = count_of(usage.get("cache_creation_input_tokens"))
    if written is None:
        parts = object_of(usage.get("cache_creation"))
        known = [count for part in parts.values() if (count := count_of(part)) is not None]
        written = sum(known) if known else None
    return Tokens(
        input=count_of(usage.get("input_tokens")),
        output=count_of(usage.get("output_tokens")),
        cache_read=count_of(usage.get("cache_read_input_tokens")),
        cache_write=written,
    )
