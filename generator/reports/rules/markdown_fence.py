"""``markdown-fence``: the answer's own wrapping is not in the page.

A page that was cut out of an answer may still hold the fence around it, the sentence before it or
the closing remark after it; browsers show all of that as text. Reported: text before the doctype
or ``<html>``, a line of text that starts with three backticks or tildes outside code samples, and
text after ``</html>``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule

_START = re.compile(r"<!doctype|<html[\s>]", re.IGNORECASE)
#: As in Markdown, no backtick follows those of a fence on its line: that would be a code span.
_FENCE = re.compile(r"(?m)^[ \t]{0,3}(?:`{3,}(?=[^`\n]*$)|~{3,})")
_END = re.compile(r"</html\s*>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_UNSHOWN = frozenset({"script", "style", "textarea", "noscript", "title", "iframe"})


def _check(page: Page) -> Iterator[Problem]:
    seen: set[int] = set()
    source = page.source
    lead = _lead(source)
    if lead is not None:
        seen.add(lead)
        fence = _FENCE.match(source, lead) is not None
        what = "a Markdown fence" if fence else "text"
        yield Problem(offset=lead, message=f"There is {what} before the page starts.")
    end = _remark(page)
    if end is not None:
        seen.add(end)
        yield Problem(offset=end, message="There is text after </html>.")
    for text in page.document.texts:
        element = text.parent
        if element.in_code or element.inert or element.name in _UNSHOWN:
            continue
        if "```" not in text.data and "~~~" not in text.data:
            continue
        for matched in _FENCE.finditer(text.data):
            offset = page.document.in_text(text, matched.start())
            fenced_lead = lead is not None and offset < _page_start(source)
            after_end = end is not None and offset >= end
            if offset not in seen and not fenced_lead and not after_end:
                yield Problem(offset=offset, message="A Markdown fence stands in the page as text.")


def _page_start(source: str) -> int:
    matched = _START.search(source)
    return matched.start() if matched else 0


def _lead(source: str) -> int | None:
    """Return where text before the page starts, None when there is none."""
    first = source.find("<")
    before = source if first < 0 else source[:first]
    if not before.strip():
        return None
    starts_page = first >= 0 and _START.match(source, first) is not None
    fenced = _FENCE.search(before) is not None
    if not starts_page and not fenced:
        return None
    return len(before) - len(before.lstrip())


def _remark(page: Page) -> int | None:
    """Return where text after the page starts, None when there is none."""
    ends = list(_END.finditer(page.source))
    if not ends:
        return None
    begin = ends[-1].end()
    rest = _COMMENT.sub(lambda found: " " * len(found.group()), page.source[begin:])
    if not rest.strip() or rest.lstrip().startswith("<"):
        return None
    offset = begin + len(rest) - len(rest.lstrip())
    last = page.document.texts[-1] if page.document.texts else None
    # The end tag may stand in a script's string or a comment: then the rest is no text.
    start = re.split(r"[<&]", rest.lstrip(), maxsplit=1)[0].rstrip()[:40]
    if last is None or last.parent.name in _UNSHOWN or start not in last.data:
        return None
    return offset


RULE = Rule(
    id="markdown-fence",
    severity="error",
    reason="What was wrapped round the page in the answer is shown as text on it.",
    fix="Write the page alone, from <!doctype html> to </html>.",
    bad="```html\n<!doctype html><p>Hello</p>\n```",
    good="<!doctype html><p>Hello</p>",
    check=_check,
)
