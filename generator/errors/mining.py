"""Errors mined from past runs: failures of one kind gathered, with what worked afterwards.

Only calls that failed are failures. A call that a person denied, that was cancelled, or that
never came back says nothing about the tool; those are counted apart.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from generator.errors.signature import (
    CODE,
    EXCEPTION,
    both_ends,
    normalise_line,
    telling_lines,
)
from generator.masking import mask
from generator.model.failure import Failure, LikelyFix, MinedFailure, ObservedCall

_SYMPTOM = 4_000  # characters of a failure that a draft keeps: both ends
_ARGUMENTS = 2_000
_REFS = 5
_KEYWORDS = 8
_WORD = re.compile(r"[\w.+#-]{2,60}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """What mining found.

    Attributes:
        failures: One for each kind, the most frequent first.
        calls: Tool calls that were looked at.
        failed: How many of them failed.
        set_aside: Calls that were denied, cancelled or unfinished, by status: no failures.
    """

    failures: tuple[MinedFailure, ...]
    calls: int
    failed: int
    set_aside: Mapping[str, int]


@dataclass(slots=True)
class _Group:
    tool: str
    newest: ObservedCall
    count: int = 0
    fixed: int = 0
    agents: Counter[str] = field(default_factory=Counter)
    times: list[datetime] = field(default_factory=list)
    refs: list[str] = field(default_factory=list)
    fix: LikelyFix | None = None
    likeness: float = -1.0


def mine_failures(
    lanes: Iterable[Sequence[ObservedCall]],
    records: Iterable[Failure] = (),
    *,
    allow: Iterable[str] = (),
) -> Mined:
    """Gather the failures of past runs.

    Args:
        lanes: Calls that follow each other, a sequence for each main thread or sidechain.
        records: Error records; a kind that was accepted as one names it.
        allow: Texts that look like secrets and are not.
    """
    groups: dict[str, _Group] = {}
    statuses: Counter[str] = Counter()
    for lane in lanes:
        _mine_lane(lane, groups, statuses)
    accepted = {record.mined: record.hash for record in records if record.mined}
    allowed = tuple(allow)
    failures = [_finish(name, group, accepted.get(name), allowed) for name, group in groups.items()]
    failures.sort(key=lambda item: (-item.count, -_seconds(item.last), item.id))
    return Mined(
        failures=tuple(failures),
        calls=sum(statuses.values()),
        failed=statuses["error"],
        set_aside={name: statuses[name] for name in ("denied", "cancelled", "unfinished")},
    )


def group_id(tool: str, said: str) -> str:
    """Return the id of a kind of failure: stable from run to run and from machine to machine."""
    return hashlib.sha256(f"{tool}\n{said}".encode("utf-8", "replace")).hexdigest()[:8]


def group_signature(result: str) -> str:
    """Return what decides whether two failures are of one kind: their telling lines, normalised."""
    lines = (normalise_line(line) for line in telling_lines(result, most=2))
    return "\n".join(dict.fromkeys(filter(None, lines)))


def draft_keywords(failure: MinedFailure) -> list[str]:
    """Return words to find a draft by: error codes and names of exceptions, then the tool."""
    found: dict[str, None] = {}
    for pattern in (EXCEPTION, CODE):
        found.update(dict.fromkeys(match.group() for match in pattern.finditer(failure.symptom)))
    return [*list(found)[: _KEYWORDS - 1], failure.tool]


def draft_action(failure: MinedFailure) -> str | None:
    """Return the likely fix in words; None when no call of the tool succeeded afterwards."""
    if failure.fix is None:
        return None
    return (
        f"{failure.tool} was called again and succeeded with:\n{failure.fix.arguments}\n"
        f"It had failed with:\n{failure.fix.failed_arguments}"
    )


def accept_command(failure: MinedFailure) -> str:
    """Return the command that keeps a draft as a record; what fixed it is asked when not known."""
    return f"fieldguide errors accept {failure.id}" + ("" if failure.fix else " --action TEXT")


def encode_draft(failure: MinedFailure) -> dict[str, Any]:
    """Return a draft as JSON types."""
    fix = failure.fix
    return {
        "id": failure.id,
        "tool_name": failure.tool,
        "keywords": draft_keywords(failure),
        "symptom": failure.symptom,
        "action": draft_action(failure),
        "count": failure.count,
        "fixed": failure.fixed,
        "agents": dict(failure.agents),
        "first": failure.first.isoformat() if failure.first else None,
        "last": failure.last.isoformat() if failure.last else None,
        "refs": list(failure.refs),
        "fix_ref": fix.ref if fix else None,
        "failed_with": fix.failed_arguments if fix else None,
        "worked_with": fix.arguments if fix else None,
        "accept": accept_command(failure),
        "accepted": failure.accepted,
    }


def _mine_lane(
    lane: Sequence[ObservedCall], groups: dict[str, _Group], statuses: Counter[str]
) -> None:
    waiting: dict[str, list[tuple[int, ObservedCall, _Group]]] = {}
    for place, call in enumerate(lane):
        statuses[call.status] += 1
        if call.status == "error":
            group = _group_of(call, groups)
            waiting.setdefault(call.tool, []).append((place, call, group))
        elif call.status == "ok":
            for failed_at, failed, group in waiting.pop(call.tool, ()):
                group.fixed += 1
                likeness = _likeness(failed.arguments, call.arguments)
                if likeness >= group.likeness:
                    group.likeness = likeness
                    group.fix = LikelyFix(
                        ref=call.ref,
                        arguments=call.arguments,
                        failed_arguments=failed.arguments,
                        after=place - failed_at - 1,
                    )


def _group_of(call: ObservedCall, groups: dict[str, _Group]) -> _Group:
    said = group_signature(call.result)
    name = group_id(call.tool, said)
    group = groups.get(name)
    if group is None:
        group = groups[name] = _Group(tool=call.tool, newest=call)
    group.count += 1
    group.agents[call.agent] += 1
    if call.ts:
        group.times.append(call.ts)
    if _seconds(call.ts) >= _seconds(group.newest.ts):
        group.newest = call
    group.refs.append(call.ref)
    del group.refs[:-_REFS]
    return group


def _likeness(failed: str, worked: str) -> float:
    """Tell how much two calls have in common: a fix is mostly the same call, changed a little."""
    left, right = set(_WORD.findall(failed[:_ARGUMENTS])), set(_WORD.findall(worked[:_ARGUMENTS]))
    if not left or not right or failed == worked:
        return 0.0
    return len(left & right) / len(left | right)


def _finish(name: str, group: _Group, accepted: str | None, allow: tuple[str, ...]) -> MinedFailure:
    counts: Counter[str] = Counter()

    def clean(text: str, room: int) -> str:
        found = mask(both_ends(text), allow=allow)
        counts.update(found.counts)
        masked, half = found.text, room // 2
        return masked if len(masked) <= room else f"{masked[:half]}\n[...]\n{masked[-half:]}"

    fix = group.fix
    mined = MinedFailure(
        id=name,
        tool=group.tool,
        # Said anew from the masked text: a secret in lower case is not known as one.
        signature=group_signature(mask(both_ends(group.newest.result), allow=allow).text),
        symptom=clean(group.newest.result, _SYMPTOM) or "(it failed without a message)",
        count=group.count,
        agents=dict(group.agents.most_common()),
        first=min(group.times, default=None),
        last=max(group.times, default=None),
        refs=tuple(reversed(group.refs)),
        fix=LikelyFix(
            ref=fix.ref,
            arguments=clean(fix.arguments, _ARGUMENTS),
            failed_arguments=clean(fix.failed_arguments, _ARGUMENTS),
            after=fix.after,
        )
        if fix
        else None,
        fixed=group.fixed,
        accepted=accepted,
    )
    return replace(mined, masked=dict(counts))


def _seconds(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0
