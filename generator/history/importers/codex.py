"""Codex CLI rollouts: three generations of one idea, one file a session.

Texts stand twice (as response item and as event), the token counter is cumulative, and a forked
or spawned child begins with its parent's history. Calls stand alone before the reply they lead
to, so they are carried by the message that the reply will complete: its number is given with
the first call and never changes.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, BinaryIO

from generator.exceptions import RecordError
from generator.history.importers.base import (
    Clock,
    Parsed,
    Reading,
    Sample,
    Unit,
    count_of,
    list_of,
    moment_of,
    object_of,
    project_of,
    text_of,
)
from generator.history.importers.records import JsonLines, Line, read_whole
from generator.model.session import (
    Attachment,
    CallStatus,
    Event,
    Head,
    Message,
    Tokens,
    ToolCall,
    Usage,
)
from generator.timestamps import parse_time

FORMAT = "codex"

_ENVELOPES = frozenset(
    [
        "session_meta",
        "turn_context",
        "response_item",
        "event_msg",
        "compacted",
        "world_state",
        "token_usage_record",
    ]
)
_ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "local_shell_call_output",
        "web_search_call",
        "compaction",
        "compaction_summary",
        "ghost_snapshot",
        "tool_search_call",
        "tool_search_output",
        "other",
        "mcp_tool_call",
        "mcp_tool_call_output",
        "image_generation_call",
        "context_compaction",
    ]
)
_CALLS = frozenset(
    [
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "web_search_call",
        "mcp_tool_call",
        "tool_search_call",
        "image_generation_call",
    ]
)
_SELF_CONTAINED = frozenset({"web_search_call", "local_shell_call", "image_generation_call"})
_INJECTED = re.compile(
    r"\s*(<(environment_context|user_instructions|turn_aborted|permissions instructions|"
    r"skills_instructions|subagent_notification)\b|# AGENTS\.md instructions)"
)
_EXIT = re.compile(r"(?m)^(?:Process exited with code|Exit code:) *(-?\d+)")


def recognise(sample: Sample) -> bool:
    """Tell whether a file holds this format's records, of any generation."""
    if sample.kind == "object":
        return any("items" in record and "session" in record for record in sample.records)
    if sample.kind != "lines":
        return False
    for record in sample.records:
        kind = text_of(record.get("type"))
        if kind in _ENVELOPES and "payload" in record:
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


@dataclass(frozen=True, slots=True)
class _Step:
    """One record in the shape of the newest generation."""

    number: int
    place: tuple[int, int]
    kind: str
    payload: dict[str, Any]
    stamp: Any


class _Steps:
    """The records of a rollout of any generation."""

    def __init__(self, handle: BinaryIO, kind: str, reading: Reading) -> None:
        self.reading = reading
        self._items: list[Any] | None = None
        self._session: dict[str, Any] = {}
        self._lines: JsonLines | None = None
        if kind == "object":
            whole = object_of(read_whole(handle, reading.notes))
            self._items, self._session = list_of(whole.get("items")), object_of(whole["session"])
        else:
            self._lines = JsonLines(handle, reading.notes)

    def __iter__(self) -> Iterator[_Step]:
        if self._items is not None:
            self.reading.notes.records += 1 + len(self._items)
            yield _Step(0, (0, 0), "session_meta", self._session, self._session.get("timestamp"))
            for index, item in enumerate(self._items):
                if isinstance(item, dict):
                    yield _bare_step(index + 1, (index, 1), item)
                else:
                    self.reading.notes.skip(index + 1, "not an object")
            return
        assert self._lines is not None
        for line in self._lines:
            yield _step(line)

    def payload(self, place: tuple[int, int]) -> dict[str, Any]:
        """Read one record's payload again."""
        if self._items is not None:
            return object_of(self._items[place[0]])
        assert self._lines is not None
        value = self._lines.at(*place)
        return object_of(value["payload"]) if "payload" in value else value


def _step(line: Line) -> _Step:
    record = line.value
    place = (line.start, line.length)
    if "payload" in record:
        kind = text_of(record.get("type"))
        payload = object_of(record.get("payload"))
        return _Step(line.number, place, kind, payload, record.get("timestamp"))
    return _bare_step(line.number, place, record)


