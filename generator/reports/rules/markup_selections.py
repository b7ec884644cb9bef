"""jQuery and d3: calls on their selections that read markup from a string."""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.reports.javascript.uses import Call
from generator.reports.javascript.values import Value, text_of
from generator.reports.page import Page
from generator.reports.rules.base import Problem
from generator.reports.rules.markup_values import is_empty, is_markup, problem
from generator.reports.rules.selections import selection_of

_SINGLE_TAG = re.compile(r"\s*<([a-zA-Z][\w-]*)\s*/?>(?:</\1>)?\s*\Z")
#: jQuery methods that read markup from a string.
_JQUERY = frozenset(
    {
        "append",
        "prepend",
        "before",
        "after",
        "replaceWith",
        "wrap",
        "wrapAll",
        "wrapInner",
        "add",
    }
)


def selection_call(page: Page, call: Call) -> Iterator[Problem]:
    """Report a call that makes markup of text through jQuery or d3."""
    evaluator = page.evaluator
    first = call.argument(0)
    if call.base is None:
        if call.natives & {("$",), ("jQuery",)} and first is not None:
            values = evaluator.values(first)
            if any(is_markup(value) and not _is_single_tag(value) for value in values):
                yield problem(call.offset, f"{call.names[0]}('<...>')")
        return
    if not call.names or first is None:
        return
    name = call.names[0]
    if name == "parseHTML" and call.natives & {("$", name), ("jQuery", name)}:
        yield problem(call.offset, "jQuery's parseHTML")
    elif name == "html" and selection_of(page, call.base):
        if not is_empty(evaluator.values(first)):
            yield problem(call.offset, "html()")
    elif name in _JQUERY and selection_of(page, call.base) == "jquery":
        values = evaluator.values(first)
        if any(is_markup(value) for value in values):
            yield problem(call.offset, f"jQuery's {name}()")


def _is_single_tag(value: Value) -> bool:
    """Tell whether text is one bare tag, from which jQuery makes an element without parsing."""
    return _SINGLE_TAG.match(text_of(value) or "") is not None
