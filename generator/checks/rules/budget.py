"""``budget``: what an agent reads before it acts stays short.

Counted are tokens as everywhere (see ``generator.tokens``) of the text that is fetched.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator import limits
from generator.checks.corpus import Corpus
from generator.checks.document import Document, Place
from generator.checks.rules.base import Check, Problem, guide_example
from generator.counting import counted
from generator.tokens import count_characters, estimate_tokens, tokens_of_counts


def _check(document: Document, corpus: Corpus) -> Iterator[Problem]:
    budgets = corpus.budgets
    top = Place(document.path, 1, 1)
    if len(document.source.encode()) > limits.GUIDE_BYTES_MAX:
        yield Problem(
            place=top, message=f"The file is larger than {limits.GUIDE_BYTES_MAX:,} bytes."
        )
    if document.kind == "guide":
        what = f"The topic {document.topic}"
        tokens = estimate_tokens(document.joined)
        most = budgets.topics.get(document.topic, budgets.topic)
    else:
        what, most = "The file", budgets.rules
        tokens = estimate_tokens(document.text)
    if tokens >= most:
        yield Problem(place=top, message=_over(what, tokens, most))
    heads = [heading for heading in document.headings if heading.level == 2]
    ends = [heading.line for heading in heads[1:]] + [len(document.text_lines)]
    for heading, end in zip(heads, ends, strict=False):
        section = "\n".join(document.text_lines[heading.line : end])
        if len(section) < budgets.section:
            continue
        tokens = estimate_tokens(section)
        if tokens >= budgets.section:
            yield Problem(
                place=document.place(heading.index),
                message=_over(f"The section {heading.text!r}", tokens, budgets.section),
            )


def _check_bundles(corpus: Corpus) -> Iterator[Problem]:
    for shelf in corpus.shelves:
        counts = {topic: count_characters(guide.joined) for topic, guide in shelf.guides.items()}
        for name, topics in shelf.bundles.items():
            if len(topics) < 2:
                continue  # a bundle of one is that topic
            characters = sum(counts[topic][0] for topic in topics) + len(topics) - 1
            tokens = tokens_of_counts(characters, sum(counts[topic][1] for topic in topics))
            most = corpus.budgets.bundles.get(name, corpus.budgets.bundle)
            if tokens >= most:
                largest = max(topics, key=lambda topic: tokens_of_counts(*counts[topic]))
                yield Problem(
                    place=Place(shelf.guides[largest].path, 1, 1),
                    message=_over(f"The bundle {name!r} of {len(topics)} topics", tokens, most)
                    + f" {largest} is the largest of them.",
                )


def _over(what: str, tokens: int, most: int) -> str:
    return f"{what} has about {counted(tokens, 'token')}; it must stay under {most:,}."


CHECK = Check(
    id="budget",
    severity="error",
    reason="Every token of a guide is paid for on every fetch and takes room from the work.",
    fix="Cut what a capable agent does anyway, or split the topic.",
    bad={"lending.md": guide_example("## Lending\n\n" + "Write down the number. " * 600)},
    good={"lending.md": guide_example("## Lending\n\nWrite down the number of the bicycle.\n")},
    document=_check,
    corpus=_check_bundles,
)