def _bare_step(number: int, place: tuple[int, int], record: dict[str, Any]) -> _Step:
    kind = text_of(record.get("type"))
    stamp = record.get("timestamp")
    if record.get("record_type") is not None:
        return _Step(number, place, "state", record, stamp)
    if not kind and "id" in record:
        return _Step(number, place, "session_meta", record, stamp)
    if kind == "compacted":
        return _Step(number, place, "compacted", record, stamp)
    return _Step(number, place, "response_item", record, stamp)


@dataclass(slots=True)
class _Part:
    """A message being gathered: the places of what belongs to it."""

    id: str
    role: str
    ts: datetime | None
    model: str | None = None
    said: tuple[int, int] | None = None
    event: bool = False
    thoughts: list[tuple[int, int]] = field(default_factory=list)
    calls: list[tuple[tuple[int, int], datetime | None]] = field(default_factory=list)
    off: bool = False
    replayed: bool = False


class _Rollout:
    """The first pass: what stands where, threads, and the growth of the counter."""

    def __init__(self, steps: _Steps, reading: Reading) -> None:
        self.steps = steps
        self.reading = reading
        self.clock = Clock()
        self.meta: dict[str, Any] = {}
        self.metas = 0
        self.cwd: str | None = None
        self.model: str | None = None
        self.parts: list[_Part] = []
        self.carrier: _Part | None = None
        self.outputs: dict[str, tuple[tuple[int, int], datetime | None]] = {}
        self.usage: list[Usage] = []
        self.owners: dict[str, tuple[str, str]] = {}
        self.events: list[Event] = []
        self.turn_usage: dict[str, tuple[Tokens, datetime | None, str | None]] = {}
        self._counter: Tokens | None = None
        self._counts = 0
        self._responses: Counter[tuple[str, str]] = Counter()
        # Texts that so far stand as an event only; their response item may still come.
        self._events_alone: dict[tuple[str, str], _Part] = {}
        self._call_ids: set[str] = set()
        self._in_replay = False
        self.fork_time: datetime | None = None
        self._first_stamp: datetime | None = None
        for step in steps:
            self._take(step)
        self._close()
        if not self._counts:
            self._use_turn_records()

    @property
    def parent(self) -> str | None:
        """The session this one was forked or spawned from."""
        spawn = object_of(
            object_of(object_of(self.meta.get("source")).get("subagent")).get("thread_spawn")
        )
        for value in (
            self.meta.get("forked_from_id"),
            self.meta.get("parent_thread_id"),
            spawn.get("parent_thread_id"),
        ):
            if text_of(value):
                return text_of(value)
        return None

    def _take(self, step: _Step) -> None:
        moment = parse_time(step.stamp, self.reading.zone)
        if step.kind == "session_meta":
            moment = moment or parse_time(step.payload.get("timestamp"), self.reading.zone)
            self._take_meta(step, moment)
        ts = self.clock.take(moment)
        self._follow_replay(step, moment)
        if step.kind in ("session_meta", "state", "world_state"):
            return
        if step.kind == "turn_context":
            self.model = text_of(step.payload.get("model")) or self.model
            self.cwd = self.cwd or text_of(step.payload.get("cwd")) or None
        elif step.kind == "response_item":
            self._take_item(step, ts)
        elif step.kind == "event_msg":
            self._take_event(step, ts)
        elif step.kind == "compacted":
            self._event(step, "compaction", text_of(step.payload.get("message")), ts)
        elif step.kind == "token_usage_record":
            self._take_turn_record(step, ts)
        else:
            self._keep_opaque(step, ts)

    def _take_meta(self, step: _Step, moment: datetime | None) -> None:
        self.metas += 1
        if self.meta:
            return
        self.meta = step.payload
        self.cwd = text_of(step.payload.get("cwd")) or None
        if self.parent is not None:
            self._in_replay = True
            self.fork_time = parse_time(step.payload.get("timestamp"), self.reading.zone) or moment
            self._first_stamp = moment

    def _follow_replay(self, step: _Step, moment: datetime | None) -> None:
        """End the replay of a child when the first record after the fork comes.

        Replayed records keep their old times or are stamped with the time of the fork. This is
        the judgement for a child whose parent is not in the archive; where it is, the archive
        compares the two.
        """
        if not self._in_replay or moment is None or step.kind == "session_meta":
            return
        fork = max(filter(None, (self.fork_time, self._first_stamp)), default=None)
        if fork is not None and moment > fork:
            self._in_replay = False

    def _event(self, step: _Step, kind: str, text: str, ts: datetime | None) -> None:
        event = Event(id=f"line-{step.number}", kind=kind, text=text, ts=ts, after=len(self.parts))
        self.events.append(event)

    def _keep_opaque(self, step: _Step, ts: datetime | None) -> None:
        self.reading.notes.opaque += 1
        raw = json.dumps(step.payload, ensure_ascii=False)
        name = step.payload.get("type", step.kind) if step.kind == "response_item" else step.kind
        self._event(step, f"opaque:{name}", raw, ts)

    def _part(self, role: str, ts: datetime | None) -> _Part:
        part = _Part(
            id=f"{role[0]}{len(self.parts) + 1}",
            role=role,
            ts=ts,
            model=self.model,
            replayed=self._in_replay,
        )
        self.parts.append(part)
        return part

    def _carry(self, ts: datetime | None) -> _Part:
        if self.carrier is None:
            self.carrier = self._part("assistant", ts)
        return self.carrier

    def _close(self) -> None:
        self.carrier = None

    def _take_item(self, step: _Step, ts: datetime | None) -> None:
        payload = step.payload
        kind = text_of(payload.get("type"))
        if kind == "message":
            role = text_of(payload.get("role"))
            if role not in ("user", "assistant"):
                return
            text, has_image = _said(payload, role)
            if not text and not has_image:
                return
            twin = self._events_alone.pop((role, _squeezed(text)), None)
            if twin is not None:
                twin.said, twin.event = step.place, False
                return
            self._responses[(role, _squeezed(text))] += 1
            self._speak(role, step.place, ts)
        elif kind == "reasoning":
            self._carry(ts).thoughts.append(step.place)
        elif kind in _CALLS:
            self._take_call(step, ts)
        elif isinstance(kind, str) and kind.endswith("_output"):
            self.outputs.setdefault(text_of(payload.get("call_id")), (step.place, ts))
        elif kind not in _ITEMS:
            self._keep_opaque(step, ts)

    def _take_call(self, step: _Step, ts: datetime | None) -> None:
        call_id = text_of(step.payload.get("call_id"))
        if call_id in self._call_ids:
            return
        if call_id:
            self._call_ids.add(call_id)
        self._carry(ts).calls.append((step.place, ts))

    def _speak(self, role: str, place: tuple[int, int], ts: datetime | None) -> _Part:
        if role == "user":
            self._close()
            part = self._part("user", ts)
        else:
            part = self._carry(ts)
            part.ts = ts
            part.model = self.model or part.model
            self._close()
        part.said = place
        self._end_twins("assistant" if role == "user" else "user")
        return part

    def _end_twins(self, role: str) -> None:
        """Forget the texts of a role once the other speaks: a twin stands close to its text.

        What is said again later ("go on") is a message of its own.
        """
        for key in [key for key in self._events_alone if key[0] == role]:
            del self._events_alone[key]
        for key in [key for key in self._responses if key[0] == role]:
            del self._responses[key]

    def _take_event(self, step: _Step, ts: datetime | None) -> None:
        payload = step.payload
        kind = text_of(payload.get("type"))
        if kind in ("user_message", "agent_message"):
            role = "user" if kind == "user_message" else "assistant"
            text = text_of(payload.get("message")).strip()
            if not text or _INJECTED.match(text):
                return
            key = (role, _squeezed(text))
            if self._responses[key] > 0:
                self._responses[key] -= 1
                return
            part = self._speak(role, step.place, ts)
            part.event = True
            self._events_alone[key] = part
        elif kind == "token_count":
            self._take_count(step, ts)
        elif kind == "thread_rolled_back":
            self._roll_back(count_of(payload.get("num_turns")) or 0)
        elif kind == "turn_aborted":
            self._close()
        elif kind == "error":
            self._event(step, "notice", text_of(payload.get("message")), ts)
        elif kind == "context_compacted" and not any(
            event.kind == "compaction" and event.after == len(self.parts) for event in self.events
        ):
            self._event(step, "compaction", "", ts)

    def _roll_back(self, turns: int) -> None:
        self._close()
        for part in reversed(self.parts):
            if turns <= 0:
                return
            if part.off:
                continue
            part.off = True
            if part.role == "user":
                turns -= 1

    def _take_count(self, step: _Step, ts: datetime | None) -> None:
        info = step.payload.get("info")
        if not isinstance(info, dict):
            return
        self._counts += 1
        total = _tokens(info.get("total_token_usage"))
        last = _tokens(info.get("last_token_usage"))
        if last is not None:
            self.reading.audit.line(last)
        grown = self._growth(total, last)
        if total is not None:
            self._counter = total
        if grown is None:
            self.reading.audit.drop("the counter had not changed")
            return
        key = f"count-{self._counts}"
        self._spend(key, grown, ts)

    def _growth(self, total: Tokens | None, last: Tokens | None) -> Tokens | None:
        if total is None:
            return last
        if self._counter is None:
            if self.parent is not None and last is not None:
                # A child's counter goes on from its parent's.
                return last
            return total
        if total == self._counter:
            return None
        # A counter that went down has restarted after a resume.
        return _minus(total, self._counter) or last or total

    def _spend(self, key: str, tokens: Tokens, ts: datetime | None) -> None:
        part = self.carrier or (self.parts[-1] if self.parts else None)
        copied = f"conversation:{self.parent}" if self._in_replay and self.parent else None
        self.usage.append(Usage(id=key, tokens=tokens, ts=ts, model=self.model, copy_of=copied))
        if part is not None:
            self.owners[key] = ("", part.id)

    def _take_turn_record(self, step: _Step, ts: datetime | None) -> None:
        payload = step.payload
        tokens = _tokens(payload.get("turn_token_usage"))
        if tokens is not None:
            key = text_of(payload.get("turn_id")) or f"turn-{len(self.parts)}"
            self.turn_usage[key] = (tokens, ts, self.model)

    def _use_turn_records(self) -> None:
        for key, (tokens, ts, model) in self.turn_usage.items():
            self.reading.audit.line(tokens)
            self.usage.append(Usage(id=f"turn-{key}", tokens=tokens, ts=ts, model=model))


