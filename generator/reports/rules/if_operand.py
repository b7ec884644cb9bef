"""``if-operand``: operands that QuickUI's conditions always get wrong.

The right side is a bare literal: ``== 'text'`` compares with the quotes, ``n > m`` compares with
0, since ``m`` is no number. ``== 0`` is never true and ``!= 0`` always, as 0 counts as empty.
``!flag`` and ``3 == n`` look up paths that do not exist.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.rules.conditions import find_conditions


def _check(page: Page) -> Iterator[Problem]:
    for condition in find_conditions(page):
        if condition.operand and not condition.compound:
            yield Problem(
                offset=condition.offset,
                message=f'{condition.attribute}="{condition.shown}" {condition.operand[0]}.',
                fix=condition.operand[1],
            )


RULE = Rule(
    id="if-operand",
    severity="error",
    reason="QuickUI compares with the bare text of the right side; these are never what is meant.",
    fix="Write a path on the left and a bare word or number on the right.",
    bad="<p :if=\"status == 'paid'\">Paid</p>",
    good='<p :if="status == paid">Paid</p>',
    check=_check,
)
