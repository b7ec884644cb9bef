"""``compound-if``: a condition of QuickUI is one path or one comparison.

QuickUI splits the text at the first comparison sign and looks the left part up as a path. So
``a > 1 && b > 2`` counts only its first half, and ``a || b``, ``(a)``, ``!(a)``, calls and
ternaries are never true. What is one comparison with an operand that is always wrong belongs to
``if-operand``.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.rules.conditions import find_conditions


def _check(page: Page) -> Iterator[Problem]:
    for condition in find_conditions(page):
        if condition.compound:
            yield Problem(
                offset=condition.offset,
                message=f'{condition.attribute}="{condition.shown}" {condition.compound}.',
            )


RULE = Rule(
    id="compound-if",
    severity="error",
    reason="QuickUI reads only the first comparison of a condition, without a word.",
    fix="Work the answer out in data and write one path or one comparison, or nest two elements.",
    bad='<p :if="paid && shipped">Done</p>',
    good='<p :if="done">Done</p>',
    check=_check,
)
