"""Claude Code: one JSON Lines file a session, with subagents in side files.

One reply is several lines that share ``message.id``; the thread is the chain of ``parentUuid``
back from the newest leaf; results come as user records. A first pass keeps only ids and places,
a second reads each message's lines again, so memory is bounded by the largest message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, BinaryIO

from generator.exceptions import RecordError
from generator.history.importers.base import (
    UNRANKED,
    Clock,
    Parsed,
    Reading,
    Sample,
    Unit,
    count_of,
    list_of,
    mark_of,
    moment_of,
    object_of,
    project_of,
    text_of,
)
from generator.history.importers.records import JsonLines, Line, read_whole
from generator.model.session import (
    Attachment,
    Event,
    Head,
    Message,
    SubagentInfo,
    Tokens,
    ToolCall,
)
from generator.timestamps import parse_time

FORMAT = "claude-code"

_CONVERSATION = ("user", "assistant", "system")
_BOOKKEEPING = frozenset(
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
_INJECTED = re.compile(
    r"\s*(<(command-name|command-message|command-args|local-command-[a-z]+|system-reminder|"
    r"bash-(input|stdout|stderr)|task-notification)\b|"
    r"This session is being continued from a previous conversation)"
)
_CONTINUED = re.compile(r"\s*This session is being continued from a previous conversation")
_AGENT_ID = re.compile(r"\bagentId: ?([A-Za-z0-9_-]+)")
_AGENT_FILE = re.compile(r"agent-(.+)\.jsonl")
_STORED_OUTPUT = re.compile(r"tool-results[/\\]([^\s/\\<>\"']+)")


def recognise(sample: Sample) -> bool:
    """Tell whether a file holds this format's records."""
    if sample.kind == "object":
        return any("loglines" in record for record in sample.records)
    if sample.kind != "lines":
        return False
    for record in sample.records:
        kind = text_of(record.get("type"))
        if kind in _CONVERSATION and "sessionId" in record and "uuid" in record:
            return True
        if kind == "summary" and "leafUuid" in record:
            return True
    # A file of book-keeping alone is a session that never began.
    return bool(sample.records) and all(
        text_of(record.get("type")) in _BOOKKEEPING
        and ("sessionId" in record or "snapshot" in record)
        for record in sample.records
    )


class _Listed:
    """The web form: the same records in one object, read like lines."""

    def __init__(self, records: list[Any], reading: Reading) -> None:
        self._records = records
        self._reading = reading

    def __iter__(self) -> Iterator[Line]:
        for index, record in enumerate(self._records):
            if isinstance(record, dict):
                self._reading.notes.records += 1
                yield Line(index + 1, index, 1, record)
            else:
                self._reading.notes.skip(index + 1, "not an object")

    def at(self, start: int, _length: int) -> dict[str, Any]:
        return object_of(self._records[start])


@dataclass(slots=True)
class _Node:
    """A record's place in the tree."""

    parent: str | None
    number: int
    chain: bool  # user, assistant or system, outside sidechains
    key: str | None = None


@dataclass(slots=True)
class _Group:
    """A message: the places of its lines, in file order."""

    id: str
    role: str
    agent: str | None
    ts: datetime | None
    places: list[tuple[int, int]] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    tokens: Tokens | None = None


