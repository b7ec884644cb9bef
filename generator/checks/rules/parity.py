"""``parity``: every part of an exported site holds the same topics."""

from __future__ import annotations

from collections.abc import Iterator

from generator.checks.corpus import Corpus
from generator.checks.document import Place
from generator.checks.rules.base import Check, Problem


def _check(corpus: Corpus) -> Iterator[Problem]:
    site = corpus.site
    if site is None:
        return
    every = frozenset().union(*(topics for _, topics in site.parts.values()))
    for label, (name, topics) in site.parts.items():
        for topic in sorted(every - topics):
            holders = [other for other, (_, held) in site.parts.items() if topic in held]
            yield Problem(
                place=Place(site.root / name, 1, 1),
                message=f"The topic {topic} is not in {label}, and is in {', '.join(holders)}.",
            )


_PARTS = ("guides/lending.html", "guides/lending.md", "guides/lending.json")
_WHOLE = {
    **{f"site/{name}": "..." for name in _PARTS},
    "site/guides/index.json": '{"guides": [{"topic": "lending"}]}',
    "site/llms.txt": "- [lending](guides/lending.md): Read before lending.\n",
    "site/skills/lending/SKILL.md": "...",
    "site/.well-known/agent-skills/index.json": '{"skills": [{"name": "lending"}]}',
    "site/search/places/0.js": 'found.places[0]=[[0,"guides/lending.html","Lending bicycles"]]',
}

CHECK = Check(
    id="parity",
    severity="error",
    reason="People browse the HTML, agents fetch the Markdown, clients list the skills: a topic that "
    "is missing from one of them does not exist for its readers.",
    fix="Export the site again: fieldguide build.",
    bad={name: text for name, text in _WHOLE.items() if name != "site/llms.txt"}
    | {"site/llms.txt": "# Guides\n"},
    good=_WHOLE,
    corpus=_check,
    needs_site=True,
)
