"""``truncated-page``: the page does not end inside a tag, comment, script or style.

What the tokenizer reports at the end of the file decides, so unclosed paragraphs, list items and
even a missing ``</html>`` are fine: browsers close them. A script without an end tag does not run.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule

_WHAT = {
    "eof-in-tag": "a tag",
    "eof-before-tag-name": "a tag",
    "eof-in-comment": "a comment",
    "eof-in-doctype": "the doctype",
    "eof-in-cdata": "a CDATA section",
    "eof-in-script": "a script",
    "eof-in-script-html-comment-like-text": "a script",
    "eof-in-style": "a style sheet",
}


def _check(page: Page) -> Iterator[Problem]:
    cut = page.document.cut
    if cut is None:
        return
    what = _WHAT.get(cut, f"<{cut.removeprefix('eof-in-')}>")
    yield Problem(
        offset=len(page.source.rstrip()),
        message=f"The page ends inside {what}, so it was cut off.",
    )


RULE = Rule(
    id="truncated-page",
    severity="error",
    reason="A page that was cut off loses its last script, and with it everything that it fills.",
    fix="Write the page to its end; for a long one, write less or in parts.",
    bad="<p>Total</p><script>new QUI({id: 'app',",
    good="<p>Total</p><script>new QUI({id: 'app'})</script>",
    check=_check,
)