class _Transcript:
    """The first pass over a file: ids, places, links and tokens, no content."""

    def __init__(self, lines: JsonLines | _Listed, unit: Unit, reading: Reading) -> None:
        self.lines = lines
        self.reading = reading
        self.path = unit.path
        self.clock = Clock()
        self.nodes: dict[str, _Node] = {}
        self.groups: dict[tuple[str, str], _Group] = {}
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
        if not isinstance(kind, str) or (kind not in _CONVERSATION and kind not in _BOOKKEEPING):
            self._keep_opaque(line)
        uuid = text_of(record.get("uuid"))
        if not uuid:
            if kind not in _CONVERSATION:
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
        chain = agent is None and kind in _CONVERSATION
        if agent is None and not isinstance(parent, str) and not self._is_root(record):
            parent = self._previous
        node = _Node(parent if isinstance(parent, str) else None, line.number, chain)
        self.nodes[uuid] = node
        if agent is None:
            if node.parent is not None and node.parent not in self.nodes:
                # The parent is missing, or is book-keeping without an id.
                node.parent = self._previous
            self._previous = uuid
            if chain:
                self.newest = uuid
        if kind not in _CONVERSATION:
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
    ) -> _Group:
        group = self.groups.get((agent or "", key))
        if group is None:
            group = _Group(id=key, role=role, agent=agent, ts=ts)
            self.groups[(agent or "", key)] = group
            self.main_messages += agent is None
        group.places.append((line.start, line.length))
        group.nodes.append(uuid)
        return group

    def _take_user(self, line: Line, uuid: str, agent: str | None, ts: datetime | None) -> None:
        record = line.value
        content = object_of(record.get("message")).get("content")
        blocks = list_of(content)
        results = [block for block in blocks if _is(block, "tool_result")]
        for block in results:
            self.results.setdefault(text_of(block.get("tool_use_id")), (line.start, line.length))
        if results or record.get("isMeta"):
            return
        said = content if isinstance(content, str) else _joined(blocks)
        if record.get("isCompactSummary") or _CONTINUED.match(said):
            self.events.append(
                Event(id=uuid, kind="compaction", text=said, ts=ts, after=self.main_messages)
            )
            return
        if _own_text(content) or any(_is(block, "image", "document") for block in blocks):
            self._group(line, uuid, key=uuid, role="user", agent=agent, ts=ts)

    def _take_assistant(
        self, line: Line, uuid: str, agent: str | None, ts: datetime | None
    ) -> None:
        message = object_of(line.value.get("message"))
        if message.get("model") == "<synthetic>" or line.value.get("isApiErrorMessage"):
            content = message.get("content")
            said = content if isinstance(content, str) else _joined(list_of(content))
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
        tokens = _tokens(usage)
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


def _is(block: Any, *kinds: str) -> bool:
    return isinstance(block, dict) and block.get("type") in kinds


def _joined(blocks: list[Any]) -> str:
    return "\n\n".join(text_of(block.get("text")) for block in blocks if _is(block, "text"))


def _own_text(content: Any) -> str:
    """Return what a person typed, without what the tool put beside it."""
    if isinstance(content, str):
        return "" if _INJECTED.match(content) else content.strip()
    texts = [text_of(block.get("text")) for block in list_of(content) if _is(block, "text")]
    return "\n\n".join(text for text in texts if text.strip() and not _INJECTED.match(text))


def _tokens(usage: dict[str, Any]) -> Tokens:
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


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session of a file, or the sidechain of a side file."""
    handle = unit.open()
    with handle:
        lines = _source(unit, reading, handle)
        seen = _Transcript(lines, unit, reading)
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
            messages=_messages(seen),
            events=seen.events,
            counts_as_session=not side_only,
            leaf_titles={leaf: title for leaf, title in foreign.items() if title},
            leaf_ids=() if side_only else seen.nodes.keys(),
            precedence=(UNRANKED, "") if side_only else (0, moment_of(seen.clock.latest)),
        )


def _source(unit: Unit, reading: Reading, handle: BinaryIO) -> JsonLines | _Listed:
    if unit.kind == "object":
        whole = object_of(read_whole(handle, reading.notes))
        return _Listed(list_of(whole.get("loglines")), reading)
    return JsonLines(handle, reading.notes)


def _subagents(seen: _Transcript, path: Path) -> Iterator[SubagentInfo]:
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


def _messages(seen: _Transcript) -> Iterator[Message]:
    """Read each message's lines again and put it together."""
    active = seen.active()
    # Lines of one reply, and results of parallel calls, may stand beside the chain.
    active_keys = {seen.nodes[uuid].key for uuid in active} - {None}
    stored = _stored_outputs(seen)
    for group in seen.groups.values():
        if group.agent is not None:
            thread = "side"
        elif group.id in active_keys or any(uuid in active for uuid in group.nodes):
            thread = "active"
        else:
            thread = "off"
        base = Message(
            n=0,
            id=group.id,
            role="user" if group.role == "user" else "assistant",
            ts=group.ts,
            thread=thread,  # type: ignore[arg-type]
            agent=group.agent,
            tokens=group.tokens,
        )
        try:
            records = [seen.lines.at(*place) for place in group.places]
            if group.role == "user":
                yield _prompt(base, records[0])
            else:
                yield _reply(base, records, seen, stored)
        except RecordError:
            seen.reading.notes.warn("The file changed while it was read; it is read again later.")
            return


def _prompt(base: Message, record: dict[str, Any]) -> Message:
    content = object_of(record.get("message")).get("content")
    attachments = tuple(
        attachment for block in list_of(content) if (attachment := _attachment(block))
    )
    return replace(base, text=_own_text(content), attachments=attachments)


