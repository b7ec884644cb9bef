"""The rules of the check, in one table: one module a rule, named like its id."""

from __future__ import annotations

from generator.reports.rules import title
from generator.reports.rules.base import Problem, Rule

RULES: tuple[Rule, ...] = (title.RULE,)

__all__ = ["RULES", "Problem", "Rule"]