def _tokens(usage: Any) -> Tokens | None:
    """Read a usage object: its input includes what was cached, its output the reasoning."""
    if not isinstance(usage, dict):
        return None
    whole = count_of(usage.get("input_tokens"))
    cached = count_of(usage.get("cached_input_tokens"))
    fresh = None if whole is None else max(whole - (cached or 0), 0)
    return Tokens(input=fresh, output=count_of(usage.get("output_tokens")), cache_read=cached)


def _minus(left: Tokens, right: Tokens) -> Tokens | None:
    """Return what the counter grew by; None when it went down."""
    if (left.total or 0) < (right.total or 0):
        return None

    def part(now: int | None, before: int | None) -> int | None:
        return now if now is None or before is None else now - before

    grown = Tokens(
        input=part(left.input, right.input),
        output=part(left.output, right.output),
        cache_read=part(left.cache_read, right.cache_read),
    )
    return None if (grown.output or 0) < 0 or (grown.cache_read or 0) < 0 else grown


def _squeezed(text: str) -> str:
    """Return a text without white space: twins differ in how their parts are joined."""
    return "".join(text.split())


def _said(payload: dict[str, Any], role: str) -> tuple[str, bool]:
    """Return what a message says without injected parts, and whether it shows an image."""
    content = payload.get("content")
    if isinstance(content, str):
        text = content
        return ("" if role == "user" and _INJECTED.match(text) else text), False
    texts = []
    has_image = False
    for part in list_of(content):
        if not isinstance(part, dict):
            continue
        if part.get("type") == "input_image":
            has_image = True
        text = text_of(part.get("text"))
        if text and not (role == "user" and _INJECTED.match(text)):
            texts.append(text)
    return "\n".join(texts), has_image


