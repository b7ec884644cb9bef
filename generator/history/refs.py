"""Refs: short, stable names for everything that can be read back.

=============================== ==============================================
``conversation:<id>``           all of a session, in archive order
``conversation:<id>#3``         message 3 of its main thread
``conversation:<id>#3.1``       tool call 1 inside message 3
``conversation:<id>/<agent>``   a sidechain; ``#n`` and ``#n.m`` follow as above
``task:<id>``                   a run, or a task of an agent that names its tasks
``task:<id>#detail2``           section 2 of a task's untruncated log
``file:<path>``                 a file in the home or in a registered source
``file:<path>#<chunk>``         one chunk of a large file
``error:<hash>``                an error record
``note:<name>``                 an operator note
``report:<name>``               a saved report
=============================== ==============================================

Only the grammar stands here. What is behind a ref is decided by the room that owns it; an id
or a path may itself hold ``#`` or ``/``, so the ambiguous shapes come as ordered readings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.echo import quoted
from generator.exceptions import UsageError
from generator.model.session import Document

KINDS = ("conversation", "task", "file", "error", "note", "report")

_NUMBERS = re.compile(r"(?s)(.+)#([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_WRAPPING = " \t\r\n`'\"<>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """A ref taken apart.

    Attributes:
        kind: One of :data:`KINDS`.
        target: What stands between the kind and the part: an id, a path, a hash or a name.
        part: What stands after the last ``#``, else empty.
    """

    kind: str
    target: str
    part: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.target}" + (f"#{self.part}" if self.part else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in a conversation.

    Attributes:
        session: Session id.
        agent: Sidechain id, None for the main thread.
        message: Message number; None means every message.
        call: Tool call in that message, from 1; None means the message itself.
    """

    session: str
    agent: str | None = None
    message: int | None = None
    call: int | None = None


def parse_ref(text: str) -> Ref:
    """Take a ref apart.

    Args:
        text: A ref as a tool printed it; quotes, backticks and spaces around it are dropped.

    Raises:
        UsageError: It is no ref; the message lists the shapes.
    """
    cleaned = text.strip(_WRAPPING)
    kind, colon, rest = cleaned.partition(":")
    kind = kind.strip().lower()
    if not colon or kind not in KINDS or not rest.strip("# "):
        shapes = ", ".join(f"{name}:..." for name in KINDS)
        raise UsageError(
            f"{quoted(text)} is not a ref.",
            hint=f"Copy one as a tool printed it, such as conversation:<id>#3; kinds: {shapes}.",
        )
    target, mark, part = rest.rpartition("#")
    if not mark:
        return Ref(kind=kind, target=rest)
    # A closing "#" is the prefix form: everything of that conversation.
    return Ref(kind=kind, target=target, part=part)


def conversation_places(ref: Ref) -> Iterator[Place]:
    """Yield what a conversation ref can mean, the likeliest first.

    An id may hold ``/`` or ``#``: the reading that takes most of the text as the session's id
    comes before the one that sees a sidechain, and whoever knows the sessions picks.
    """
    whole = f"{ref.target}#{ref.part}" if ref.part else ref.target
    numbered = _NUMBERS.fullmatch(whole)
    readings: list[tuple[str, int | None, int | None]] = []
    if numbered:
        call = numbered[3]
        readings.append((numbered[1], int(numbered[2]), int(call) if call else None))
    readings.append((whole, None, None))
    for name, message, call_number in readings:
        yield Place(session=name, message=message, call=call_number)
        session, slash, agent = name.rpartition("/")
        if slash and session and agent:
            yield Place(session=session, agent=agent, message=message, call=call_number)


def file_readings(ref: Ref) -> Iterator[tuple[str, str]]:
    """Yield ``(path, chunk)`` as a file ref can mean it: the whole as a path, then path and chunk."""
    if ref.part:
        yield f"{ref.target}#{ref.part}", ""
    yield ref.target, ref.part


def conversation_ref(
    session: str, message: int | None = None, call: int | None = None, *, agent: str | None = None
) -> str:
    """Write the ref of a session, a message or a tool call.

    Args:
        session: Session id.
        message: Message number; None for the whole session or sidechain.
        call: Tool call in that message, from 1.
        agent: Sidechain id, for messages that are not on the main thread.
    """
    whole = f"conversation:{session}" + (f"/{agent}" if agent else "")
    if message is None:
        return whole
    return f"{whole}#{message}" + (f".{call}" if call is not None else "")


def task_ref(task_id: str, part: str | None = None) -> str:
    """Write the ref of a run or task, or of a part of it such as ``detail2``."""
    return f"task:{task_id}" + (f"#{part}" if part else "")


def document_chunk(document: Document) -> str:
    """Return which chunk of its file a document is: what its id says after the path."""
    _, mark, chunk = document.id.rpartition("#")
    return "_".join(chunk.split()) if mark else ""
