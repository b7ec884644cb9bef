"""Bodies of guides as HTML and for search, on more than one core when there are many of them."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

from generator.export.figures import drawings_key, drawn_fences
from generator.export.finding.records import make_record
from generator.export.library import Entry
from generator.export.memo import pack
from generator.export.outputs import digest
from generator.export.site import Found
from generator.markup.markdown import LABELS, Options, Rendered, render_markdown
from generator.model.guide import Guide

# Below this a second process costs more than it saves.
_MANY = 200
_SHARE = 20  # bodies that a process takes at a time
_HELPERS_MAX = 3


@dataclass(frozen=True, slots=True)
class Body:
    """A guide's text on its way to HTML.

    Attributes:
        key: Digest that its HTML is kept under.
        guide: The guide.
        markdown: Its compiled text.
    """

    key: str
    guide: Guide
    markdown: str


def body_of(entry: Entry) -> Body:
    """Return the text of a guide that its page shows."""
    drawings = drawings_key(entry.guide)
    key = digest(entry.key, drawings) if drawings else entry.key
    return Body(key, entry.guide, entry.compiled.markdown)


def render_bodies(
    bodies: Sequence[Body], names: Mapping[str, str], labels: Mapping[str, str] = LABELS
) -> dict[str, Rendered]:
    """Render texts of guides.

    Args:
        bodies: The texts.
        names: Current topic behind every topic and alias: links and code that name one lead to
            its page.
        labels: What a screen reader is told in a user's own guides; those that ship are English.

    Returns:
        The HTML by key.
    """

    def link(address: str) -> str:
        name, dot, rest = address.removeprefix("./").partition(".md")
        known = dot and name in names and rest[:1] in ("", "#")
        return f"{names[name]}.html{rest}" if known else address

    rendered = {}
    for body in bodies:

        def code_link(text: str, topic: str = body.guide.topic) -> str | None:
            target = names.get(text)
            return f"{target}.html" if target not in (None, topic) else None

        options = Options(
            link=link,
            code_link=code_link,
            fences=drawn_fences(body.guide),
            labels=labels if body.guide.origin == "user" else LABELS,
        )
        rendered[body.key] = render_markdown(body.markdown, options)
    return rendered


def place_of(guide: Guide, rendered: Rendered) -> Found:
    """Return a guide as a place that search finds."""
    names = " ".join((guide.topic, *guide.aliases))
    return Found(
        path=f"guides/{guide.topic}.html",
        title=guide.title.replace("`", ""),
        text=f"{guide.summary}\n{rendered.text}\n{names}",
    )


@dataclass(frozen=True, slots=True)
class Made:
    """What the pages and the search need of a body.

    Attributes:
        rendered: Its HTML.
        record: What search knows of it.
        packed: The same as the memo keeps it.
    """

    rendered: Rendered
    record: dict[str, Any]
    packed: bytes


def make_bodies(
    bodies: Sequence[Body], names: Mapping[str, str], labels: Mapping[str, str] = LABELS
) -> dict[str, Made]:
    """Render texts of guides and cut them into tokens.

    Args:
        bodies: The texts.
        names: As :func:`render_bodies` takes them.
        labels: Likewise.

    Returns:
        What was made, by key.
    """
    made = {}
    for body in bodies:
        rendered = render_bodies([body], names, labels)[body.key]
        record = make_record([place_of(body.guide, rendered)])
        made[body.key] = Made(rendered, record, pack(record))
    return made


def make_many(
    bodies: Sequence[Body], names: Mapping[str, str], labels: Mapping[str, str] = LABELS
) -> dict[str, Made]:
    """Make bodies as :func:`make_bodies` does, with helper processes when there are many.

    Returns:
        What was made, the same whoever made it.
    """
    helpers = min((os.cpu_count() or 1) - 1, _HELPERS_MAX)
    if helpers < 1 or len(bodies) < _MANY:
        return make_bodies(bodies, names, labels)
    shares = [bodies[at : at + _SHARE] for at in range(0, len(bodies), _SHARE)]
    made: dict[str, Made] = {}
    context = multiprocessing.get_context("spawn")  # a fork would copy locks of other threads
    try:
        with ProcessPoolExecutor(helpers, mp_context=context) as pool:
            futures = [pool.submit(make_bodies, share, names, labels) for share in shares]
            # This process works from the end until it meets what a helper has taken up.
            for share, future in reversed(list(zip(shares, futures, strict=True))):
                alone = future.cancel()
                made.update(make_bodies(share, names, labels) if alone else future.result())
            return made
    except (BrokenProcessPool, OSError):
        return make_bodies(bodies, names, labels)  # no process to be had: alone, then
