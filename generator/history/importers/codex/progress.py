"""How far a rollout was read: what the next reading needs of it, and what that gives back.

In sight stay the last messages, the one that is being gathered, and those that wait for the
result of a call or for the twin of their text. Of all calls before only marks stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from generator.history.importers.codex.parts import Part
from generator.history.importers.codex.rollout import Rollout
from generator.history.importers.growing import (
    GrowingFile,
    moment_as_text,
    moment_from,
    tokens_as_list,
    tokens_from,
)
from generator.history.tally import Tally

_PARTS = 32
"""Messages that stay in sight."""

_WAITING = 64
"""Messages with unfinished calls that stay in sight, however far back."""

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Before:
    """What an earlier reading knew: the calls and results that were in sight."""

    calls: frozenset[str]


def unchanged_in(rollout: Rollout, settled: Tally) -> Tally:
    """Return the numbers of the messages that are not put together again."""
    tally = Tally()
    tally.add(settled)
    for part in rollout.parts:
        if not part.changed and part.share is not None:
            tally.add_share(part.share, None)
    return tally


def leave_checkpoint(growing: GrowingFile, rollout: Rollout, before: Before | None) -> None:
    """Leave a checkpoint after everything was read and put together."""
    names = list(_names(rollout, before))
    for usage in rollout.spending.usage:
        growing.settled.add_usage(usage)
    growing.stop(_state(growing.settled, rollout), names)


def _names(rollout: Rollout, before: Before | None) -> Iterator[tuple[str, str]]:
    """Yield the names that this reading met first."""
    for call in {**rollout.calls, **rollout.outputs}:
        if before is None or call not in before.calls:
            yield "call", call


def _state(settled: Tally, rollout: Rollout) -> dict[str, Any]:
    parts = _parts_in_sight(rollout)
    for part in rollout.parts:
        if id(part) not in parts and part.share is not None:
            settled.add_share(part.share, None)
    kept = [part for part in rollout.parts if id(part) in parts]
    number = {id(part): at for at, part in enumerate(kept)}
    calls = {call: number[id(part)] for call, part in rollout.calls.items() if id(part) in parts}
    clock = rollout.clock
    return {
        "parts": [_part_as_list(part) for part in kept],
        "count": rollout.count,
        "carrier": None if rollout.carrier is None else number[id(rollout.carrier)],
        "calls": calls,
        "outputs": [
            [call, *place, moment_as_text(ts)]
            for call, (place, ts) in rollout.outputs.items()
            if call in calls or call not in rollout.calls
        ],
        "responses": rollout.responses,
        "alone": {key: number[id(part)] for key, part in rollout.events_alone.items()},
        "meta": rollout.meta,
        "cwd": rollout.cwd,
        "model": rollout.model,
        "counter": None
        if rollout.spending.counter is None
        else tokens_as_list(rollout.spending.counter),
        "counts": rollout.spending.counts,
        "compacted": rollout.compacted,
        "replay": rollout.in_replay,
        "moments": [
            moment_as_text(moment)
            for moment in (
                *(clock.first, clock.last, clock.latest),
                *(rollout.fork_time, rollout.first_stamp),
            )
        ],
    }


def _parts_in_sight(rollout: Rollout) -> set[int]:
    waiting = [part for part in rollout.parts if part.share is not None and part.share[5]]
    kept = [*rollout.parts[-_PARTS:], *waiting[-_WAITING:], *rollout.events_alone.values()]
    if rollout.carrier is not None:
        kept.append(rollout.carrier)
    return {id(part) for part in kept}


def _part_as_list(part: Part) -> list[Any]:
    calls = [[place, moment_as_text(ts)] for place, ts in part.calls]
    return [
        *(part.id, part.role, moment_as_text(part.ts), part.model, part.said, part.event),
        *(part.thoughts, calls, part.off, part.replayed, part.share),
    ]


def restore(rollout: Rollout, state: dict[str, Any]) -> Before:
    """Put a rollout where an earlier reading stopped."""
    rollout.parts = [_part_from(raw) for raw in state["parts"]]
    rollout.count = state["count"]
    if state["carrier"] is not None:
        rollout.carrier = rollout.parts[state["carrier"]]
    rollout.calls = {call: rollout.parts[at] for call, at in state["calls"].items()}
    rollout.outputs = {
        call: ((start, length), moment_from(ts)) for call, start, length, ts in state["outputs"]
    }
    rollout.responses = Counter(state["responses"])
    rollout.events_alone = {key: rollout.parts[at] for key, at in state["alone"].items()}
    rollout.meta, rollout.cwd, rollout.model = state["meta"], state["cwd"], state["model"]
    rollout.spending.counter = None if state["counter"] is None else tokens_from(state["counter"])
    rollout.spending.counts, rollout.compacted = state["counts"], state["compacted"]
    rollout.in_replay = state["replay"]
    clock = rollout.clock
    first, last, latest, fork, stamp = map(moment_from, state["moments"])
    clock.first, clock.last, clock.latest = first, last, latest
    rollout.fork_time, rollout.first_stamp = fork, stamp
    return Before(frozenset({**rollout.calls, **rollout.outputs}))


def _part_from(raw: list[Any]) -> Part:
    identity, role, ts, model, said, event, thoughts, calls, off, replayed, share = raw
    return Part(
        id=identity,
        role=role,
        ts=moment_from(ts),
        model=model,
        said=None if said is None else _place(said),
        event=event,
        thoughts=[_place(place) for place in thoughts],
        calls=[(_place(place), moment_from(moment)) for place, moment in calls],
        off=off,
        replayed=replayed,
        changed=False,
        share=tuple(share),
    )


def _place(raw: list[int]) -> Place:
    start, length = raw
    return start, length
