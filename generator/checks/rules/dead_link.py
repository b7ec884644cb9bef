"""``dead-link``: a link leads to a file and an anchor that are there, also in a joined bundle.

Addresses on the web are not fetched. In a bundle, links between guides are written as names; any
other relative path leads nowhere from there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from urllib.parse import unquote

from generator.checks.corpus import Corpus
from generator.checks.document import Document, Prose
from generator.checks.inline import Link
from generator.checks.rules.base import Check, Problem, guide_example
from generator.checks.rules.unknown_topic import GUIDE_LINK
from generator.markup.front_matter import normalise
from generator.markup.outline import outline
from generator.markup.slugs import slug, unique_anchors

_ELSEWHERE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\{|<")
_HTML_ANCHOR = re.compile(r"<[A-Za-z][^<>]{0,200}?\b(?:id|name)\s*=\s*[\"']([^\"'<>]{1,200})[\"']")
_MARKDOWN = (".md", ".mdc", ".markdown")
_READ_MOST = 2_000_000  # bytes of a linked file that is looked into for its anchors


def _check(document: Document, corpus: Corpus) -> Iterator[Problem]:
    for prose in document.prose:
        for link in prose.links:
            target = link.target.strip()
            if target and not _ELSEWHERE.match(target):
                yield from _judge(document, corpus, prose, link)


def _judge(document: Document, corpus: Corpus, prose: Prose, link: Link) -> Iterator[Problem]:
    path, _, anchor = unquote(link.target).partition("#")
    path = path.partition("?")[0]
    anchor = anchor.lower()
    problem = None
    if not path:
        problem = _within(document, corpus, anchor) if anchor else None
    elif document.kind == "guide" and not link.image and (topic := GUIDE_LINK.match(path)):
        problem = _to_topic(document, corpus, topic[1], anchor)
    else:
        problem = _to_file(document, path, anchor)
    if problem:
        message, fix = problem
        yield Problem(
            place=document.place(prose.start + link.target_start), message=message, fix=fix
        )


def _within(document: Document, corpus: Corpus, anchor: str) -> tuple[str, str | None] | None:
    if anchor not in document.anchors | _html_anchors(document.text):
        return f"There is no heading #{anchor} in this file.", _nearest(anchor, document.anchors)
    if document.kind != "guide":
        return None
    for other in corpus.shelf(document).guides.values():
        if other is document:
            break
        if anchor in other.anchors:
            return (
                f"In a joined bundle #{anchor} leads to the heading of that name in {other.topic}.",
                "Name the subject in the heading, and link to that.",
            )
    return None


def _to_topic(
    document: Document, corpus: Corpus, topic: str, anchor: str
) -> tuple[str, str | None] | None:
    shelf = corpus.shelf(document)
    guide = shelf.find(topic)
    if guide is None:
        return f"{topic}.md leads nowhere: there is no such guide.", _nearest(topic, shelf.names)
    if anchor and anchor not in guide.anchors and anchor != slug(topic):
        return f"There is no heading #{anchor} in {topic}.md.", _nearest(anchor, guide.anchors)
    return None


def _to_file(document: Document, path: str, anchor: str) -> tuple[str, str | None] | None:
    if path.startswith("/"):
        root = _repository(document.path)
        if root is None:
            return None
        target = root / path.lstrip("/")
    else:
        target = document.path.parent / path
    try:
        exists = target.exists()
    except (OSError, ValueError):
        exists = False
    if not exists:
        return f"{path} leads nowhere: there is no such file.", None
    if document.kind == "guide" and not path.startswith("figures/"):
        return (
            f"{path} leads nowhere once the guide is fetched or joined: only guides and their "
            "figures are exported.",
            "Say in the guide what the reader needs, or link to an address on the web.",
        )
    if anchor and target.suffix.lower() in _MARKDOWN:
        anchors = _anchors_of(target)
        if anchors is not None and anchor not in anchors:
            return f"There is no heading #{anchor} in {path}.", _nearest(anchor, anchors)
    return None


def _anchors_of(path: Path) -> frozenset[str] | None:
    """Return the anchors of a linked file; None when it cannot be looked into."""
    try:
        if not path.is_file() or path.stat().st_size > _READ_MOST:
            return None
        text = normalise(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return None
    slugs = [
        slug(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", block.text))
        for block in outline(text).headings
    ]
    return frozenset(unique_anchors(slugs)) | _html_anchors(text)


def _html_anchors(text: str) -> frozenset[str]:
    """Return the anchors that HTML in a text sets; whoever renders it may keep them."""
    return frozenset(found[1].lower() for found in _HTML_ANCHOR.finditer(text))


def _repository(path: Path) -> Path | None:
    return next((folder for folder in path.parents if (folder / ".git").exists()), None)


def _nearest(name: str, known: object) -> str | None:
    names = sorted(str(item) for item in known) if isinstance(known, frozenset | dict) else []
    close = get_close_matches(name, names, n=1, cutoff=0.5)
    return f"Did you mean {close[0]!r}?" if close else None


CHECK = Check(
    id="dead-link",
    severity="error",
    reason="A reader that follows a dead link loses the thread, and what it needed is not there.",
    fix="Correct the target, or remove the link.",
    bad={
        "lending.md": guide_example(
            "## Lending\n\nFees are in [the table](#prices).\n\n## Fees\n\nTwo euros a day.\n"
        )
    },
    good={
        "lending.md": guide_example(
            "## Lending\n\nFees are in [the table](#fees).\n\n## Fees\n\nTwo euros a day.\n"
        )
    },
    document=_check,
)
