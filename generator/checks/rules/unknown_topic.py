"""``unknown-topic``: whatever a guide tells the reader to fetch exists.

Read are links to ``name.md`` beside the guide, and ``reasoning_guide(...)`` calls in code spans and
samples, the calls written as JSON among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from generator.checks.corpus import Corpus, Shelf
from generator.checks.document import Document
from generator.checks.rules.base import Check, Problem, guide_example

# Where guides lie, seen from a guide or from a bundle.
GUIDE_LINK = re.compile(r"(?:\./|\.\./guides/)?([a-z][a-z0-9_]*)\.md(?=[#?]|\Z)")
_CALL = re.compile(r"\breasoning_guide\(")
_JSON_CALL = re.compile(r"\"tool\"\s*:\s*\"reasoning_guide\"")
_TOPICS = re.compile(r"[\"']topics?[\"']\s*:\s*(\[[^\]]{0,2000}\]|\"[^\"\n]{0,200}\")")
_QUOTED = re.compile(r"\"([^\"\n]*)\"|'([^'\n]*)'")
_BARE = re.compile(r"(?<![\w.\"'])([a-z][a-z0-9_]*)(?![\w\"'(=:.])")
_KEYWORD = re.compile(r"\b(?!topics?\b)[a-z_]+\s*=\s*(?:\"[^\"\n]*\"|'[^'\n]*'|\w+)")
_NAME = re.compile(r"[A-Za-z][\w-]*\Z")
_LONGEST_CALL = 2_000


def _check(document: Document, corpus: Corpus) -> Iterator[Problem]:
    shelf = corpus.shelf(document)
    for prose in document.prose:
        for link in prose.links:
            found = GUIDE_LINK.match(link.target)
            if found and not link.image:
                yield from _judge(
                    document, shelf, found[1], prose.start + link.target_start + found.start(1)
                )
        for span in prose.spans:
            if "reasoning_guide(" in span.text:
                start = prose.start + span.start
                for name, at in topics_named(document.text[start : prose.start + span.end]):
                    yield from _judge(document, shelf, name, start + at)
    for sample in document.samples:
        if sample.wrong or "reasoning_guide" not in sample.code:
            continue
        start = document.text_places.index(sample.line + 1)
        end = start + len(sample.code) + 4 * sample.code.count("\n")
        for name, at in topics_named(document.text[start:end]):
            yield from _judge(document, shelf, name, start + at)


def topics_named(text: str) -> Iterator[tuple[str, int]]:
    """Yield the topics that ``reasoning_guide`` calls in a text ask for, with their indexes."""
    for call in _CALL.finditer(text):
        end = text.find(")", call.end(), call.end() + _LONGEST_CALL)
        arguments = text[call.end() : end if end >= 0 else call.end()]
        # Other arguments are no topics; a colon outside quotes makes it a signature.
        plain = _KEYWORD.sub(lambda found: " " * len(found[0]), arguments)
        if ":" in _QUOTED.sub("", plain):
            continue
        for found in _QUOTED.finditer(plain):
            group = 1 if found[1] is not None else 2
            yield found[group], call.end() + found.start(group)
        for found in _BARE.finditer(_QUOTED.sub(lambda quoted: " " * len(quoted[0]), plain)):
            if found[1] not in ("topic", "topics", "true", "false"):
                yield found[1], call.end() + found.start(1)
    for call in _JSON_CALL.finditer(text):
        listed = _TOPICS.search(text, call.end(), call.end() + _LONGEST_CALL)
        for found in _QUOTED.finditer(listed[1]) if listed else ():
            assert listed is not None
            yield found[1] or found[2] or "", listed.start(1) + found.start() + 1


def _judge(document: Document, shelf: Shelf, name: str, index: int) -> Iterator[Problem]:
    if name in shelf.names or not _NAME.match(name):
        return
    close = get_close_matches(name, list(shelf.names), n=1, cutoff=0.5)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    yield Problem(
        place=document.place(index),
        message=f"There is no topic {name!r}.",
        fix=f"{hint}Topics: {', '.join(sorted(set(shelf.names.values()))[:40])}.",
    )


CHECK = Check(
    id="unknown-topic",
    severity="error",
    reason="A reader that asks for a topic that does not exist gets an error and no rules at all.",
    fix="Name a topic that exists.",
    bad={
        "lending.md": guide_example(
            '## Lending\n\nWhen the lock fails, fetch `reasoning_guide(topics=["tool_eror"])`.\n'
        )
    },
    good={
        "lending.md": guide_example(
            '## Lending\n\nWhen the lock fails, fetch `reasoning_guide(topics=["tool_error"])`.\n'
        )
    },
    document=_check,
    guides_only=True,
)
