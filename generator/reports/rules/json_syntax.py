"""``json-syntax``: JSON blocks parse.

JSON types (``application/json``, ``ld+json`` and kin), import maps and speculation rules are
judged as ``JSON.parse`` judges them: ``NaN``, comments and trailing commas are refused, an empty
block too. Blocks of other unknown types are data that only the page understands.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    for script, failure in page.failures.items():
        if script.runs:
            continue
        what = "import map" if script.kind == "importmap" else "JSON block"
        if failure.too_deep:
            message = f"This {what} is nested too deep to be judged."
        else:
            message = f"This {what} does not parse: {failure.message}."
        yield Problem(offset=script.locate(failure.index), message=message)


RULE = Rule(
    id="json-syntax",
    severity="error",
    reason="JSON.parse throws on a broken block, and the script that reads it stops.",
    fix="Write strict JSON: double quotes, no comments, no trailing comma, null instead of NaN.",
    bad='<script type="application/json">{"mean": NaN}</script>',
    good='<script type="application/json">{"mean": null}</script>',
    check=_check,
)
