"""The first pass over a rollout: what stands where, threads, and the growth of the counter."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from typing import Any

from generator.exceptions import DoubtError
from generator.history.importers.base import Clock, Reading, count_of, mark_of, object_of, text_of
from generator.history.importers.checkpoints import Past
from generator.history.importers.codex.content import INJECTED, said_in, squeezed
from generator.history.importers.codex.parts import Part
from generator.history.importers.codex.spending import Spending
from generator.history.importers.codex.steps import CALLS, ITEMS, Step, Steps
from generator.model.session import Event
from generator.timestamps import parse_time

# What is asked of a session's first record; its instructions alone are 20 KB.
_META = (
    *("id", "session_id", "timestamp", "git", "source"),
    *("forked_from_id", "parent_thread_id"),
)


class Rollout:
    """The first pass: what stands where, threads, and the growth of the counter.

    Args:
        steps: The records to read.
        reading: Where notes go.
        past: Marks of what stands before those records and is not known here.
    """

    def __init__(self, steps: Steps, reading: Reading, past: Past) -> None:
        self.steps = steps
        self.past = past
        self.reading = reading
        self.clock = Clock()
        self.meta: dict[str, Any] = {}
        self.cwd: str | None = None
        self.model: str | None = None
        self.parts: list[Part] = []
        self.count = 0  # parts, those out of sight as well
        self.carrier: Part | None = None
        self.outputs: dict[str, tuple[tuple[int, int], datetime | None]] = {}
        self.spending = Spending(reading.audit)
        self.owners: dict[str, tuple[str, str]] = {}
        self.events: list[Event] = []
        self.responses: Counter[str] = Counter()
        # Texts that so far stand as an event only; their response item may still come.
        self.events_alone: dict[str, Part] = {}
        self.calls: dict[str, Part] = {}
        self.compacted: int | None = None  # parts before the last compaction
        self.in_replay = False
        self.fork_time: datetime | None = None
        self.first_stamp: datetime | None = None
        # A checkpoint could not tell what later lines change.
        self.doubtful = False

    def read(self) -> None:
        """Take every record.

        Raises:
            DoubtError: One speaks of something that is out of sight.
        """
        for step in self.steps:
            self._take(step)
            self.doubtful = self.doubtful or self.steps.is_unfinished(step)
        if self.spending.close():
            self.doubtful = True  # the last turn still grows

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
            turn = text_of(step.payload.get("turn_id")) or f"turn-{self.count}"
            self.spending.take_turn(turn, step.payload, ts, self.model)
        else:
            self._keep_opaque(step, ts)

    def _take_meta(self, step: Step, moment: datetime | None) -> None:
        if self.meta:
            return
        self.meta = {name: step.payload.get(name) for name in _META} if step.payload else {}
        self.cwd = text_of(step.payload.get("cwd")) or None
        if self.parent is not None:
            self.in_replay = True
            self.fork_time = parse_time(step.payload.get("timestamp"), self.reading.zone) or moment
            self.first_stamp = moment

    def _follow_replay(self, step: Step, moment: datetime | None) -> None:
        """End the replay of a child when the first record after the fork comes.

        Replayed records keep their old times or are stamped with the time of the fork. This is
        the judgement for a child whose parent is not in the archive; where it is, the archive
        compares the two.
        """
        if not self.in_replay or moment is None or step.kind == "session_meta":
            return
        fork = max(filter(None, (self.fork_time, self.first_stamp)), default=None)
        if fork is not None and moment > fork:
            self.in_replay = False

    def _event(self, step: Step, kind: str, text: str, ts: datetime | None) -> None:
        event = Event(id=f"line-{step.number}", kind=kind, text=text, ts=ts, after=self.count)
        self.events.append(event)
        if kind == "compaction":
            self.compacted = self.count

    def _keep_opaque(self, step: Step, ts: datetime | None) -> None:
        self.reading.notes.opaque += 1
        raw = json.dumps(step.payload, ensure_ascii=False)
        name = step.payload.get("type", step.kind) if step.kind == "response_item" else step.kind
        self._event(step, f"opaque:{name}", raw, ts)

    def _part(self, role: str, ts: datetime | None) -> Part:
        self.count += 1
        part = Part(
            id=f"{role[0]}{self.count}",
            role=role,
            ts=ts,
            model=self.model,
            replayed=self.in_replay,
        )
        self.parts.append(part)
        return part

    def _carry(self, ts: datetime | None) -> Part:
        if self.carrier is None:
            self.carrier = self._part("assistant", ts)
        self.carrier.changed = True
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
            key = _twin_key(role, text)
            twin = self.events_alone.pop(key, None)
            if twin is not None:
                twin.said, twin.event, twin.changed = step.place, False, True
                return
            self.responses[key] += 1
            self._speak(role, step.place, ts)
        elif kind == "reasoning":
            self._carry(ts).thoughts.append(step.place)
        elif kind in CALLS:
            self._take_call(step, ts)
        elif isinstance(kind, str) and kind.endswith("_output"):
            self._take_output(text_of(payload.get("call_id")), step, ts)
        elif kind not in ITEMS:
            self._keep_opaque(step, ts)

    def _take_call(self, step: Step, ts: datetime | None) -> None:
        call_id = text_of(step.payload.get("call_id"))
        if call_id and call_id in self.calls:
            return
        key = call_id or text_of(step.payload.get("id"))
        if key and key not in self.outputs:
            self.past.doubt("call", key)
        part = self._carry(ts)
        if key:
            # Without a call id of its own it may be the second one of that name.
            self.doubtful = self.doubtful or key in self.calls
            self.calls[key] = part
        part.calls.append((step.place, ts))

    def _take_output(self, call_id: str, step: Step, ts: datetime | None) -> None:
        if call_id in self.outputs:
            return
        if call_id in self.calls:
            self.calls[call_id].changed = True
        else:
            self.past.doubt("call", call_id)
        self.outputs[call_id] = (step.place, ts)

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
        mark = role[0]
        for key in [key for key in self.events_alone if key.startswith(mark)]:
            del self.events_alone[key]
        for key in [key for key in self.responses if key.startswith(mark)]:
            del self.responses[key]

    def _take_event(self, step: Step, ts: datetime | None) -> None:
        payload = step.payload
        kind = text_of(payload.get("type"))
        if kind in ("user_message", "agent_message"):
            role = "user" if kind == "user_message" else "assistant"
            text = text_of(payload.get("message")).strip()
            if not text or INJECTED.match(text):
                return
            key = _twin_key(role, text)
            if self.responses[key] > 0:
                self.responses[key] -= 1
                return
            part = self._speak(role, step.place, ts)
            part.event = True
            self.events_alone[key] = part
        elif kind == "token_count":
            self._take_count(step, ts)
        elif kind == "thread_rolled_back":
            self._roll_back(count_of(payload.get("num_turns")) or 0)
        elif kind == "turn_aborted":
            self._close()
        elif kind == "error":
            self._event(step, "notice", text_of(payload.get("message")), ts)
        elif kind == "context_compacted" and self.compacted != self.count:
            self._event(step, "compaction", "", ts)

    def _roll_back(self, turns: int) -> None:
        self._close()
        if self.past:
            raise DoubtError("What was rolled back may stand out of sight.")
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
        copied = f"conversation:{self.parent}" if self.in_replay and self.parent else None
        key = self.spending.take_count(info, ts, self.model, copied, parted=bool(self.parent))
        part = self.carrier or (self.parts[-1] if self.parts else None)
        if key is not None and part is not None:
            self.owners[key] = ("", part.id)


def _twin_key(role: str, text: str) -> str:
    """Return what a text and its twin have in common; it begins with the role's letter."""
    return f"{role[0]}{mark_of(squeezed(text))}"
