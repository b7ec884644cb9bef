"""Outputs that were too large for the transcript: they lie in a folder beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from generator.history.importers.claude_code.transcript import Transcript

_STORED_OUTPUT = re.compile(r"tool-results[/\\]([^\s/\\<>\"']+)")


def stored_outputs(seen: Transcript) -> Callable[[str, str], str | None]:
    """Return a reader of outputs that were too large for the transcript."""
    folder = seen.path.with_suffix("") / "tool-results"
    if seen.side_file is not None and seen.path.parent.name == "subagents":
        folder = seen.path.parent.parent / "tool-results"
    try:
        names = {path.name: path for path in folder.iterdir() if path.is_file()}
    except OSError:
        names = {}

    def stored(call_id: str, text: str) -> str | None:
        if not names:
            return None
        mentioned = _STORED_OUTPUT.search(text)
        path = names.get(mentioned.group(1)) if mentioned else None
        path = path or next((names[n] for n in names if Path(n).stem == call_id), None)
        if path is None or path.is_symlink():
            return None
        try:
            return path.read_bytes().decode("utf-8", errors="replace")
        except OSError:
            return None

    return stored
