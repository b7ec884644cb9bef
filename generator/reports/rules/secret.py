"""``secret``: no key, token or password stands in the page.

Found by shape, over the whole source (text, attributes, scripts, comments): whoever gets the page
can read all of it. A secret is named by kind and place and never printed.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.masking import find_secrets
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule


def _check(page: Page) -> Iterator[Problem]:
    for found in find_secrets(page.source):
        yield Problem(offset=found.start, message=f"A secret stands in the page: {found.kind}.")


RULE = Rule(
    id="secret",
    severity="error",
    reason="Everyone who gets the page can read what stands in its source.",
    fix="Take it out and replace it where it was issued: it has been written down.",
    bad='<script>const key = "sk-..."</script>',
    good="<p>The key is kept in the environment.</p>",
    check=_check,
)
