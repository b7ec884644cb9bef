"""A run as one text, for reading it back whole."""

from __future__ import annotations

from generator.history.runs import Run
from generator.history.wording import arguments_text
from generator.model.session import ToolCall


def run_text(run: Run) -> str:
    """Write a run whole: request, each call with what came back, notes, reply."""
    parts = [f"Asked:\n{run.objective}"] if run.objective else []
    parts += [f"Call {item.number}: {call_body(item.call)}" for item in run.calls]
    if run.details:
        parts.append(f"Recorded:\n{arguments_text(run.details)}")
    if run.reply:
        parts.append(f"Replied:\n{run.reply}")
    return "\n\n".join(parts)


def call_body(call: ToolCall) -> str:
    """Write a call with its state, arguments and result, whole."""
    lines = [f"{call.name} ({call.status})"]
    if call.arguments:
        lines.append(arguments_text(call.arguments))
    if call.result is not None:
        lines.append(f"Result:\n{call.result}")
    return "\n".join(lines)
