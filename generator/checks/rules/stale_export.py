"""``stale-export``: the exported site holds what the guides compile to now, byte for byte.

Compared are the texts that agents fetch: each topic, each named bundle. When the shipped and the
user's guides are checked, whoever calls passes in what a whole new export would write otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from generator.checks.corpus import Corpus, Shelf
from generator.checks.document import Document, Place
from generator.checks.exported import ExportedSite
from generator.checks.rules.base import Check, Problem, guide_example
from generator.guides.compose import join


def _check(corpus: Corpus) -> Iterator[Problem]:
    site = corpus.site
    if site is None:
        return
    if site.stale is not None:
        for name, what in site.stale.items():
            place = Place(site.root.joinpath(*name.split("/")), 1, 1)
            yield Problem(place=place, message=f"{name} {what}.")
        return
    for shelf in corpus.shelves:
        for guide in shelf.guides.values():
            yield from _topic(site, guide)
        yield from _bundles(site, shelf)


def _topic(site: ExportedSite, guide: Document) -> Iterator[Problem]:
    if guide.traced.failure is not None:
        return  # what it should be is not known; the template rule says why
    name = f"guides/{guide.topic}.md"
    held = site.read(name)
    if held is None:
        place = Place(guide.path, 1, 1)
        yield Problem(place=place, message=f"The export has no {name}.")
    elif (differs := _difference(held, guide.joined)) is not None:
        yield Problem(
            place=Place(site.root / name, differs, 1),
            message=f"{name} is not what {guide.name} compiles to now.",
        )
    record = site.read(f"guides/{guide.topic}.json")
    try:
        body = json.loads(record)["body"] if record is not None else None
    except (ValueError, KeyError, TypeError, RecursionError):
        body = ""
    if body is not None and body != guide.joined:
        yield Problem(
            place=Place(site.root / f"guides/{guide.topic}.json", 1, 1),
            message=f"guides/{guide.topic}.json is not what {guide.name} compiles to now.",
        )


def _bundles(site: ExportedSite, shelf: Shelf) -> Iterator[Problem]:
    for name, topics in shelf.bundles.items():
        file = f"bundles/{name}.md"
        held = site.read(file)
        guides = [shelf.guides[topic] for topic in topics]
        if held is None or any(guide.traced.failure for guide in guides):
            continue
        differs = _difference(held, join([guide.joined for guide in guides]))
        if differs is not None:
            yield Problem(
                place=Place(site.root / file, differs, 1),
                message=f"{file} is not what its guides compile to now.",
            )


def _difference(held: bytes, wanted: str) -> int | None:
    """Return the first line that differs, from 1; None when the bytes are the same."""
    new = wanted.encode()
    if held == new:
        return None
    lines = zip(held.split(b"\n"), new.split(b"\n"), strict=False)
    same = next((number for number, (a, b) in enumerate(lines, 1) if a != b), None)
    return same or min(held.count(b"\n"), new.count(b"\n")) + 1


_GUIDE = guide_example("## Lending a bicycle\n\nWrite down its number.\n")

CHECK = Check(
    id="stale-export",
    severity="error",
    reason="Agents fetch the exported files: a rule that was changed in the guide alone never "
    "reaches them.",
    fix="Export the site again: fieldguide build.",
    bad={
        "lending.md": _GUIDE,
        "site/llms.txt": "# Guides\n",
        "site/guides/lending.md": "## lending\n\n### Lending a bicycle\n\nAsk for a name.\n",
    },
    good={
        "lending.md": _GUIDE,
        "site/llms.txt": "# Guides\n",
        "site/guides/lending.md": "## lending\n\n### Lending a bicycle\n\nWrite down its number.\n",
    },
    corpus=_check,
    needs_site=True,
)
