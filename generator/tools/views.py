"""How recalled things are given: the models that several tools share, and their text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from generator.history.refs import conversation_ref
from generator.history.wording import arguments_text
from generator.model.session import Message, Tokens, ToolCall
from generator.recall.days import local
from generator.recall.quoting import FRAME, fair_shares, one_line, quote
from generator.recall.store import Recall
from generator.tools.base import Result

_ARGUMENTS_SHARE = 4  # of a call's room, one part in so many goes to its arguments at least
OUTSIDE = {"off": "off-thread", "side": "sidechain"}


class CallView(Result):
    """One tool call."""

    ref: str = Field(description="its ref; memory_get returns it whole")
    name: str = Field(description="the tool")
    status: str = Field(description="ok, error, denied, cancelled or unfinished")
    arguments: str = Field(description="what it was called with, a line each")
    result: str | None = Field(description="what came back; null when nothing did")
    characters: int = Field(description="characters of arguments and result in full")
    cut: bool = Field(description="whether something was left out here")
    child: str | None = Field(default=None, description="ref of the subagent it started")


class MessageView(Result):
    """One message."""

    ref: str = Field(description="its ref; memory_get returns it whole")
    n: int = Field(description="its number in the thread")
    session: str = Field(description="session id")
    role: str = Field(description="user or assistant")
    thread: str = Field(description="active, off (rewound, edited, regenerated) or side")
    ts: str | None = Field(description="when, in the configured zone")
    model: str | None = Field(description="the model that replied")
    text: str = Field(description="what was said")
    characters: int = Field(description="characters of the text in full")
    cut: bool = Field(description="whether something was left out here")
    attachments: list[str] = Field(description="names of files that came along")
    copy_of: str | None = Field(default=None, description="ref of the original of this copy")
    calls: list[CallView] = Field(description="its tool calls")


class TokensView(Result):
    """Four disjoint counts and their sum; null is unknown, not 0."""

    input: int | None = Field(description="fresh input")
    output: int | None = Field(description="output, reasoning included")
    cache_read: int | None = Field(description="input read from a cache")
    cache_write: int | None = Field(description="input written to a cache")
    total: int | None = Field(description="sum of the known counts")


def tokens_view(tokens: Tokens) -> TokensView:
    """Give token counts."""
    return TokensView(
        input=tokens.input,
        output=tokens.output,
        cache_read=tokens.cache_read,
        cache_write=tokens.cache_write,
        total=tokens.total,
    )


def call_view(
    call: ToolCall, ref: str, recall: Recall, room: int, *, session: str = ""
) -> CallView:
    """Give a tool call, cut to a number of characters.

    Args:
        call: The call.
        ref: Its ref.
        recall: Hides secrets.
        room: Characters for arguments and result together.
        session: Id of its session, for the ref of a subagent.
    """
    arguments = arguments_text(call.arguments)
    result = call.result or ""
    for_arguments = max(room // _ARGUMENTS_SHARE, room - len(result))
    shown, arguments_cut = recall.veil.excerpt(arguments, for_arguments)
    output, result_cut = recall.veil.excerpt(result, room - min(len(arguments), for_arguments))
    return CallView(
        ref=ref,
        name=call.name,
        status=call.status,
        arguments=shown,
        result=output if call.result is not None else None,
        characters=len(arguments) + len(result),
        cut=arguments_cut or result_cut,
        child=conversation_ref(session, agent=call.child) if call.child and session else None,
    )


def message_views(
    messages: Sequence[tuple[str, Message]],
    recall: Recall,
    *,
    what: str = "all",
    text_room: int,
    call_room: int,
    budget: int,
) -> list[MessageView]:
    """Give messages, cut so that all of them together fit a budget.

    Args:
        messages: Pairs of session id and message.
        recall: Hides secrets.
        what: ``messages`` (text only), ``tools`` (calls only) or ``all``.
        text_room: Most characters of one text.
        call_room: Most characters of one call.
        budget: Most characters in all.
    """
    sizes: list[int] = []
    for _, message in messages:
        sizes.append(0 if what == "tools" else min(len(message.text), text_room))
        if what != "messages":
            sizes += [min(_call_size(call), call_room) for call in message.calls]
    rooms = iter(fair_shares(sizes, budget))
    views: list[MessageView] = []
    for session, message in messages:
        room = next(rooms)
        text, cut = recall.veil.excerpt(message.text, room) if what != "tools" else ("", False)
        calls = [
            call_view(
                call,
                conversation_ref(session, message.n, position, agent=message.agent),
                recall,
                next(rooms),
                session=session,
            )
            for position, call in enumerate(message.calls if what != "messages" else (), start=1)
        ]
        views.append(
            MessageView(
                ref=conversation_ref(session, message.n, agent=message.agent),
                n=message.n,
                session=session,
                role=message.role,
                thread=message.thread,
                ts=local(message.ts, recall.workspace),
                model=message.model,
                text=text,
                characters=len(message.text),
                cut=cut or any(call.cut for call in calls),
                attachments=[recall.veil.hide(item.name) for item in message.attachments],
                copy_of=message.copy_of,
                calls=calls,
            )
        )
    return views


def _call_size(call: ToolCall) -> int:
    return len(arguments_text(call.arguments)) + len(call.result or "")


def framed(lines: Iterable[str]) -> str:
    """Put the remark on quoted lines above an answer that has some."""
    body = "\n".join(lines).lstrip("\n")
    return f"{FRAME}\n\n{body}" if "\n>" in f"\n{body}".replace("\n  >", "\n>") else body


def message_lines(view: MessageView, *, with_session: bool = False) -> list[str]:
    """Write a message for an agent: a line that says what it is, its text quoted, its calls."""
    marks = [view.role, view.ts or "no time known"]
    if view.thread in OUTSIDE:
        marks.append(OUTSIDE[view.thread])
    if view.copy_of:
        marks.append(f"copy of {view.copy_of}")
    if view.model:
        marks.append(one_line(view.model, 60))
    lines = [f"{view.ref}  ({', '.join(marks)})"]
    if view.text:
        lines.append(quote(view.text))
    if view.attachments:
        lines.append(quote("attached: " + ", ".join(view.attachments)))
    for call in view.calls:
        lines += call_lines(call)
    return lines


def call_lines(view: CallView) -> list[str]:
    """Write a tool call for an agent."""
    lines = [f"  {view.ref}  {one_line(view.name, 80)}: {view.status}"]
    if view.arguments:
        lines.append(quote(view.arguments, "  "))
    if view.result:
        lines.append(quote(f"-> {view.result}", "  "))
    if view.child:
        lines.append(f"  its subagent: {view.child}")
    if view.cut:
        lines.append(f"  (cut from {view.characters} characters; whole: memory_get {view.ref})")
    return lines


def lowered(
    asked: int | None, default: int, most: int, name: str = "limit"
) -> tuple[int, list[str]]:
    """Hold a limit to its maximum.

    Args:
        asked: What the caller wants, None for the default.
        default: The default.
        most: The maximum.
        name: Name of the argument.

    Returns:
        The limit that holds, and a note when it is not the one that was asked for.
    """
    if asked is None:
        return default, []
    if asked > most:
        return most, [f"{name} was lowered from {asked} to its maximum, {most}"]
    return asked, []


def note_lines(notes: Sequence[str]) -> list[str]:
    """Write the notes of an answer, one a line."""
    return [f"note: {one_line(note, 500)}" for note in notes]
