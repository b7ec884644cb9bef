"""Kinds of records: those of the conversation, and those that the tool keeps for itself."""

from __future__ import annotations

CONVERSATION = ("user", "assistant", "system")
BOOKKEEPING = frozenset(
    [
        "summary",
        "file-history-snapshot",
        "queue-operation",
        "progress",
        "permission-mode",
        "last-prompt",
        "custom-title",
        "ai-title",
        "attachment",
        "checkpoint",
        "agent-name",
        "mode",
    ]
)
