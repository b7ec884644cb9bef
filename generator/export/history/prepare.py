"""Renders the sessions that are not known yet, on every core, and keeps what lists need of all."""

from __future__ import annotations

import multiprocessing
import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from generator.exceptions import UnknownNameError
from generator.export.history.render import Rendered, render_session
from generator.export.masker import Masker
from generator.export.memo import pack
from generator.export.outputs import digest
from generator.export.site import Site
from generator.export.texts import Texts
from generator.history.archive import Archive
from generator.history.books import Books
from generator.history.intake import open_books, take_in
from generator.history.ledger import Spending, Spent, spending
from generator.history.prices import load_prices
from generator.history.reading import Reader
from generator.history.register import Row
from generator.paths import Home
from generator.settings import SiteSettings
from generator.timestamps import Span

T = TypeVar("T")
M = TypeVar("M")

# Below this a second process costs more than it saves.
_MANY = 12
_HELPERS_MAX = 4
_PLAIN = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelved:
    """A session of this export.

    Attributes:
        key: Digest of everything its pages depend on.
        name: Its file name in the site, without ending.
        path: Its file in the archive.
        facts: What lists say of it.
    """

    key: str
    name: str
    path: Path
    facts: dict[str, Any]

    @property
    def id(self) -> str:
        """Its session id."""
        return str(self.facts["id"])

    @property
    def updated(self) -> datetime | None:
        """When it last changed."""
        text = self.facts["updated"] or self.facts["created"]
        return datetime.fromisoformat(text) if text else None

    def page(self, number: int = 1) -> str:
        """Return one of its pages."""
        return f"history/sessions/{self.name}{'' if number == 1 else f'.{number}'}.html"


@dataclass(frozen=True, slots=True)
class Shelf:
    """The sessions of this export, newest first, and what they spent."""

    sessions: tuple[Shelved, ...]
    spending: Spending
    by_id: dict[str, Shelved] = field(default_factory=dict)

    def spent(self, session: Shelved) -> Spent:
        """Return what a session spent."""
        return self.spending.sessions.get(session.id) or Spent()


def shelf(site: Site) -> Shelf:
    """Return the sessions of this export, rendering those that are not known yet."""
    return site.once("history", lambda: _shelve(site))


def _shelve(site: Site) -> Shelf:
    workspace = site.workspace
    rows = chosen_rows(site)
    settings = workspace.settings.site.model_copy(update={"images": site.images})
    base = digest(
        site.base,
        str(workspace.zone),
        site.texts.key,
        settings.allow_secrets,
        settings.mask_emails,
        settings.mask_home,
        site.images,
    )
    keys = {row.path: digest(base, row.path.name, row.size, row.mtime_ns) for row in rows}
    facts = {row.path: site.memo.get("facts", keys[row.path]) for row in rows}
    missing = [row.path for row in rows if facts[row.path] is None]
    work = partial(
        _work, home=workspace.home, settings=settings, zone=workspace.zone, texts=site.texts
    )
    for done, (path, made) in enumerate(each(work, missing), start=1):
        facts[path] = _kept(site, keys[path], made)
        workspace.progress("Rendering sessions", done, len(missing))
    names: dict[str, str] = {}
    shelved = []
    for row in rows:
        name = _file_name(row.id, str(row.head["agent"]), names)
        item = Shelved(key=keys[row.path], name=name, path=row.path, facts=facts[row.path])
        for number in range(1, len(item.facts["pages"]) + 1):
            site.memo.keep("page", f"{item.key}-{number}")
        site.memo.keep("records", item.key)
        site.memo.keep("found", item.key)
        shelved.append(item)
    with open_books(workspace) as books:
        spent = _spending(site, books, [item.id for item in shelved])
    return Shelf(tuple(shelved), spent, {item.id: item for item in reversed(shelved)})


def _spending(site: Site, books: Books, ids: Sequence[str]) -> Spending:
    prices = load_prices(site.workspace.settings.prices)
    # Some agents keep a ledger beside their sessions: it counts unless sessions were picked.
    picked = bool(site.choice.session or site.choice.since)
    return spending(
        books,
        Span(),
        site.workspace.zone,
        prices,
        only=frozenset(ids) if picked else None,
        of_agent=site.choice.agent,
    )


