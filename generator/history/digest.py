"""What a session did on a day, gathered from its runs: the matter that a digest is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, tzinfo
from typing import Any

from generator.history.refs import conversation_ref, task_ref
from generator.history.runs import Run, RunCall, run_call_ref
from generator.history.sentences import Terms, split_sentences, terms_of
from generator.history.wording import arguments_text
from generator.model.session import Tokens
from generator.timestamps import Span

# Characters of one text that are looked at: what stands further down is data, not a summary.
_LOOKED_AT = 20_000
_SENTENCES_A_REPLY = 60
_FAILED = ("error", "denied")
_FILE_KEYS = frozenset(
    ("file_path", "filepath", "path", "file", "filename", "notebook_path", "target_file", "paths")
)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_WRONG = re.compile(
    r"error|exception|fail|not found|no such|denied|refused|cannot|can't|unable|timed? ?out|invalid"
    r"|missing|fatal|panic|错误|錯誤|失败|失敗|找不到|无法|無法|拒绝|拒絕|超时|逾時",
    re.IGNORECASE,
)
_LINK = re.compile(r"https?://[^\s<>\"'`)\]}，。；、）」』】]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a digest.

    Attributes:
        text: What it says.
        ref: Where that stands.
        terms: What it is compared by.
    """

    text: str
    ref: str
    terms: Terms = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and what came of it.

    Attributes:
        asked: The request's first sentence; None when the run opens with a reply.
        answers: Sentences of the reply, in order.
    """

    asked: Line | None
    answers: tuple[Line, ...]


@dataclass(slots=True)
class ToolUse:
    """How often a tool was called, and what failed.

    Attributes:
        calls: Calls in all.
        failed: Calls that failed or were denied.
        ref: The newest failed call, else the newest call.
    """

    calls: int = 0
    failed: int = 0
    ref: str = ""


@dataclass(slots=True, kw_only=True)
class Matter:
    """Everything one session did on one day that a digest may tell.

    Attributes:
        session: Session id.
        day: The day, in the zone; None when no time is known.
        exchanges: Its runs in order.
        tools: Use by tool.
        failures: What failed calls brought back.
        files: Paths that calls named, with the first call.
        links: Addresses, with where they first stood.
        tokens: What the runs cost.
        runs: How many runs.
    """

    session: str
    day: date | None
    exchanges: list[Exchange] = field(default_factory=list)
    tools: dict[str, ToolUse] = field(default_factory=dict)
    failures: list[Line] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    tokens: Tokens = field(default_factory=Tokens)
    runs: int = 0

    def add(self, run: Run, hide: Callable[[str], str]) -> None:
        """Take in one run.

        Args:
            run: The run.
            hide: Masks secrets; it is given whole texts, before anything is cut from them.
        """
        self.runs += 1
        self.tokens += run.tokens
        asked, reply = hide(run.objective[:_LOOKED_AT]), hide(run.reply[:_LOOKED_AT])
        asked_ref, reply_ref = _refs(run)
        opening = (split_sentences(asked) or [asked.strip()])[0]
        self.exchanges.append(
            Exchange(
                asked=Line(text=opening, ref=asked_ref, terms=terms_of(opening))
                if opening
                else None,
                answers=tuple(
                    Line(text=sentence, ref=reply_ref, terms=terms_of(sentence))
                    for sentence in split_sentences(reply)[:_SENTENCES_A_REPLY]
                ),
            )
        )
        for text, ref in ((asked, asked_ref), (reply, reply_ref)):
            self._add_links(text, ref)
        for item in run.calls:
            self._add_call(run, item, hide)

    def _add_call(self, run: Run, item: RunCall, hide: Callable[[str], str]) -> None:
        call, ref = item.call, run_call_ref(run, item)
        use = self.tools.setdefault(call.name, ToolUse())
        use.calls += 1
        failed = call.status in _FAILED
        if failed or not use.failed:
            use.ref = ref
        use.failed += failed
        if failed and call.result:
            text = f"{call.name}: {_telling(hide(call.result[:_LOOKED_AT]))}"
            self.failures.append(Line(text=text, ref=ref, terms=terms_of(text)))
        for path in _paths(call.arguments):
            self.files.setdefault(hide(path), ref)
        self._add_links(hide(arguments_text(call.arguments)[:_LOOKED_AT]), ref)

    def _add_links(self, text: str, ref: str) -> None:
        for address in _LINK.findall(text):
            self.links.setdefault(address.rstrip(".,;:!?*"), ref)


def _telling(result: str) -> str:
    """Return the line of a failed call's result that says what went wrong, else its first."""
    lines = [line.strip() for line in result.splitlines() if line.strip()]
    return next((line for line in lines if _WRONG.search(line)), lines[0] if lines else "")


def gather(
    runs: Sequence[Run],
    span: Span,
    zone: tzinfo,
    hide: Callable[[str], str],
    wanted: Callable[[Run], bool],
) -> list[Matter]:
    """Gather what a session did in a span of time, a day each.

    Args:
        runs: The session's runs in order; those rewound or edited away are passed over.
        span: Which time counts.
        zone: The zone that cuts days.
        hide: Masks secrets.
        wanted: Tells whether a run belongs into the digest.

    Returns:
        What was done by day, in order.
    """
    days: dict[date | None, Matter] = {}
    for run in runs:
        moment = run.started or run.ended
        if run.thread == "off" or not span.holds(moment) or not wanted(run) or _is_copy(run):
            continue
        day = _day(moment, zone)
        days.setdefault(day, Matter(session=run.session, day=day)).add(run, hide)
    return sorted(days.values(), key=lambda matter: matter.day or date.min)


def speaks_of(run: Run, focus: Terms) -> bool:
    """Tell whether a run holds a term of the focus in its request, reply or arguments."""
    if not focus:
        return True
    texts = [run.objective[:_LOOKED_AT], run.reply[:_LOOKED_AT]]
    texts += [
        f"{item.call.name} {arguments_text(item.call.arguments)[:2000]}" for item in run.calls
    ]
    return any(focus & terms_of(text) for text in texts)


def _is_copy(run: Run) -> bool:
    return bool(run.messages) and all(message.copy_of for message in run.messages)


def _day(moment: datetime | None, zone: tzinfo) -> date | None:
    return moment.astimezone(zone).date() if moment else None


def _refs(run: Run) -> tuple[str, str]:
    """Return the refs of a run's request and of the reply it ended on."""
    whole = task_ref(run.task_id)
    asked = [message for message in run.messages if message.role == "user"]
    replies = [
        message for message in run.messages if message.role == "assistant" and message.text.strip()
    ]
    if run.recorded or not run.messages:
        return whole, whole
    return (
        conversation_ref(run.session, asked[0].n) if asked else whole,
        conversation_ref(run.session, replies[-1].n) if replies else whole,
    )


def _paths(arguments: Any) -> Iterator[str]:
    """Yield the files that a call names."""
    if isinstance(arguments, Mapping):
        for name, value in arguments.items():
            if str(name).lower() in _FILE_KEYS:
                values = value if isinstance(value, list) else [value]
                yield from (item for item in values if isinstance(item, str) and item.strip())
            elif isinstance(value, str):
                yield from _PATCHED.findall(value)
    elif isinstance(arguments, str):
        yield from _PATCHED.findall(arguments)
