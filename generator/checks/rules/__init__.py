"""The one table of checks, in the order in which people meet what they report."""

from __future__ import annotations

from generator.checks.rules import (
    anchor_collision,
    boundary,
    budget,
    code_parse,
    conflict,
    dead_link,
    front_matter,
    hidden_text,
    obsolete_name,
    parity,
    stale_export,
    stand_alone,
    template,
    unknown_tool,
    unknown_topic,
)
from generator.checks.rules.base import Check

CHECKS: tuple[Check, ...] = (
    front_matter.CHECK,
    unknown_topic.CHECK,
    obsolete_name.CHECK,
    unknown_tool.CHECK,
    budget.CHECK,
    boundary.CHECK,
    anchor_collision.CHECK,
    dead_link.CHECK,
    code_parse.CHECK,
    template.CHECK,
    stale_export.CHECK,
    conflict.CHECK,
    stand_alone.CHECK,
    hidden_text.CHECK,
    parity.CHECK,
)

__all__ = ["CHECKS", "Check"]
