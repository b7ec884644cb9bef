"""``anchor-collision``: an anchor leads to one heading, alone and in every named bundle."""

from __future__ import annotations

from collections.abc import Iterator

from generator.checks.corpus import Corpus, Shelf
from generator.checks.document import Document, Heading
from generator.checks.rules.base import Check, Problem, guide_example
from generator.markup.slugs import slug


def _check(document: Document, _: Corpus) -> Iterator[Problem]:
    first: dict[str, Heading] = {}
    for heading in document.headings:
        before = first.setdefault(heading.slug, heading)
        if before is not heading:
            line = document.place(before.index).line
            yield Problem(
                place=document.place(heading.index),
                message=f"The anchor #{heading.slug} of {heading.text!r} is that of the heading on "
                f"line {line} as well.",
            )


def _check_bundles(corpus: Corpus) -> Iterator[Problem]:
    for shelf in corpus.shelves:
        yield from _joined(shelf)


def _joined(shelf: Shelf) -> Iterator[Problem]:
    """Every bundle is a part of ``all``: what is told apart there is told apart everywhere."""
    topics = {slug(topic): topic for topic in shelf.guides}
    first: dict[str, Document] = {}
    for topic in sorted(shelf.guides):
        guide = shelf.guides[topic]
        own: set[str] = set()
        for heading in guide.headings:
            if heading.slug in own:
                continue
            own.add(heading.slug)
            before = first.setdefault(heading.slug, guide)
            if before is not guide:
                yield Problem(
                    place=guide.place(heading.index),
                    message=f"The anchor #{heading.slug} of {heading.text!r} is that of a heading "
                    f"in {before.topic} as well, once the two are joined{_bundles(shelf, before.topic, topic)}.",
                )
            elif topics.get(heading.slug, topic) != topic:
                yield Problem(
                    place=guide.place(heading.index),
                    message=f"The anchor #{heading.slug} of {heading.text!r} is that of the topic "
                    f"{topics[heading.slug]} in a joined bundle.",
                )


def _bundles(shelf: Shelf, *topics: str) -> str:
    names = [name for name, members in shelf.bundles.items() if set(topics) <= set(members)]
    return f" (bundles: {', '.join(names)})" if names else ""


CHECK = Check(
    id="anchor-collision",
    severity="error",
    reason="Two headings with one anchor: links reach only the first, and in a joined bundle that "
    "may stand in another topic.",
    fix="Name the subject in the heading, so that it stands once.",
    bad={
        "lending.md": guide_example("## When to ask\n\nAsk for a name.\n"),
        "repairs.md": guide_example("## When to ask\n\nAsk for the fault.\n"),
    },
    good={
        "lending.md": guide_example("## When to ask a borrower\n\nAsk for a name.\n"),
        "repairs.md": guide_example("## When to ask about a fault\n\nAsk for the fault.\n"),
    },
    document=_check,
    corpus=_check_bundles,
)