def read(unit: Unit, reading: Reading) -> Iterator[Parsed]:
    """Yield the session of a rollout."""
    with unit.open() as handle:
        rollout = _Rollout(_Steps(handle, unit.kind, reading), reading)
        if not rollout.meta and not rollout.parts:
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
            messages=_messages(rollout),
            usage=rollout.usage,
            owners=rollout.owners,
            events=rollout.events,
            precedence=(
                0 if "archived_sessions" in unit.path.parts else 1,
                moment_of(rollout.clock.latest),
            ),
        )


def _messages(rollout: _Rollout) -> Iterator[Message]:
    copied = f"conversation:{rollout.parent}" if rollout.parent else None
    for part in rollout.parts:
        try:
            message = _message(rollout, part)
        except RecordError:
            rollout.reading.notes.warn(
                "The file changed while it was read; it is read again later."
            )
            return
        yield replace(message, copy_of=copied) if part.replayed else message


def _message(rollout: _Rollout, part: _Part) -> Message:
    text = ""
    attachments: list[Attachment] = []
    if part.said is not None:
        payload = rollout.steps.payload(part.said)
        if part.event:
            text = text_of(payload.get("message")).strip()
        else:
            text, _ = _said(payload, part.role)
            attachments = [
                Attachment(name="image", kind="image")
                for item in list_of(payload.get("content"))
                if isinstance(item, dict) and item.get("type") == "input_image"
            ]
    thoughts = [_thought(rollout.steps.payload(place)) for place in part.thoughts]
    calls = [
        _call(rollout, rollout.steps.payload(place), ts, f"{part.id}-{number}")
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


def _thought(payload: dict[str, Any]) -> str:
    pieces = [*list_of(payload.get("summary")), *list_of(payload.get("content"))]
    return "\n\n".join(text_of(object_of(piece).get("text")) for piece in pieces)


def _call(
    rollout: _Rollout, payload: dict[str, Any], started: datetime | None, made: str
) -> ToolCall:
    kind = text_of(payload.get("type"))
    key = text_of(payload.get("call_id")) or text_of(payload.get("id")) or made
    arguments: Any = payload.get("arguments", payload.get("input", payload.get("action")))
    if kind == "function_call" and isinstance(arguments, str):
        with contextlib.suppress(ValueError, RecursionError):  # cut off: kept as it stands
            arguments = json.loads(arguments)
    call = ToolCall(
        id=key,
        name=text_of(payload.get("name")) or kind.removesuffix("_call"),
        arguments=arguments,
        started=started,
    )
    found = rollout.outputs.get(key) if key else None
    if found is not None:
        place, ended = found
        text, status = _output(rollout.steps.payload(place).get("output"))
        return replace(call, result=text, status=status, ended=ended)
    if kind in _SELF_CONTAINED:
        state = text_of(payload.get("status"))
        if state == "completed":
            return replace(call, status="ok", ended=started)
        if state in ("failed", "incomplete"):
            return replace(call, status="error", ended=started)
    return call


def _output(output: Any) -> tuple[str, CallStatus]:
    """Return a result's text and whether it failed."""
    if isinstance(output, dict):
        text, _ = _output(output.get("content", output.get("output", "")))
        return text, "error" if output.get("success") is False else "ok"
    if isinstance(output, list):
        pieces = [
            text_of(object_of(item).get("text")) or f"[{object_of(item).get('type', 'item')}]"
            for item in output
        ]
        return "\n".join(pieces), _judge("\n".join(pieces))
    text = text_of(output)
    if text.startswith("{"):
        try:
            whole = json.loads(text)
        except (ValueError, RecursionError):
            whole = None
        if isinstance(whole, dict) and ("metadata" in whole or "success" in whole):
            code = object_of(whole.get("metadata")).get("exit_code")
            failed = (isinstance(code, int) and code != 0) or whole.get("success") is False
            said = whole.get("output", whole.get("content"))
            return (said if isinstance(said, str) else text), "error" if failed else "ok"
    return text, _judge(text)


def _judge(text: str) -> CallStatus:
    """Tell from the lines above the output itself whether a command failed."""
    found = _EXIT.search(text.split("\nOutput:", 1)[0][:2000])
    return "error" if found and found.group(1) != "0" else "ok"
