"""What was kept on purpose, behind its ref: error records, notes, facts."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.errors.records import get_record
from generator.exceptions import NotFoundError, UsageError
from generator.history.refs import Ref
from generator.knowledge.facts import get_fact
from generator.knowledge.notes import read_note
from generator.model.failure import Failure
from generator.recall.days import local
from generator.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """One kept thing.

    Attributes:
        ref: Its ref in the plain form.
        source: ``error``, ``note`` or ``knowledge``.
        text: Its text.
        facts: What is known about it, name to value.
    """

    ref: str
    source: str
    text: str
    facts: dict[str, str] = field(default_factory=dict)


def kept_error(ref: Ref, workspace: Workspace) -> Kept:
    """Read the error record behind a ref.

    Raises:
        UsageError: It names no hash.
        NotFoundError: There is no such record.
    """
    failure = get_record(workspace.home, ref.target)
    facts = {"tool": failure.tool_name, "ts": local(failure.recorded_at, workspace) or ""}
    return Kept(ref=f"error:{failure.hash}", source="error", text=error_text(failure), facts=facts)


def error_text(failure: Failure) -> str:
    """Write an error record as an agent reads it."""
    lines = [f"tool: {failure.tool_name}", f"keywords: {', '.join(failure.keywords)}"]
    lines.append(f"symptom: {failure.symptom}")
    if failure.cause:
        lines.append(f"cause: {failure.cause}")
    lines.append(f"fix: {failure.action}")
    return "\n".join(lines)


def kept_note(ref: Ref, workspace: Workspace) -> Kept:
    """Read the note behind a ref; its name may hold ``#``.

    Raises:
        UsageError: It names no note.
        NotFoundError: There is no such note; the nearest name is told.
    """
    name = f"{ref.target}#{ref.part}" if ref.part else ref.target
    note = read_note(workspace.home, name)
    return Kept(ref=note.ref, source="note", text=note.text)


def kept_fact(ref: Ref, workspace: Workspace) -> Kept | None:
    """Read the fact behind a ``file:knowledge/...#<id>`` ref; None when it is no such ref."""
    if not ref.part or not ref.target.startswith("knowledge/"):
        return None
    try:
        fact = get_fact(workspace.home, f"{ref.target}#{ref.part}")
    except (NotFoundError, UsageError):
        return None
    facts = {"path": f"knowledge/{fact.path.name}", "line": str(fact.line)}
    if fact.saved:
        facts["saved"] = fact.saved.isoformat()
    return Kept(ref=fact.ref, source="knowledge", text=fact.text, facts=facts)
