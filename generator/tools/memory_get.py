"""``memory_get``: the whole content behind a ref, a page at a time."""

from __future__ import annotations

from pydantic import Field

from generator import limits
from generator.history.refs import conversation_ref
from generator.model.session import Message
from generator.recall.quoting import one_line, quote
from generator.recall.resolve import Found, FoundThread, resolve
from generator.recall.store import Recall, open_recall
from generator.recall.veil import MARGIN
from generator.tools.base import Arguments, ModeResult, Tool
from generator.tools.views import (
    MessageView,
    framed,
    lowered,
    message_lines,
    message_views,
    note_lines,
)
from generator.workspace import Workspace


class MemoryGetArguments(Arguments):
    """What may be asked."""

    ref: str = Field(min_length=1, description="a ref as any tool printed it")
    limit: int | None = Field(
        None,
        ge=1,
        description=f"records of a whole conversation (default {limits.MEMORY_GET_DEFAULT}, at "
        f"most {limits.MEMORY_GET_MAX})",
    )
    offset: int | None = Field(
        None,
        ge=0,
        description="where to read on: characters of a text, records of a whole conversation; "
        f"left out, a text past {limits.FILE_EXCERPT_CHARACTERS} characters gives head and tail",
    )


class MemoryGetResult(ModeResult):
    """A text, or the records of a whole conversation: only the fields of one are given."""

    ref: str = Field(description="the ref")
    source: str = Field(description="what it is: conversation, task, file, note, error, ...")
    facts: dict[str, str] = Field(
        default_factory=dict, description="what is known about it: agent, role, time, path, ..."
    )
    related: list[str] = Field(
        default_factory=list, description="refs of what belongs to it: tool calls, runs, owners"
    )
    text: str = Field("", description="a text: the characters of this page")
    characters: int | None = Field(
        None, description="a text: characters in all; null for a file too large to count"
    )
    records: list[MessageView] = Field(
        default_factory=list, description="a conversation: its messages in archive order"
    )
    total: int = Field(0, description="a conversation: messages in all")
    offset: int = Field(0, description="where this page begins")
    next_offset: int | None = Field(None, description="offset that reads on; null at the end")
    notes: list[str] = Field(
        default_factory=list, description="what the caller should know about this answer"
    )


def _handle(arguments: MemoryGetArguments, workspace: Workspace) -> MemoryGetResult:
    recall = open_recall(workspace)
    found = resolve(arguments.ref, recall)
    if isinstance(found, FoundThread):
        return _thread(found, arguments, recall)
    return _text(found, arguments, recall)


def _text(found: Found, arguments: MemoryGetArguments, recall: Recall) -> MemoryGetResult:
    passage, room = found.passage, limits.FILE_EXCERPT_CHARACTERS
    margin = MARGIN
    offset, notes = arguments.offset or 0, []
    is_long = passage.length is None or passage.length > room
    take = room
    if arguments.offset is None and is_long:
        take = room * 2 // 3
    base = max(0, offset - margin)
    raw = passage.read(base, offset + take + margin)
    end = min(offset + take, base + len(raw))
    text = recall.veil.window(raw, offset - base, end - base) if end > offset else ""
    ends_here = end >= base + len(raw)
    if arguments.offset is None and is_long:
        left = room - take
        tail = passage.tail(left + margin)
        last = recall.veil.window(tail, max(0, len(tail) - left), len(tail))
        text += f"\n[... the middle is left out; read on with offset={end} ...]\n{last}"
        notes.append("head and tail of a long text")
    if offset and end <= offset:
        notes.append(f"the text ends before offset {offset}")
    return MemoryGetResult(
        ref=found.ref,
        source=found.source,
        facts={name: recall.veil.hide(value) for name, value in found.facts.items()},
        related=list(found.related),
        text=text,
        characters=passage.length,
        offset=offset,
        next_offset=None if ends_here else end,
        notes=notes,
    )


def _thread(found: FoundThread, arguments: MemoryGetArguments, recall: Recall) -> MemoryGetResult:
    limit, notes = lowered(arguments.limit, limits.MEMORY_GET_DEFAULT, limits.MEMORY_GET_MAX)
    offset = arguments.offset or 0
    places = found.places[offset : offset + limit]
    messages: list[tuple[str, Message]] = []
    for agent in dict.fromkeys(agent for agent, _ in places):
        numbers = [number for held, number in places if held == agent]
        wanted = range(numbers[0], numbers[-1] + 1)
        messages += [
            (found.row.id, message) for message in recall.reader.messages(found.row, wanted, agent)
        ]
    end = offset + len(places)
    title = found.row.head.get("title")
    return MemoryGetResult(
        ref=found.ref,
        source="conversation",
        facts={
            name: recall.veil.hide(str(value))
            for name, value in (
                ("agent", found.row.head["agent"]),
                ("project", found.row.head.get("project")),
                ("title", one_line(title) if title else None),
            )
            if value
        },
        related=[
            *found.related,
            *(conversation_ref(found.row.id, agent=name) for name in found.row.marks if name),
        ],
        records=message_views(
            messages,
            recall,
            text_room=limits.FILE_EXCERPT_CHARACTERS,
            call_room=limits.BRIEF_TEXT_CHARACTERS,
            budget=limits.ANSWER_CHARACTERS,
        ),
        total=len(found.places),
        offset=offset,
        next_offset=end if end < len(found.places) else None,
        notes=notes,
    )


def _render(result: MemoryGetResult) -> str:
    facts = ", ".join(f"{name}: {one_line(value, 120)}" for name, value in result.facts.items())
    lines = [f"{result.ref}  ({facts})" if facts else result.ref]
    if "text" in result.model_fields_set:
        size = f"of {result.characters}" if result.characters is not None else "of a large file"
        lines.append(f"characters from {result.offset}, {size}")
        lines.append(quote(result.text))
    else:
        lines.append(f"{len(result.records)} of {result.total} messages from {result.offset}")
        for view in result.records:
            lines += ["", *message_lines(view)]
    if result.related:
        lines += ["", f"belongs to it: {', '.join(result.related)}"]
    if result.next_offset is not None:
        lines += ["", f"More: memory_get with offset={result.next_offset}."]
    return framed([*lines, *note_lines(result.notes)])


TOOL = Tool(
    name="memory_get",
    group="history",
    what="Returns the whole content behind a ref, in pages.",
    when="After a search, a list or an excerpt printed a ref whose content is needed.",
    precondition="A ref as it was printed.",
    arguments=MemoryGetArguments,
    result=MemoryGetResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="wolffish",
    example={"ref": "conversation:3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001#2"},
)
