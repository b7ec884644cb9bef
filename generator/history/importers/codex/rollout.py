"""The first pass over a rollout: what stands where, threads, and the growth of the counter."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from generator.history.importers.base import Clock, Reading, count_of, object_of, text_of
from generator.history.importers.codex.content import INJECTED, said_in, squeezed
from generator.history.importers.codex.counter import growth_of, tokens_of
from generator.history.importers.codex.steps import CALLS, ITEMS, Step, Steps
from generator.model.session import Event, Tokens, Usage
from generator.timestamps import parse_time


@dataclass(slots=True)
class Part:
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


class Rollout:
    """The first pass: what stands where, threads, and the growth of the counter."""

    def __init__(self, steps: Steps, reading: Reading) -> None:
        self.steps = steps
        self.reading = reading
        self.clock = Clock()
        self.meta: dict[str, Any] = {}
        self.metas = 0
        self.cwd: str | None = None
        self.model: str | None = None
        self.parts: list[Part] = []
        self.carrier: Part | None = None
        self.outputs: dict[str, tuple[tuple[int, int], datetime | None]] = {}
        self.usage: list[Usage] = []
        self.owners: dict[str, tuple[str, str]] = {}
        self.events: list[Event] = []
        self.turn_usage: dict[str, tuple[Tokens, datetime | None, str | None]] = {}
        self._counter: Tokens | None = None
        self._counts = 0
        self._responses: Counter[tuple[str, str]] = Counter()
        # Texts that so far stand as an event only; their response item may still come.
        self._events_alone: dict[tuple[str, str], Part] = {}
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

    def _take(self, step: Step) -> None:
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

    def _take_meta(self, step: Step, moment: datetime | None) -> None:
        self.metas += 1
        if self.meta:
            return
        self.meta = step.payload
        self.cwd = text_of(step.payload.get("cwd")) or None
        if self.parent is not None:
            self._in_replay = True
            self.fork_time = parse_time(step.payload.get("timestamp"), self.reading.zone) or moment
            self._first_stamp = moment

    def _follow_replay(self, step: Step, moment: datetime | None) -> None:
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

    def _event(self, step: Step, kind: str, text: str, ts: datetime | None) -> None:
        event = Event(id=f"line-{step.number}", kind=kind, text=text, ts=ts, after=len(self.parts))
        self.events.append(event)

    def _keep_opaque(self, step: Step, ts: datetime | None) -> None:
        self.reading.notes.opaque += 1
        raw = json.dumps(step.payload, ensure_ascii=False)
        name = step.payload.get("type", step.kind) if step.kind == "response_item" else step.kind
        self._event(step, f"opaque:{name}", raw, ts)

    def _part(self, role: str, ts: datetime | None) -> Part:
        part = Part(
            id=f"{role[0]}{len(self.parts) + 1}",
            role=role,
            ts=ts,
            model=self.model,
            replayed=self._in_replay,
        )
        self.parts.append(part)
        return part

    def _carry(self, ts: datetime | None) -> Part:
        if self.carrier is None:
            self.carrier = self._part("assistant", ts)
        return self.carrier

    def _close(self) -> None:
        self.carrier = None

    def _take_item(self, step: Step, ts: datetime | None) -> None:
        payload = step.payload
        kind = text_of(payload.get("type"))
        if kind == "message":
            role = text_of(payload.get("role"))
            if role not in ("user", "assistant"):
                return
            text, has_image = said_in(payload, role)
            if not text and not has_image:
                return
            twin = self._events_alone.pop((role, squeezed(text)), None)
            if twin is not None:
                twin.said, twin.event = step.place, False
                return
            self._responses[(role, squeezed(text))] += 1
            self._speak(role, step.place, ts)
        elif kind == "reasoning":
            self._carry(ts).thoughts.append(step.place)
        elif kind in CALLS:
            self._take_call(step, ts)
        elif isinstance(kind, str) and kind.endswith("_output"):
            self.outputs.setdefault(text_of(payload.get("call_id")), (step.place, ts))
        elif kind not in ITEMS:
            self._keep_opaque(step, ts)

    def _take_call(self, step: Step, ts: datetime | None) -> None:
        call_id = text_of(step.payload.get("call_id"))
        if call_id in self._call_ids:
            return
        if call_id:
            self._call_ids.add(call_id)
        self._carry(ts).calls.append((step.place, ts))

    def _speak(self, role: str, place: tuple[int, int], ts: datetime | None) -> Part:
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

    def _take_event(self, step: Step, ts: datetime | None) -> None:
        payload = step.payload
        kind = text_of(payload.get("type"))
        if kind in ("user_message", "agent_message"):
            role = "user" if kind == "user_message" else "assistant"
            text = text_of(payload.get("message")).strip()
            if not text or INJECTED.match(text):
                return
            key = (role, squeezed(text))
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

    def _take_count(self, step: Step, ts: datetime | None) -> None:
        info = step.payload.get("info")
        if not isinstance(info, dict):
            return
        self._counts += 1
        total = tokens_of(info.get("total_token_usage"))
        last = tokens_of(info.get("last_token_usage"))
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
        return growth_of(total, self._counter) or last or total

    def _spend(self, key: str, tokens: Tokens, ts: datetime | None) -> None:
        part = self.carrier or (self.parts[-1] if self.parts else None)
        copied = f"conversation:{self.parent}" if self._in_replay and self.parent else None
        self.usage.append(Usage(id=key, tokens=tokens, ts=ts, model=self.model, copy_of=copied))
        if part is not None:
            self.owners[key] = ("", part.id)

    def _take_turn_record(self, step: Step, ts: datetime | None) -> None:
        payload = step.payload
        tokens = tokens_of(payload.get("turn_token_usage"))
        if tokens is not None:
            key = text_of(payload.get("turn_id")) or f"turn-{len(self.parts)}"
            self.turn_usage[key] = (tokens, ts, self.model)

    def _use_turn_records(self) -> None:
        for key, (tokens, ts, model) in self.turn_usage.items():
            self.reading.audit.line(tokens)
            self.usage.append(Usage(id=f"turn-{key}", tokens=tokens, ts=ts, model=model))
