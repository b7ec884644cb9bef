"""``boundary``: no heading looks like the join between two topics.

``reasoning_guide`` puts each guide under ``## <topic>`` and moves its headings one level down. A
reader that cuts the text at those headings is misled by a level-1 heading, by a heading that is
named like a topic, and by such a line inside a sample, where it is not moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.checks.corpus import Corpus
from generator.checks.document import Document, Heading
from generator.checks.rules.base import Check, Problem, guide_example

_FORGED = re.compile(r"##[ \t]+`?([A-Za-z][\w-]*)`?[ \t]*#*[ \t]*\Z")


def _check(document: Document, corpus: Corpus) -> Iterator[Problem]:
    names = corpus.shelf(document).names
    level = 1
    for heading in document.headings:
        yield from _judge(document, heading, level, names)
        level = heading.level
    for sample in document.samples:
        for number, line in enumerate(sample.code.split("\n") if "##" in sample.code else ()):
            forged = _FORGED.match(line)
            if (
                forged
                and forged[1] in names
                and not _indented(document, sample.line + number, line)
            ):
                yield Problem(
                    place=document.line_place(sample.line + 1 + number),
                    message=f"This line of a sample reads like the start of the topic {forged[1]}.",
                    fix="Indent it, or name another heading in the sample.",
                )


def _indented(document: Document, line: int, code: str) -> bool:
    """Tell whether a line of a sample stands behind a list's or a quote's indentation."""
    return line < len(document.text_lines) and document.text_lines[line] != code


def _judge(
    document: Document, heading: Heading, level: int, names: dict[str, str]
) -> Iterator[Problem]:
    place = document.place(heading.index)
    title = heading.text.strip().strip("`* ")
    if heading.level == 1:
        yield Problem(
            place=place,
            message=f"The heading {heading.text!r} is of level 1.",
            fix="Begin at level 2: the title stands in the front matter.",
        )
    elif heading.level > level + 1:
        yield Problem(
            place=place,
            message=f"The heading {heading.text!r} is of level {heading.level}, "
            + ("after one of level " + str(level) if level > 1 else "where level 2 begins")
            + ".",
            fix=f"Make it level {level + 1}.",
        )
    if title in names:
        yield Problem(
            place=place,
            message=f"The heading {heading.text!r} is named like a topic.",
            fix="Word it so that it cannot be taken for the start of that topic.",
        )


CHECK = Check(
    id="boundary",
    severity="error",
    reason="Topics are joined under '## <topic>' headings: a heading that looks like one makes the "
    "rest of a guide look like part of another.",
    fix="Begin at level 2, go down one level at a time, and name no heading like a topic.",
    bad={
        "lending.md": guide_example(
            "# Lending\n\nWrite down the number.\n\n## tool_error\n\nCall the shop.\n"
        )
    },
    good={
        "lending.md": guide_example(
            "## Lending a bicycle\n\nWrite down the number.\n\n### When the lock fails\n\nCall the shop.\n"
        )
    },
    document=_check,
    guides_only=True,
)
