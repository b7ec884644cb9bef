"""``conflict``: two guides do not give two numbers for the same argument or limit.

Three forms of a number are read: the value of an argument in a code span (``tool(limit=8)``), a
limit in words near a tool or an argument ("`tool` returns at most 8 records", "8 by default"), and
a limit that has a name ("the search cap is 8"). Values that say where and not how much (offsets,
pages, dates) are no limits, and complete calls in samples are examples. What is said in words is
held against the catalog as well.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from generator.catalog.loader import Catalogs
from generator.checks.corpus import Corpus
from generator.checks.document import Document, Prose
from generator.checks.inline import blank
from generator.checks.rules.base import Check, Problem, guide_example
from generator.proofs.calls import call_in_span

# Arguments whose numbers differ from call to call.
_PLACES = frozenset(
    {
        "after", "at", "before", "column", "date", "day", "end", "from", "height", "id", "index",
        "line", "number", "offset", "page", "port", "position", "row", "rows", "seed", "since",
        "start", "to", "until", "version", "width", "x", "y", "year",
    }
)  # fmt: skip
_NUMBER = r"(?P<number>\d[\d,]*(?:\.\d+)?)(?![\w.]*\d)"
_UNIT = r"(?:[ \n]+(?P<unit>[a-z]{3,}))?"
_KINDS = {
    "max": (
        r"at[ \n]+most|up[ \n]+to|(?:no|not)[ \n]+more[ \n]+than|(?:a[ \n]+)?maximum(?:[ \n]+of|[ \n]+is)?|"
        r"limited[ \n]+to|capped[ \n]+at"
    ),
    "min": r"at[ \n]+least|(?:a[ \n]+)?minimum(?:[ \n]+of|[ \n]+is)?",
    "default": r"defaults?[ \n]+(?:is|to|of)",
}
_SAID = [
    *(
        (kind, re.compile(rf"\b(?:{words})[ \n]+{_NUMBER}{_UNIT}", re.IGNORECASE))
        for kind, words in _KINDS.items()
    ),
    ("max", re.compile(rf"(?<![\w.]){_NUMBER}{_UNIT}[ \n]+at[ \n]+(?:the[ \n]+)?most\b")),
    ("default", re.compile(rf"(?<![\w.]){_NUMBER}{_UNIT}[ \n]+by[ \n]+default\b")),
]
_NAMED = re.compile(
    rf"\b(?P<name>(?:[a-z]+[ \n]+){{1,3}}(?:limit|cap|maximum|minimum|default|budget|timeout|quota))"
    rf"[ \n]+(?:is|of|=)[ \n]+{_NUMBER}",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?;](?=\s|\Z)")
_TOOL = re.compile(r"([a-z][a-z0-9]*(?:_[a-z0-9]+)+|[a-z][a-z0-9]*(?=\())(?:\(|\Z)")
_ARGUMENT = re.compile(r"[a-z][a-z0-9_]*\Z")
_COUNTED = frozenset({"entrie", "hit", "item", "match", "record", "result", "row", ""})
_ARTICLE = re.compile(r"\A(?:(?:the|a|an|its|this|that|and|whose|with)[ \n]+)+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Claim:
    """A number that a text gives for something."""

    key: tuple[str, ...]
    number: float
    shown: str
    document: Document
    index: int

    @property
    def subject(self) -> str:
        """What the number is for, in words."""
        tool, argument, kind, unit = self.key
        kinds = {"max": "the most", "min": "the least", "default": "the default"}
        what = f"{argument} of {tool}" if argument and tool else argument or tool
        counted = f" ({unit}s)" if unit else ""
        return f"{kinds[kind]}{counted} for {what}" if kind in kinds else what


def _check(corpus: Corpus) -> Iterator[Problem]:
    for shelf in corpus.shelves:
        yield from _disagreements(list(shelf.guides.values()), corpus.catalogs)
    rules = list(corpus.rules_files())
    if rules:
        yield from _disagreements(rules, corpus.catalogs)


def _disagreements(documents: Iterable[Document], catalogs: Catalogs) -> Iterator[Problem]:
    first: dict[tuple[str, ...], _Claim] = {}
    told: dict[tuple[str, ...], set[float]] = defaultdict(set)
    for document in documents:
        for claim in _claims(document):
            fact = _fact(claim, catalogs) if document.kind == "guide" else None
            before = first.setdefault(claim.key, claim)
            if fact is not None and claim.number not in fact:
                known = " or ".join(f"{value:g}" for value in sorted(fact))
                yield Problem(
                    place=document.place(claim.index),
                    message=f"{_capital(claim.subject)} is {claim.shown} here, and {known} in the catalog.",
                )
            elif claim.number != before.number and claim.number not in told[claim.key]:
                told[claim.key].add(claim.number)
                line = before.document.place(before.index).line
                yield Problem(
                    place=document.place(claim.index),
                    message=f"{_capital(claim.subject)} is {claim.shown} here, and {before.shown} in "
                    f"{before.document.name}, line {line}.",
                )


def _claims(document: Document) -> Iterator[_Claim]:
    for prose in document.prose:
        if not re.search(r"\d", prose.text):
            continue
        for span in prose.spans:
            yield from _in_call(document, prose.start + span.start, span.text)
        yield from _in_words(document, prose)


def _in_call(document: Document, start: int, text: str) -> Iterator[_Claim]:
    call = call_in_span(text, 1) if "=" in text else None
    for name, value in call.arguments.items() if call else ():
        if isinstance(value, bool) or not isinstance(value, int | float) or name in _PLACES:
            continue
        assert call is not None
        found = re.compile(rf"\b{re.escape(name)}\s*=").search(document.text, start)
        index = found.start() if found else start
        yield _Claim((call.tool, name, "value", ""), float(value), f"{value:g}", document, index)


def _in_words(document: Document, prose: Prose) -> Iterator[_Claim]:
    text = blank(prose.text, prose.spans)
    ends = [found.end() for found in _SENTENCE.finditer(text)] + [len(text)]
    start = 0
    for end in ends:
        sentence = text[start:end]
        spans = [
            (span.start - start, span.text) for span in prose.spans if start <= span.start < end
        ]
        for kind, pattern in _SAID if spans else ():
            for found in pattern.finditer(sentence):
                tool, argument = _subject(spans, found.start())
                if tool:
                    unit = (found["unit"] or "").removesuffix("s") if not argument else ""
                    yield _claim(document, prose.start + start, found, (tool, argument, kind, unit))
        for found in _NAMED.finditer(sentence):
            name = _ARTICLE.sub("", " ".join(found["name"].lower().split()))
            if " " in name:
                yield _claim(document, prose.start + start, found, ("", name, "named", ""))
        start = end


def _claim(
    document: Document, start: int, found: re.Match[str], key: tuple[str, str, str, str]
) -> _Claim:
    shown = found["number"].rstrip(",")
    number = float(shown.replace(",", ""))
    return _Claim(key, number, shown, document, start + found.start("number"))


def _subject(spans: list[tuple[int, str]], before: int) -> tuple[str, str]:
    """Return the tool and the argument that a number in a sentence is about."""
    tool = argument = ""
    for at, text in spans:
        if at > before:
            break
        named = _TOOL.match(text)
        if named:
            tool, argument = named[1], ""
        elif _ARGUMENT.match(text):
            argument = text
        else:
            argument = ""
    return tool, argument


def _fact(claim: _Claim, catalogs: Catalogs) -> set[float] | None:
    """Return the numbers that catalogs have for what is claimed; None when they have none."""
    tool, argument, kind, unit = claim.key
    if kind not in ("max", "default") or (not argument and unit not in _COUNTED):
        return None
    facts: set[float] = set()
    for described in catalogs.named(tool):
        for parameter in described.parameters:
            if parameter.name == (argument or "limit"):
                value = parameter.max if kind == "max" else parameter.default
                if isinstance(value, int | float) and not isinstance(value, bool):
                    facts.add(float(value))
    return facts or None


def _capital(text: str) -> str:
    return text[0].upper() + text[1:] if text.startswith(("the ", "a ")) else text


CHECK = Check(
    id="conflict",
    severity="warning",
    reason="A reader who is told two numbers follows one of them, and nobody knows which.",
    fix="Keep one of the two; a number that several guides need comes from limits.<name>.",
    bad={
        "lending.md": guide_example("## Lending\n\nSearch with `memory_search(limit=20)` first.\n"),
        "repairs.md": guide_example("## Repairs\n\nSearch with `memory_search(limit=30)` first.\n"),
    },
    good={
        "lending.md": guide_example("## Lending\n\nSearch with `memory_search(limit=20)` first.\n"),
        "repairs.md": guide_example("## Repairs\n\nSearch with `memory_search(limit=20)` first.\n"),
    },
    corpus=_check,
)
