"""``page-size``: the page is small enough to be judged, and to be opened.

Measured before anything is parsed: its bytes, and its tags, since a tag costs a thousand times
what a letter costs, here and in the browser. Formatting that is never closed counts as often as
the standard says: each following block opens all of it again
(https://html.spec.whatwg.org/#reconstruct-the-active-formatting-elements).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from generator import limits
from generator.reports.rules.base import Problem, Rule

if TYPE_CHECKING:
    from generator.reports.page import Page

_TAG = re.compile(r"<[A-Za-z!?]")
_FORMATTING = re.compile(
    r"<(/?)(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)(?![^\s/>])[^>]{0,200}",
    re.IGNORECASE,
)
#: Unclosed tags that are alike in name and attributes are opened again this often at most.
_ALIKE = 3
#: Fewer than this are what a slip of the pen leaves open.
_SLIPS = 200


def excess(text: str) -> Problem | None:
    """Return why a page is too large to be judged, None when it is not.

    Args:
        text: The page. Nothing of it is parsed.
    """
    if len(text) > limits.REPORT_BYTES_MAX // 4:
        size = len(text.encode("utf-8", errors="replace"))
        if size > limits.REPORT_BYTES_MAX:
            return Problem(
                offset=0,
                message=f"The page has {size:,} bytes; at most {limits.REPORT_BYTES_MAX:,} are "
                "judged and saved.",
                fix="Leave out data that no reader needs, make images smaller, or write the "
                "report in parts.",
            )
    if text.count("<") <= _SLIPS:
        return None
    tags = sum(1 for _ in _TAG.finditer(text))
    if tags > limits.REPORT_TAGS_MAX:
        return Problem(
            offset=0,
            message=f"The page has {tags:,} tags; at most {limits.REPORT_TAGS_MAX:,} are judged, "
            "and browsers become slow long before.",
        )
    unclosed = _unclosed(text)
    if unclosed > _SLIPS and unclosed * tags > limits.REPORT_TAGS_MAX:
        return Problem(
            offset=0,
            message=f"The page leaves {unclosed:,} formatting tags (b, i, a, code and kin) open, "
            "and a browser opens each again in every block that follows.",
            fix="Close each of them: <b>...</b>.",
        )
    return None


def _unclosed(text: str) -> int:
    """Count formatting tags that are never closed, as often as a browser may open them again."""
    balance = 0
    alike: Counter[str] = Counter()
    for matched in _FORMATTING.finditer(text):
        balance += -1 if matched.group(1) else 1
        if not matched.group(1) and alike[matched.group()] < _ALIKE:
            alike[matched.group()] += 1
    return min(balance, alike.total())


def _check(page: Page) -> Iterator[Problem]:
    if page.excess is not None:
        yield page.excess


RULE = Rule(
    id="page-size",
    severity="error",
    reason="A page of hundreds of thousands of tags freezes its reader's browser.",
    fix="Show the totals and the rows that matter; give the whole table as a file beside the page.",
    bad="<table><tr><td>1</table>",
    good="<table><tr><td>Total of 500,000 rows<td>1,204</table>",
    check=_check,
)
