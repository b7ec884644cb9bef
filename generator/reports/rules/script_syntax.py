"""``script-syntax``: every script parses, and classic scripts do not clash.

Classic blocks are parsed as scripts, ``type=module`` as modules, event handlers as function
bodies, ``javascript:`` addresses as scripts. Classic scripts share one scope: a second ``let``,
``const`` or ``class`` of a name makes the browser drop the whole later script, and so does one of
``top``, ``location``, ``document`` or ``window``, which the browser itself declares. A script that
is nested deeper than can be judged is told apart from one with an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator import limits
from generator.reports.javascript.moments import script_moment
from generator.reports.page import Page
from generator.reports.rules.base import Problem, Rule
from generator.reports.scripts import Script

_LEXICAL = frozenset({"let", "const", "class"})
#: Properties of window that cannot be declared again.
_TAKEN = frozenset({"window", "document", "location", "top", "undefined", "NaN", "Infinity"})
_WHAT = {
    "classic": "This script",
    "module": "This module",
    "handler": "This event handler",
    "url": "This javascript: address",
}


def _check(page: Page) -> Iterator[Problem]:
    for script, failure in page.failures.items():
        if not script.runs:
            continue
        what = _WHAT[script.kind]
        if failure.too_deep:
            yield Problem(
                offset=script.locate(failure.index),
                message=f"{what} is nested too deep to be judged.",
                fix="Write it flatter, or move the data into a JSON block.",
            )
            continue
        yield Problem(
            offset=script.locate(failure.index),
            message=f"{what} does not parse, so none of it runs: {_plain(failure.message)}.",
            fix=_advice(script, failure.message, page),
        )
    if page.too_long:
        yield Problem(
            offset=page.too_long[0].locate(0),
            message="From here on the page holds more script than is judged: "
            f"{limits.REPORT_SCRIPT_CHARACTERS_MAX:,} characters at most, listed builds of "
            "libraries left out.",
            fix="Move data into a JSON block, load libraries by address, and give many elements "
            "one listener instead of a handler each.",
        )
    yield from _clashes(page)


def _plain(message: str) -> str:
    return message.rstrip(".").replace("Unexpected token ILLEGAL", "unexpected character or end")


def _advice(script: Script, message: str, page: Page) -> str:
    if script.kind == "classic" and ("import" in message or "export" in message):
        return 'Write <script type="module"> for scripts with import or export.'
    following = page.source[script.locate(len(script.text)) :][:9].lower()
    if script.kind == "classic" and following.startswith("</script") and "ILLEGAL" in message:
        return "Close every string and template; write </script> inside a string as <\\/script>."
    return "Correct the script at this place."


def _clashes(page: Page) -> Iterator[Problem]:
    """Find names that two classic scripts declare, in the order the scripts run."""
    lexical: set[str] = set()
    variables: set[str] = set()
    declarations: dict[Script, list[tuple[str, str, int]]] = {
        program.script: [
            (binding.name, binding.kind, program.offset(binding.node))
            for binding in program.declared
        ]
        for program in page.programs
        if program.script.kind == "classic"
    }
    for script, verdict in page.verdicts.items():
        declarations[script] = [
            (name, kind, script.locate(index)) for name, kind, index in verdict.declared
        ]
    for script in sorted(declarations, key=script_moment):
        problem = _clash(declarations[script], lexical, variables)
        if problem is not None:
            # The browser drops this script, so it declares nothing for those after it.
            yield problem
            continue
        for name, kind, _ in declarations[script]:
            (lexical if kind in _LEXICAL else variables).add(name)


def _clash(
    declared: list[tuple[str, str, int]], lexical: set[str], variables: set[str]
) -> Problem | None:
    for name, kind, offset in declared:
        is_lexical = kind in _LEXICAL
        taken = name in _TAKEN and (is_lexical or kind == "function")
        if taken:
            why = f"the browser declares {name} itself"
        elif name in lexical or (is_lexical and name in variables):
            why = f"an earlier script of the page declares {name}, and classic scripts share names"
        else:
            continue
        return Problem(
            offset=offset,
            message=f"{name} is declared again, so none of this script runs: {why}.",
            fix="Use another name, or put the script into a block { ... } or a module.",
        )
    return None


RULE = Rule(
    id="script-syntax",
    severity="error",
    reason="One syntax error drops the whole script, without a word on the page.",
    fix="Correct the script at this place.",
    bad="<script>const rows = [1, 2;</script>",
    good="<script>const rows = [1, 2];</script>",
    check=_check,
)