def _attachment(block: Any) -> Attachment | None:
    if not _is(block, "image", "document"):
        return None
    source = object_of(block.get("source"))
    kind = text_of(source.get("media_type")) or str(block["type"])
    data = text_of(source.get("data"))
    if text_of(source.get("type")) == "text":
        return Attachment(name=text_of(block.get("title")) or "document", kind=kind, text=data)
    size = len(data) * 3 // 4 - data[-2:].count("=") if data else None
    return Attachment(name=text_of(block.get("title")) or str(block["type"]), kind=kind, size=size)


def _reply(
    base: Message,
    records: list[dict[str, Any]],
    seen: _Transcript,
    stored: Callable[[str, str], str | None],
) -> Message:
    texts: dict[str, None] = {}
    thoughts: dict[str, None] = {}
    calls: dict[str, ToolCall] = {}
    model = None
    for record in records:
        message = object_of(record.get("message"))
        model = text_of(message.get("model")) or model
        content = message.get("content")
        if isinstance(content, str):
            texts[content] = None
        for number, block in enumerate(list_of(content)):
            if _is(block, "text"):
                texts[text_of(block.get("text"))] = None
            elif _is(block, "thinking"):
                thoughts[text_of(block.get("thinking"))] = None
            elif _is(block, "tool_use", "server_tool_use", "mcp_tool_use"):
                key = text_of(block.get("id")) or f"{base.id}-{len(calls)}-{number}"
                if key not in calls:
                    started = parse_time(record.get("timestamp"), seen.reading.zone) or base.ts
                    calls[key] = _call(key, block, started, seen, stored)
    return replace(
        base,
        text="\n\n".join(text for text in texts if text),
        thinking="\n\n".join(text for text in thoughts if text),
        calls=tuple(calls.values()),
        model=model,
    )


def _call(
    key: str,
    block: dict[str, Any],
    started: datetime | None,
    seen: _Transcript,
    stored: Callable[[str, str], str | None],
) -> ToolCall:
    call = ToolCall(
        id=key,
        name=text_of(block.get("name")) or "unknown",
        arguments=block.get("input"),
        started=started,
    )
    place = seen.results.get(key)
    if place is None:
        return call
    record = seen.lines.at(*place)
    structured = record.get("toolUseResult")
    content = list_of(object_of(record.get("message")).get("content"))
    for block_ in content:
        if isinstance(block_, dict) and block_.get("tool_use_id") == key:
            text = _result_text(block_.get("content"))
            if not text and block_.get("content") in (None, ""):
                text = _structured_text(structured)
            failed = bool(block_.get("is_error")) or _is(
                block_.get("content"), "web_search_tool_result_error", "tool_result_error"
            )
            child = text_of(object_of(structured).get("agentId"))
            if not child and call.name in ("Task", "Agent"):
                found = _AGENT_ID.search(text)
                child = found.group(1) if found else ""
            return replace(
                call,
                result=stored(key, text) or text,
                status="error" if failed else "ok",
                ended=parse_time(record.get("timestamp"), seen.reading.zone) or started,
                child=child or None,
            )
    return call


def _result_text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content.get("text")) or json.dumps(content, ensure_ascii=False)
    pieces = []
    for block in list_of(content):
        if isinstance(block, str):
            pieces.append(block)
        elif _is(block, "text"):
            pieces.append(text_of(block.get("text")))
        elif _is(block, "image", "document"):
            kind = text_of(object_of(block.get("source")).get("media_type"))
            pieces.append(f"[{block['type']} {kind}]".replace(" ]", "]"))
        elif isinstance(block, dict):
            pieces.append(json.dumps(block, ensure_ascii=False))
    return "\n".join(pieces)


def _structured_text(structured: Any) -> str:
    if isinstance(structured, str):
        return structured
    values = object_of(structured)
    streams = [text_of(values.get(name)) for name in ("stdout", "stderr", "content")]
    return "\n".join(stream for stream in streams if stream)


def _stored_outputs(seen: _Transcript) -> Callable[[str, str], str | None]:
    """Return a reader of outputs that were too large for the transcript."""
    folder = seen.path.with_suffix("") / "tool-results"
    if seen.side_file is not None and seen.path.parent.name == "subagents":
        folder = seen.path.parent.parent / "tool-results"
    try:
        names = {path.name: path for path in folder.iterdir() if path.is_file()}
    except OSError:
        names = {}

    def stored(call_id: str, text: str) -> str | None:
        if not names:
            return None
        mentioned = _STORED_OUTPUT.search(text)
        path = names.get(mentioned.group(1)) if mentioned else None
        path = path or next((names[n] for n in names if Path(n).stem == call_id), None)
        if path is None or path.is_symlink():
            return None
        try:
            return path.read_bytes().decode("utf-8", errors="replace")
        except OSError:
            return None

    return stored
