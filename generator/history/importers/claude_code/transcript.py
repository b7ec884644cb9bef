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
    list_of,
    mark_of,
    object_of,
    text_of,
)
from generator.history.importers.checkpoints import Past
from generator.history.importers.claude_code.blocks import CONTINUED, is_block, joined, own_text
from generator.history.importers.claude_code.kinds import BOOKKEEPING, CONVERSATION
from generator.history.importers.claude_code.thread import Thread
from generator.history.importers.claude_code.usage import tokens_of
from generator.history.importers.claude_code.web_form import Listed
from generator.history.importers.records import JsonLines, Line
from generator.history.tally import Share
from generator.model.session import Event, Tokens
from generator.timestamps import parse_time

_AGENT_FILE = re.compile(r"agent-(.+)\.jsonl")


@dataclass(slots=True)
class Group:
    """A message: the places of its lines, in file order.

    ``outside`` tells that a record of it which is out of sight is on the thread; ``thread`` and
    ``share`` are what it was when it was last put together.
    """

    id: str
    role: str
    agent: str | None
    ts: datetime | None
    places: list[tuple[int, int]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    tokens: Tokens | None = None
    outside: bool = False
    changed: bool = True
    thread: str = ""
    share: Share | None = None


class Transcript:
    """The first pass over a file: ids, places, links and tokens, no content.

    Args:
        lines: The records to read.
        unit: The file.
        reading: Where notes go.
        past: Marks of what stands before those records and is not known here.
    """

    def __init__(self, lines: JsonLines | Listed, unit: Unit, reading: Reading, past: Past) -> None:
        self.lines = lines
        self.past = past
        self.reading = reading
        self.path = unit.path
        self.clock = Clock()
        self.groups: dict[tuple[str, str], Group] = {}
        self.results: dict[str, tuple[int, int]] = {}
        self.events: list[Event] = []
        self.titles: dict[str, str] = {}
        self.summaries: dict[str, str] = {}
        self.session_ids: dict[str, int] = {}
        self.own: set[str] = set()  # leaves of summaries that are records out of sight
        self.calls: dict[str, tuple[str, str]] = {}  # the message of each call
        self.agents: dict[str, None] = {}
        self.cwd: str | None = None
        self.main_messages = 0
        # A checkpoint could not tell what later lines change.
        self.doubtful = False
        name = _AGENT_FILE.fullmatch(unit.path.name)
        self.side_file = name.group(1) if name else None
        if self.side_file is None and unit.path.parent.name == "subagents":
            self.side_file = unit.path.stem
        self.thread = Thread(past, self.side_file)

    def read(self) -> None:
        """Take every record.

        Raises:
            DoubtError: One speaks of something that is out of sight.
        """
        end = self.lines.end if isinstance(self.lines, JsonLines) else None
        for line in self.lines:
            self._take(line)
            self.doubtful = self.doubtful or (end is not None and line.start >= end)
        self.doubtful = self.doubtful or self.thread.is_open
        self._judge()

    @property
    def is_side_file(self) -> bool:
        """Whether everything in it was said in sidechains."""
        return self.side_file is not None or (bool(self.agents) and not self.main_messages)

    @property
    def is_empty(self) -> bool:
        """Whether it holds no message and names no session."""
        return not (self.agents or self.main_messages or self.session_ids)

    def _take(self, line: Line) -> None:
        record = line.value
        kind = text_of(record.get("type"))
        if kind == "summary":
            leaf = text_of(record.get("leafUuid"))
            if leaf not in self.thread.nodes and leaf not in self.summaries:
                self.past.doubt("node", leaf)
            self.summaries[leaf] = text_of(record.get("summary"))
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
            self.thread.unnamed.append(uuid)
            self.doubtful = True
        if uuid in self.thread.nodes:
            self.reading.audit.drop("the same record twice in one file")
            return
        self.past.doubt("node", uuid)
        if session := text_of(record.get("sessionId")):
            self.session_ids[session] = line.number
        agent = self.thread.add(uuid, record, conversation=kind in CONVERSATION)
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
            self.past.doubt("message", f"{agent or ''}/{key}")
            group = Group(id=key, role=role, agent=agent, ts=ts)
            self.groups[(agent or "", key)] = group
            self.main_messages += agent is None
            if agent is not None:
                self.agents[agent] = None
        group.places.append((line.start, line.length))
        group.nodes.append(uuid)
        group.changed = True
        return group

    def _take_result(self, block: dict[str, Any], line: Line) -> None:
        call = text_of(block.get("tool_use_id"))
        if call in self.results:
            return
        if call in self.calls:
            self.groups[self.calls[call]].changed = True
        else:
            self.past.doubt("call", call)
        self.results[call] = (line.start, line.length)

    def _take_user(self, line: Line, uuid: str, agent: str | None, ts: datetime | None) -> None:
        record = line.value
        content = object_of(record.get("message")).get("content")
        blocks = list_of(content)
        results = [block for block in blocks if is_block(block, "tool_result")]
        for block in results:
            self._take_result(block, line)
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
        self.thread.nodes[uuid].key = group.id
        for block in list_of(message.get("content")):
            if not isinstance(block, dict):
                continue
            if text_of(block.get("type")).endswith("_tool_result"):
                self._take_result(block, line)
                continue
            call = text_of(block.get("id"))
            if call and call not in self.calls and call not in self.results:
                self.past.doubt("call", call)
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

    def _judge(self) -> None:
        """Say of every message whether it is on the thread."""
        active = self.thread.active()
        # Lines of one reply, and results of parallel calls, may stand beside the chain.
        keys = {self.thread.nodes[uuid].key for uuid in active} - {None}
        for group in self.groups.values():
            if group.agent is not None:
                thread = "side"
            elif group.outside or group.id in keys or any(uuid in active for uuid in group.nodes):
                thread = "active"
            else:
                thread = "off"
            group.changed = group.changed or thread != group.thread
            group.thread = thread

    def session_id(self) -> str:
        """Return the session this file belongs to."""
        if self.path.stem in self.session_ids:
            return self.path.stem
        if self.session_ids:
            return max(self.session_ids, key=lambda name: self.session_ids[name])
        if self.path.parent.name == "subagents":
            return self.path.parent.parent.name
        return self.path.stem

    def holds(self, leaf: str) -> bool:
        """Tell whether a record stands in this file."""
        return leaf in self.thread.nodes or leaf in self.own

    def title(self) -> str | None:
        """Return the title that this file itself gives its session."""
        own = [title for leaf, title in self.summaries.items() if self.holds(leaf) and title]
        return (
            self.titles.get("custom-title")
            or self.titles.get("ai-title")
            or (own[-1] if own else None)
        )
