"""``charset``: the page says that it is UTF-8, in its first 1,024 bytes.

A byte order mark says it too, and so does the older ``http-equiv`` form.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule

_FIRST_BYTES = 1024


def _check(page: Page) -> Iterator[Problem]:
    if page.document.has_mark:
        return
    for element in page.document.named("meta"):
        attributes = element.attributes
        old = attributes.get("http-equiv", "").lower() == "content-type" and "charset=" in (
            attributes.get("content", "").lower()
        )
        if "charset" in attributes or old:
            before = page.source[: element.place].encode("utf-8", errors="replace")
            if len(before) > _FIRST_BYTES:
                yield Problem(
                    offset=element.place,
                    message="The charset stands past the first 1,024 bytes, where browsers stop "
                    "looking for it.",
                )
            return
    yield Problem(offset=page.document.head_place, message="The page does not name its charset.")


RULE = Rule(
    id="charset",
    severity="warning",
    reason="Opened from disk, a page without charset shows wrong characters for all but ASCII.",
    fix="Write <meta charset=utf-8> first in the head.",
    bad="<head><title>Umsätze</title></head>",
    good="<head><meta charset=utf-8><title>Umsätze</title></head>",
    check=_check,
)
