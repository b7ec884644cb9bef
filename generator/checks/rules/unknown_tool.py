"""``unknown-tool``: a guide mentions only tools, arguments and values that some catalog has.

Judged are the ``tools`` of the front matter, calls in code spans and JSON samples (see
``generator.proofs.calls``), and a code span that the text calls a tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from generator.catalog.loader import Catalogs
from generator.checks.corpus import Corpus, front_values
from generator.checks.document import Document
from generator.checks.rules.base import Check, Problem, guide_example
from generator.proofs.calls import CallProblem, call_in_span, calls_in_sample, judge_call

_NAME = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+\Z")
_CALLED_BEFORE = re.compile(r"(?:\btools?|\b[Cc]all(?:s|ing)?)[ \n]+(?:the[ \n]+)?`\Z")
_CALLED_AFTER = re.compile(r"`[ \n]+tool\b")
_OWN_CATALOG = "or describe the tool in a catalog of your own (catalogs/ in the home)."


def _check(document: Document, corpus: Corpus) -> Iterator[Problem]:
    catalogs = corpus.catalogs
    renamed = {rename.old for rename in catalogs.renames() if rename.kind == "tool"}
    yield from _front_matter(document, catalogs, renamed)
    for prose in document.prose:
        for span in prose.spans:
            index = prose.start + span.start
            call = call_in_span(span.text, 1)
            if call is not None:
                if call.tool not in renamed:
                    for problem in judge_call(call, catalogs):
                        yield _problem(
                            document, catalogs, call.tool, problem, (index, prose.start + span.end)
                        )
            elif (
                _NAME.match(span.text)
                and _is_called_tool(prose.text, span.start, span.end)
                and not catalogs.knows(span.text)
                and span.text not in renamed
            ):
                yield _unknown(document, catalogs, span.text, index)
    for sample in document.samples:
        start = document.text_places.index(sample.line + 1)
        end = document.text_places.index(sample.line + 1 + sample.code.count("\n"))
        for call in calls_in_sample(sample):
            at = _find_call(document, call.tool, start, end)
            start = at + 1
            if call.tool not in renamed:
                for problem in judge_call(call, catalogs):
                    yield _problem(document, catalogs, call.tool, problem, (at, end))


def _front_matter(document: Document, catalogs: Catalogs, renamed: set[str]) -> Iterator[Problem]:
    tools = front_values(document).get("tools")
    front = document.source[: document.body_start]
    key = re.search(r"(?m)^tools\s*:", front)
    at = key.end() if key else 0
    for name in tools if isinstance(tools, list) else ():
        if not isinstance(name, str):
            continue
        found = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(front, at)
        at = found.end() if found else at
        if not catalogs.knows(name) and name not in renamed:
            place = document.source_place(found.start() if found else 0)
            yield Problem(
                place=place,
                message=f"No catalog has a tool {name!r}.",
                fix=_advice(name, catalogs),
            )


def _is_called_tool(text: str, start: int, end: int) -> bool:
    before = text[max(start - 30, 0) : start]
    return bool(_CALLED_BEFORE.search(before) or _CALLED_AFTER.match(text, end))


def _find_call(document: Document, tool: str, start: int, end: int) -> int:
    found = re.compile(rf"\"tool\"\s*:\s*\"{re.escape(tool)}\"").search(document.text, start, end)
    return found.end() - len(tool) - 1 if found else start


def _problem(
    document: Document,
    catalogs: Catalogs,
    tool: str,
    problem: CallProblem,
    within: tuple[int, int],
) -> Problem:
    index, end = within
    if problem.argument:
        name = re.escape(problem.argument)
        found = re.compile(rf"(?<!\w){name}(?=\"?\s*[=:])").search(document.text, index, end)
        index = found.start() if found else index
        arguments = sorted(
            {
                parameter.name
                for described in catalogs.named(tool)
                for parameter in described.parameters
            }
        )
        fix = f"Arguments of {tool}: {', '.join(arguments)}." if arguments else None
    else:
        fix = None if catalogs.named(tool) else _advice(tool, catalogs)
    message = (
        problem.reason[0].upper() + problem.reason[1:] if not problem.argument else problem.reason
    )
    return Problem(place=document.place(index), message=f"{message}.", fix=fix)


def _unknown(document: Document, catalogs: Catalogs, name: str, index: int) -> Problem:
    return Problem(
        place=document.place(index),
        message=f"No catalog has a tool {name!r}.",
        fix=_advice(name, catalogs),
    )


def _advice(name: str, catalogs: Catalogs) -> str:
    known = list(dict.fromkeys(tool.name for tool in catalogs.tools()))
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    return (
        f"Did you mean {close[0]!r}? Else correct it, {_OWN_CATALOG}"
        if close
        else f"Correct it, {_OWN_CATALOG}"
    )


CHECK = Check(
    id="unknown-tool",
    severity="error",
    reason="An agent that calls what does not exist loses a turn, and then guesses.",
    fix=f"Correct the name, {_OWN_CATALOG}",
    bad={
        "lending.md": guide_example('## Lending\n\nLook it up: `error_history(keywrod="lock")`.\n')
    },
    good={
        "lending.md": guide_example('## Lending\n\nLook it up: `error_history(keyword="lock")`.\n')
    },
    document=_check,
    guides_only=True,
)
