"""``obsolete-name``: no guide uses a name that the ledger of renames has replaced.

Tools and topics are found as whole words in prose, code spans and samples (in the code of a
programming language only where they are called and not defined by that code itself), modes and
arguments in calls, commands and markers as they stand. An alias in the front matter is no use of
the name. A name that a catalog of the user's own gives to a tool is current.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.checks.corpus import Corpus, front_values
from generator.checks.document import Document, Place
from generator.checks.inline import Span
from generator.checks.ledger import Ledger
from generator.checks.rules.base import Check, Edit, Problem, guide_example
from generator.model.catalog import Rename
from generator.proofs.samples import Sample

_TEXTUAL = frozenset(
    {"", "text", "txt", "markdown", "md", "json", "jsonl", "yaml", "yml", "console"}
)
_LONGEST_CALL = 2_000


def _check(document: Document, corpus: Corpus) -> Iterator[Problem]:
    ledger = corpus.ledger
    yield from _front_matter(document, ledger)
    for prose in document.prose:
        yield from _words(document, ledger, prose.text, prose.start)
        for span in prose.spans:
            yield from _calls(document, ledger, span, prose.start)
    for sample in document.samples:
        if not sample.wrong:
            yield from _sample(document, ledger, sample)


def _front_matter(document: Document, ledger: Ledger) -> Iterator[Problem]:
    """Judge the tools that the guide says it relies on, and the texts about it."""
    values = front_values(document)
    for key in ("tools", "summary", "title"):
        given = values.get(key)
        names = given if isinstance(given, list) else [given]
        text = " ".join(name for name in names if isinstance(name, str))
        if not ledger.pattern.search(text):
            continue
        block = document.source[: document.body_start]
        start = re.search(rf"(?m)^{key}\s*:", block)
        end = re.search(r"(?m)^\S", block[start.end() :]) if start else None
        if start and end:
            stop = start.end() + end.start()
            for found in ledger.pattern.finditer(block, start.end(), stop):
                index = found.start()
                yield _problem(
                    document, document.source_place(index), _rename(ledger, found), index
                )


def _words(document: Document, ledger: Ledger, text: str, start: int) -> Iterator[Problem]:
    for found in ledger.pattern.finditer(text):
        rename = _rename(ledger, found)
        index = start + found.start()
        source = document.source_index(index, len(rename.old))
        yield _problem(document, document.place(index), rename, source)


def _rename(ledger: Ledger, found: re.Match[str]) -> Rename:
    groups = found.groupdict()
    if groups.get("word"):
        return ledger.words[groups["word"]]
    if groups.get("command"):
        return ledger.commands[groups["command"]]
    return ledger.markers[groups["marker"]]


def _calls(document: Document, ledger: Ledger, span: Span, start: int) -> Iterator[Problem]:
    """Judge modes and arguments of ``tool(name=value)`` in a code span."""
    text = document.text[start + span.start : start + span.end]
    yield from _written_calls(document, ledger, text, start + span.start)


def _written_calls(document: Document, ledger: Ledger, text: str, start: int) -> Iterator[Problem]:
    for call in ledger.call.finditer(text):
        end = _closing(text, call.end())
        for rename in ledger.in_calls:
            if rename.tool != call["tool"]:
                continue
            pattern = (
                rf"\bmode\s*=\s*[\"']?(?P<old>{re.escape(rename.old)})\b"
                if rename.kind == "mode"
                else rf"(?<![\w.\"'])(?P<old>{re.escape(rename.old)})\s*="
            )
            found = re.compile(pattern).search(text, call.end(), end)
            if found:
                yield _problem(document, document.place(start + found.start("old")), rename, None)


def _closing(text: str, start: int) -> int:
    """Return where the parenthesis that was opened before ``start`` closes."""
    depth = 1
    for found in re.compile(r"[()]").finditer(text, start, start + _LONGEST_CALL):
        depth += 1 if found[0] == "(" else -1
        if depth == 0:
            return found.start()
    return min(len(text), start + _LONGEST_CALL)


def _sample(document: Document, ledger: Ledger, sample: Sample) -> Iterator[Problem]:
    start = document.text_places.index(sample.line + 1)
    end = start + len(sample.code) + 4 * sample.code.count("\n")
    last = document.text_places.index(sample.line + 1 + sample.code.count("\n"))
    text = document.text[start : max(min(end, last), start)]
    if sample.language in _TEXTUAL:
        yield from _words(document, ledger, text, start)
    else:
        for found in ledger.pattern.finditer(text):
            rename = _rename(ledger, found)
            called = text.startswith("(", found.end())
            if called and not _defines(text, rename.old):
                source = document.source_index(start + found.start(), len(rename.old))
                yield _problem(document, document.place(start + found.start()), rename, source)
    yield from _written_calls(document, ledger, text, start)
    for call in ledger.json_call.finditer(text):
        for rename in ledger.in_calls:
            if rename.tool == call["tool"]:
                used = _in_json(rename).match(text, call.end(), call.end() + _LONGEST_CALL)
                if used:
                    place = document.place(start + used.start("old"))
                    yield _problem(document, place, rename, None)


def _in_json(rename: Rename) -> re.Pattern[str]:
    """Match a mode or an argument of the call that begins there, and of no later one."""
    old = re.escape(rename.old)
    near = r"(?:(?!\"tool\"\s*:)[\s\S]){0,1500}?"
    if rename.kind == "mode":
        return re.compile(rf"{near}\"mode\"\s*:\s*\"(?P<old>{old})\"")
    return re.compile(rf"{near}\"(?P<old>{old})\"\s*:")


def _defines(text: str, name: str) -> bool:
    """Tell whether code defines or imports a name itself."""
    old = re.escape(name)
    return (
        re.search(
            rf"\b(?:def|function|class|fn|func|const|let|var)\s+{old}\b|\bimport\b[^\n]*\b{old}\b"
            rf"|(?m:^\s*{old}\s*=[^=])",
            text,
        )
        is not None
    )


def _problem(document: Document, place: Place, rename: Rename, source: int | None) -> Problem:
    old = f"{rename.tool}({rename.kind if rename.kind == 'argument' else 'mode'} {rename.old})"
    shown = old if rename.tool else rename.old
    since = f" since {rename.since}" if rename.since else ""
    if rename.new is None:
        message = f"{shown} is gone{since}."
        fix = rename.note or "Take it out."
    else:
        message = f"{shown} is called {rename.new} now{since and ',' + since}."
        called = f"{rename.new} with {rename.with_}" if rename.with_ else rename.new
        fix = f"Write {called}." + (f" {rename.note}" if rename.note else "")
    edits: tuple[Edit, ...] = ()
    if rename.fixable and rename.new and source is not None and place.path == document.path:
        edits = (Edit(source, source + len(rename.old), rename.new),)
    return Problem(place=place, message=message, fix=fix, edits=edits)


CHECK = Check(
    id="obsolete-name",
    severity="error",
    reason="A call under an old name fails, or reaches something else that has taken the name.",
    fix="Write the current name.",
    bad={"lending.md": guide_example("## Lending\n\nSave the receipt with `write_report`.\n")},
    good={"lending.md": guide_example("## Lending\n\nSave the receipt with `write_result`.\n")},
    document=_check,
    guides_only=True,
    fixes="puts the current name where the old one stood, when nothing else has to change",
)