def chosen_rows(site: Site) -> list[Row]:
    """Return the sessions of the archive that this export is of.

    Raises:
        UnknownNameError: An agent was asked for that has no session.
    """

    def choose() -> list[Row]:
        take_in(site.workspace)
        return _chosen(site, Reader(site.workspace.home))

    return site.once("rows", choose)


def _chosen(site: Site, reader: Reader) -> list[Row]:
    choice = site.choice
    rows = reader.register.sessions()
    if choice.agent:
        agents = sorted({str(row.head["agent"]) for row in rows})
        if choice.agent not in agents:
            raise UnknownNameError("agent", choice.agent, agents)
        rows = [row for row in rows if row.head["agent"] == choice.agent]
    if choice.session:
        wanted = reader.find(choice.session).path
        rows = [row for row in rows if row.path == wanted]
    since = choice.since
    return [row for row in rows if since is None or (row.updated and row.updated >= since)]


def _file_name(session: str, agent: str, names: dict[str, str]) -> str:
    """Return a file name that any system takes and no other session has."""
    owner = f"{agent}/{session}"
    name = session
    if not _PLAIN.fullmatch(session) or names.get(session, owner) != owner:
        bare = re.sub(r"[^a-z0-9]+", "-", session.lower()).strip("-")[:60]
        name = f"{bare or 'session'}-{digest(owner)[:8]}"
    names[name] = owner
    return name


_Made = tuple[dict[str, Any], list[bytes], bytes, bytes]


def _work(path: Path, home: Home, settings: SiteSettings, zone: tzinfo, texts: Texts) -> _Made:
    """Render one session; runs in a helper process when there are many."""
    rendered = render_file(path, home, settings, zone, texts)
    return (
        rendered.facts,
        [pack(page) for page in rendered.pages],
        pack(rendered.records),
        pack(rendered.found),
    )


def render_file(
    path: Path, home: Home, settings: SiteSettings, zone: tzinfo, texts: Texts
) -> Rendered:
    """Render the session of one archive file."""
    session = Archive(home).load_file(path)
    return render_session(session, Masker(settings), zone, texts, images=settings.images)


def each(work: Callable[[T], M], items: Sequence[T]) -> Iterator[tuple[T, M]]:
    """Do a piece of work for each item, in helper processes when there are many.

    Args:
        work: Takes an item; it and what it returns go from one process to another.
        items: The items, each once.

    Yields:
        Each item with what came of it, in order.
    """
    helpers = min(os.cpu_count() or 1, _HELPERS_MAX)
    done = 0
    if helpers > 1 and len(items) >= _MANY:
        context = multiprocessing.get_context("spawn")  # a fork would copy locks of other threads
        try:
            with ProcessPoolExecutor(helpers, mp_context=context) as pool:
                for item, made in zip(items, pool.map(work, items, chunksize=2), strict=True):
                    done += 1
                    yield item, made
        except (BrokenProcessPool, OSError):
            pass  # no process to be had: alone, then
    for item in items[done:]:
        yield item, work(item)


def _kept(site: Site, key: str, made: _Made) -> dict[str, Any]:
    facts, pages, records, found = made
    site.memo.put("facts", key, facts)
    for number, page in enumerate(pages, start=1):
        site.memo.put_packed("page", f"{key}-{number}", page)
    site.memo.put_packed("records", key, records)
    site.memo.put_packed("found", key, found)
    return facts


def part(site: Site, session: Shelved, kind: str, number: int = 0) -> Any:
    """Return a rendered part of a session, rendering it again when it is gone.

    Args:
        site: The export.
        session: The session.
        kind: ``page``, ``records`` or ``found``.
        number: Which page.
    """
    key = f"{session.key}-{number}" if kind == "page" else session.key
    held = site.memo.get(kind, key)
    if held is None:
        workspace = site.workspace
        made = _work(
            session.path,
            workspace.home,
            workspace.settings.site.model_copy(update={"images": site.images}),
            workspace.zone,
            site.texts,
        )
        _kept(site, session.key, made)
        held = site.memo.get(kind, key)
    return held
