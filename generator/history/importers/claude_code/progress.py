"""How far a transcript was read: what the next reading needs of it, and what that gives back.

In sight stay the last records, the ends of the thread, and messages whose calls wait for a
result. Of all others only marks stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from generator.history.importers.claude_code.thread import Node
from generator.history.importers.claude_code.transcript import Group, Transcript
from generator.history.importers.growing import (
    GrowingFile,
    moment_as_text,
    moment_from,
    tokens_as_list,
    tokens_from,
)
from generator.history.tally import Tally

_RECORDS = 256
"""Records that stay in sight: results of parallel calls and lines of one reply stand within."""

_WAITING = 64
"""Messages with unfinished calls that stay in sight, however far back."""


@dataclass(frozen=True, slots=True)
class Before:
    """What an earlier reading knew.

    Attributes:
        identity: The session, and whether the file holds sidechains alone.
        nodes: Records that were in sight.
        groups: Messages that were.
        calls: Calls and results that were.
    """

    identity: tuple[str, bool]
    nodes: frozenset[str]
    groups: frozenset[tuple[str, str]]
    calls: frozenset[str]


def unchanged_in(seen: Transcript, settled: Tally) -> Tally:
    """Return the numbers of the messages that are not put together again."""
    tally = Tally()
    tally.add(settled)
    for group in seen.groups.values():
        if not group.changed and group.share is not None:
            tally.add_share(group.share, group.tokens)
    return tally


def leave_checkpoint(
    growing: GrowingFile, seen: Transcript, before: Before | None, identity: tuple[str, bool]
) -> None:
    """Leave a checkpoint after everything was read and put together."""
    names = list(_names(seen, before))
    growing.stop(_state(growing.settled, seen, identity), names)


def _names(seen: Transcript, before: Before | None) -> Iterator[tuple[str, str]]:
    """Yield the names that this reading met first."""
    old = before or Before(("", False), frozenset(), frozenset(), frozenset())
    for uuid in seen.thread.nodes:
        if uuid not in old.nodes:
            yield "node", uuid
    for agent, key in seen.groups:
        if (agent, key) not in old.groups:
            yield "message", f"{agent}/{key}"
    for call in {**seen.calls, **seen.results}:
        if call not in old.calls:
            yield "call", call


def _state(settled: Tally, seen: Transcript, identity: tuple[str, bool]) -> dict[str, Any]:
    count = len(seen.thread.nodes)
    nodes = dict.fromkeys(islice(seen.thread.nodes, max(0, count - _RECORDS), None))
    nodes.update(dict.fromkeys(name for name in (seen.thread.newest, seen.thread.previous) if name))
    groups = _groups_in_sight(seen, nodes)
    active = seen.thread.active()
    keys = {seen.thread.nodes[uuid].key for uuid in active if uuid not in nodes} - {None}
    for key, group in seen.groups.items():
        if key in groups:
            group.outside = group.outside or (
                group.agent is None
                and (
                    group.id in keys
                    or any(uuid in active and uuid not in nodes for uuid in group.nodes)
                )
            )
        elif group.share is not None:
            settled.add_share(group.share, group.tokens)
    calls = {call: key for call, key in seen.calls.items() if key in groups}
    results = {
        call: place
        for call, place in seen.results.items()
        if call in calls or call not in seen.calls
    }
    clock = seen.clock
    return {
        "identity": identity,
        "nodes": [
            [
                uuid,
                seen.thread.nodes[uuid].parent,
                seen.thread.nodes[uuid].key,
                seen.thread.agent_of.get(uuid),
            ]
            for uuid in nodes
        ],
        "groups": [_group_as_list(group) for group in groups.values()],
        "calls": [[call, *key] for call, key in calls.items()],
        "results": results,
        "titles": seen.titles,
        "summaries": seen.summaries,
        "own": [leaf for leaf in seen.summaries if seen.holds(leaf)],
        "sessions": seen.session_ids,
        "agents": list(seen.agents),
        "cwd": seen.cwd,
        "newest": seen.thread.newest,
        "previous": seen.thread.previous,
        "exit": seen.thread.walk(nodes)[1],
        "main": seen.main_messages,
        "clock": [moment_as_text(moment) for moment in (clock.first, clock.last, clock.latest)],
    }


def _groups_in_sight(seen: Transcript, nodes: dict[str, None]) -> dict[tuple[str, str], Group]:
    keys = {seen.thread.nodes[uuid].key for uuid in nodes}
    waiting = [
        key for key, group in seen.groups.items() if group.share is not None and group.share[5]
    ]
    waits = set(waiting[-_WAITING:])
    return {
        key: group
        for key, group in seen.groups.items()
        if key in waits or group.id in keys or any(uuid in nodes for uuid in group.nodes)
    }


def _group_as_list(group: Group) -> list[Any]:
    tokens = None if group.tokens is None else tokens_as_list(group.tokens)
    return [
        *(group.id, group.role, group.agent, moment_as_text(group.ts)),
        *(group.places, group.nodes, tokens, group.outside, group.thread, group.share),
    ]


def restore(seen: Transcript, state: dict[str, Any]) -> Before:
    """Put a transcript where an earlier reading stopped."""
    for uuid, parent, key, agent in state["nodes"]:
        seen.thread.nodes[uuid] = Node(parent, key)
        if agent is not None:
            seen.thread.agent_of[uuid] = agent
    for group in map(_group_from, state["groups"]):
        seen.groups[group.agent or "", group.id] = group
    seen.calls = {call: (agent, key) for call, agent, key in state["calls"]}
    seen.results = {call: (start, length) for call, (start, length) in state["results"].items()}
    seen.titles, seen.summaries = state["titles"], state["summaries"]
    seen.own, seen.session_ids = set(state["own"]), state["sessions"]
    seen.agents = dict.fromkeys(state["agents"])
    seen.cwd, seen.thread.newest, seen.thread.previous = (
        state["cwd"],
        state["newest"],
        state["previous"],
    )
    seen.thread.exit, seen.main_messages = state["exit"], state["main"]
    clock = seen.clock
    clock.first, clock.last, clock.latest = map(moment_from, state["clock"])
    session, side = state["identity"]
    return Before(
        (session, side),
        frozenset(seen.thread.nodes),
        frozenset(seen.groups),
        frozenset({**seen.calls, **seen.results}),
    )


def _group_from(raw: list[Any]) -> Group:
    identity, role, agent, ts, places, nodes, tokens, outside, thread, share = raw
    return Group(
        id=identity,
        role=role,
        agent=agent,
        ts=moment_from(ts),
        places=[(start, length) for start, length in places],
        nodes=nodes,
        tokens=None if tokens is None else tokens_from(tokens),
        outside=outside,
        changed=False,
        thread=thread,
        share=tuple(share),
    )
