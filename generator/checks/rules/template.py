"""``template``: a guide compiles, uses names that exist, and leaves no template marks behind.

Undefined names are found in the tree of the template, so that all of them are named at once and
those in a branch that is not taken as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from jinja2 import TemplateSyntaxError, meta, nodes

from generator import limits
from generator.checks.corpus import Corpus
from generator.checks.document import Document, Place
from generator.checks.inline import blank
from generator.checks.rules.base import Check, Edit, Problem, guide_example
from generator.checks.tracing import template_tokens
from generator.guides.compose import partials_folder
from generator.templating import GuideEnvironment, guide_environment, has_marks

_LEFT = re.compile(r"\{\{|\}\}|\{%|%\}|\{#|#\}")
_TRAILING = re.compile(r"[ \t]*(?:\}\}|%\}|#\})[ \t]*(?=\n|\Z)")
_NAMES = frozenset({"limits", "questions", "topic"})
_GUARDS = ("default", "d")


def _check(document: Document, _: Corpus) -> Iterator[Problem]:
    if document.kind == "guide" and has_marks(document.body):
        yield from _compiling(document)
    if document.traced.failure is not None and document.text == document.body:
        return  # it could not be compiled at all: every mark of it is left
    for prose in document.prose:
        yield from _left_over(document, blank(prose.text, prose.spans), prose.start)


def _compiling(document: Document) -> Iterator[Problem]:
    environment = guide_environment(partials_folder())
    undefined = list(_undefined(environment, document.body))
    for index, name in undefined:
        place = document.source_place(document.body_start + index)
        yield Problem(
            place=place,
            message=f"{name} is not defined.",
            fix=_known(name),
        )
    failure = document.traced.failure
    if failure is None:
        return
    if failure.partial:
        path = partials_folder() / failure.partial
        yield Problem(
            place=Place(path, failure.line, 1), message=f"{failure.reason}.", fix=failure.hint
        )
        return
    place = _place_of_failure(document, failure.line)
    told = {document.source_place(document.body_start + index).line for index, _ in undefined}
    if not (undefined and (place.line in told or "undefined" in failure.reason)):
        reason = failure.reason[0].upper() + failure.reason[1:]
        yield Problem(place=place, message=f"{reason}.", fix=failure.hint)


def _place_of_failure(document: Document, line: int) -> Place:
    """Return the first template mark on the line that Jinja names."""
    text = document.source.split("\n")[line - 1 : line]
    mark = re.search(r"\{[{%#]", text[0]) if text else None
    return Place(document.path, line, mark.start() + 1 if mark else 1)


def _undefined(environment: GuideEnvironment, source: str) -> Iterator[tuple[int, str]]:
    """Yield index and name of every use of a name that nothing defines."""
    try:
        tree = environment.parse(source)
        tokens = list(template_tokens(environment, source))
    except (TemplateSyntaxError, RecursionError):
        return
    known = limits.template_context()
    guarded = {node.name for node in _guarded(tree) if isinstance(node, nodes.Name)}
    unknown = meta.find_undeclared_variables(tree) - _NAMES - set(environment.globals) - guarded
    words = [(at, kind, value) for at, kind, value in tokens if kind not in ("whitespace", "data")]
    for number, (at, kind, value) in enumerate(words):
        if kind != "name":
            continue
        before = words[number - 1][2] if number else ""
        if value in unknown and before != ".":
            yield at, repr(value)
        elif value == "limits" and before != "." and number + 2 < len(words):
            dot, attribute = words[number + 1], words[number + 2]
            if dot[2] == "." and attribute[1] == "name" and attribute[2] not in known:
                yield at, repr(f"limits.{attribute[2]}")


def _guarded(tree: nodes.Template) -> Iterator[nodes.Node]:
    """Yield the names that a template asks for only to see whether they are there."""
    for test in tree.find_all(nodes.Test):
        if test.name in ("defined", "undefined"):
            yield test.node
    for chosen in tree.find_all(nodes.Filter):
        if chosen.name in _GUARDS and chosen.node is not None:
            yield chosen.node


def _known(name: str) -> str:
    from difflib import get_close_matches

    plain = name.strip("'").removeprefix("limits.")
    names = list(limits.template_context())
    close = get_close_matches(plain, names, n=1, cutoff=0.5)
    hint = f"Did you mean limits.{close[0]}? " if close else ""
    return (
        f"{hint}A guide may use topic, limits.<name>, questions and the macros of templates/guides."
    )


def _left_over(document: Document, text: str, start: int) -> Iterator[Problem]:
    for found in _LEFT.finditer(text):
        edits: tuple[Edit, ...] = ()
        trailing = _TRAILING.match(text, found.start())
        opened = re.search(r"\{[{%#]", text[text.rfind("\n", 0, found.start()) + 1 : found.start()])
        if trailing and not opened:
            before = len(text[: found.start()]) - len(text[: found.start()].rstrip(" \t"))
            index = start + found.start() - before
            source = document.source_index(index, before + 2)
            if source is not None:
                edits = (Edit(source, source + before + 2, ""),)
        yield Problem(
            place=document.place(start + found.start()),
            message=f"The template mark {found[0]} is left in the text.",
            edits=edits,
        )


CHECK = Check(
    id="template",
    severity="error",
    reason="A guide whose template fails is not delivered at all, and a mark that is left over shows "
    "a number that was never filled in.",
    fix="Complete the expression, or set the braces as code inside {% raw %} ... {% endraw %}.",
    bad={"lending.md": guide_example("## Lending\n\nAt most {{ limits.bicycles }} at once.\n")},
    good={
        "lending.md": guide_example(
            "## Lending\n\nAsk at most {{ limits.ask_questions_max }} questions.\n"
        )
    },
    document=_check,
    fixes="takes out closing marks at the end of a line that nothing opened",
)
