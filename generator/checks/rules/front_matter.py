"""``front-matter``: a guide says what it is, in the keys that everything else reads.

The same demands as the loader's, each at its own line, and all of them at once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from typing import Any

from generator import limits
from generator.checks.corpus import Corpus, aliases
from generator.checks.document import Document, Place
from generator.checks.rules.base import Check, Problem, guide_example
from generator.exceptions import FrontMatterError
from generator.guides.loader import KEYS, LISTS, REQUIRED, is_topic_name
from generator.markup.front_matter import FrontMatter

_LONGEST = {
    "title": limits.GUIDE_TITLE_CHARACTERS,
    "summary": limits.GUIDE_SUMMARY_CHARACTERS,
}


def _check(document: Document, corpus: Corpus) -> Iterator[Problem]:
    top = Place(document.path, 1, 1)
    if not is_topic_name(document.topic):
        yield Problem(
            place=top,
            message=f"The file name {document.path.name!r} is no topic name.",
            fix="Use small Latin letters, digits and single underscores, such as web_search.md.",
        )
    front = document.front
    if isinstance(front, FrontMatterError):
        yield Problem(
            place=Place(document.path, front.line, front.column),
            message=f"The front matter cannot be read: {front.reason}.",
            fix="Write 'key: value' lines between two lines of '---'; quote values with a colon.",
        )
        return
    if not front.present:
        yield Problem(
            place=top,
            message="There is no front matter.",
            fix=f"Begin the file with '---', the keys {', '.join(REQUIRED)}, and '---'.",
        )
        return
    for key, value in front.values.items():
        place = Place(document.path, front.lines[key], _column(document, front.lines[key], key))
        for message, fix in _value_problems(key, value):
            yield Problem(place=place, message=message, fix=fix)
    for key in REQUIRED:
        if key not in front.values:
            yield Problem(
                place=top,
                message=f"The front matter has no {key!r}.",
                fix=f"Add a line '{key}: ...'.",
            )
    yield from _alias_problems(document, front, corpus)
    if not front.body.strip():
        line = min(front.body_line, document.source.count("\n") + 1)
        yield Problem(
            place=Place(document.path, line, 1),
            message="There is no text below the front matter.",
            fix="Write the rules, from a level-2 heading down.",
        )


def _value_problems(key: str, value: Any) -> Iterator[tuple[str, str | None]]:
    if key not in KEYS:
        close = get_close_matches(key, KEYS, n=1)
        known = f"Write {close[0]!r}." if close else f"The keys are {', '.join(KEYS)}."
        yield f"{key!r} is not a key of a guide.", known
    elif key in LISTS:
        if not isinstance(value, list) or not all(
            isinstance(item, str) and item and not re.search(r"\s", item) for item in value
        ):
            yield f"{key!r} is no list of names.", f"Write it as '{key}: [one, two]'."
    elif not isinstance(value, str) or not value.strip():
        yield f"{key!r} has no text.", "Write one line of text."
    elif "\n" in value.strip():
        yield f"{key!r} has more than one line.", "Write one line of text."
    elif len(value) > _LONGEST.get(key, limits.GUIDE_SUMMARY_CHARACTERS):
        most = _LONGEST.get(key, limits.GUIDE_SUMMARY_CHARACTERS)
        yield (
            f"{key!r} has {len(value):,} characters; the most is {most:,}.",
            "Keep what tells the reader when to open the guide.",
        )


def _alias_problems(document: Document, front: FrontMatter, corpus: Corpus) -> Iterator[Problem]:
    """Report aliases that another guide answers to already."""
    names = corpus.shelf(document).names
    for alias in aliases(document):
        owner = names.get(alias, document.topic)
        if owner != document.topic:
            yield Problem(
                place=Place(document.path, front.lines["aliases"], 1),
                message=f"The alias {alias!r} already belongs to {owner}.",
                fix="Remove it from one of the two.",
            )


def _column(document: Document, line: int, key: str) -> int:
    text = document.source.split("\n", line)[line - 1]
    return max(text.find(key), 0) + 1


CHECK = Check(
    id="front-matter",
    severity="error",
    reason="Indexes, bundles and skills are made from the front matter: a guide without a summary "
    "is never opened, and an unknown key is a setting that nobody reads.",
    fix=f"A guide has the keys {', '.join(KEYS)}; {', '.join(REQUIRED)} are needed.",
    bad={"lending.md": "---\ntitle: Lending bicycles\nsumary: When lending.\n---\n\n## Lending\n"},
    good={"lending.md": guide_example("## Lending\n\nWrite down the number of the bicycle.\n")},
    document=_check,
    guides_only=True,
)
