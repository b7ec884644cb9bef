"""The history section: its lists, and the pages of each session."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from html import escape
from typing import Any

from generator.export.history.blocks import time_tag, time_text
from generator.export.history.gallery import gallery
from generator.export.history.lists import (
    list_page,
    list_record,
    list_text,
    local_time,
    overviews,
    row_of,
    session_lists,
)
from generator.export.history.prepare import Shelved, part, shelf
from generator.export.history.wording import between
from generator.export.links import relative
from generator.export.masker import MaskedPlace
from generator.export.outputs import Output, digest
from generator.export.site import Batch, Figure, Found, Listed, Section, Site

_OTHER_SESSION = re.compile("\x01([^\x01]*)\x01")
_OTHER_PAGE = re.compile("\x03(\\d+)\x03")


def _outputs(site: Site) -> Iterator[Output]:
    for listed in session_lists(site):
        rows = [row_of(site, session) for session in listed.sessions]
        own = digest(site.shell_key, listed.path, repr(rows))
        # Only the first list counts the others: with one session more the others stay as they are.
        others = [
            (item.path, item.title, len(item.sessions) if listed.first else 0)
            for item in session_lists(site)
        ]
        page, text = digest(own, others), digest(own, others if listed.first else "")
        yield Output(f"{listed.path}.html", page, _maker(list_page, site, listed, rows))
        yield Output(f"{listed.path}.md", text, _maker(list_text, site, listed, rows))
    found = shelf(site)
    everything = digest([session.key for session in found.sessions], repr(found.spending.sessions))
    yield Output("history/index.json", everything, lambda: list_record(site))
    for session in found.sessions:
        yield from _session_outputs(site, session)
    yield from gallery(site).outputs()


def _session_outputs(site: Site, session: Shelved) -> Iterator[Output]:
    facts, known = session.facts, shelf(site).by_id
    linked = [name in known for name in (facts["parent"], *facts["children"])]
    spent = repr(shelf(site).spent(session))
    images = gallery(site).key(facts["images"])
    for number in range(1, len(facts["pages"]) + 1):
        key = digest(site.shell_key, session.key, session.name, number, linked, spent, images)
        path = session.page(number)
        yield Output(path, key, _maker(_session_page, site, session, number))
        yield Output(_text_path(session, number), key, _maker(_session_text, site, session, number))
    yield Output(
        f"history/sessions/{session.name}.jsonl",
        session.key,
        lambda: str(part(site, session, "records")).encode(),
    )


def _maker(make: Callable[..., bytes], *arguments: Any) -> Callable[[], bytes]:
    return lambda: make(*arguments)


def _session_page(site: Site, session: Shelved, number: int) -> bytes:
    facts, known = session.facts, shelf(site).by_id
    path = session.page(number)
    html = str(part(site, session, "page", number)[0])

    def other(match: re.Match[str]) -> str:
        target = known.get(match[1])
        return f' href="{escape(relative(path, target.page()))}"' if target else ""

    html = _OTHER_SESSION.sub(other, html)
    html = gallery(site).html(html)
    html = _OTHER_PAGE.sub(lambda match: escape(relative(path, session.page(int(match[1])))), html)
    parent = known.get(facts["parent"])
    spent = shelf(site).spent(session)
    zone = site.workspace.zone
    created = _created(session)
    return site.page(
        "session.html",
        path,
        twin=_text_path(session, number),
        session=session,
        facts=facts,
        number=number,
        body=html,
        started=time_tag(created or session.updated, zone, show="moment"),
        length=between(created, session.updated, site.texts),
        parent=parent,
        spent=spent,
        firsts=json.dumps(facts["pages"]),
    )


def _session_text(site: Site, session: Shelved, number: int) -> bytes:
    facts, texts = session.facts, site.texts
    path = _text_path(session, number)
    about = [facts["agent"], facts["project"] or facts["cwd"] or "-"]
    about.append(facts["updated"] or texts["site"]["undated"])
    lines = [f"# {facts['title']}", "", texts.listed(about), "", *_measures(site, session), ""]
    lines.append(gallery(site).markdown(str(part(site, session, "page", number)[1])))
    if number < len(facts["pages"]):
        following = site.link(path, _text_path(session, number + 1))
        lines += ["", f"[{texts.say('session', 'page', n=number + 1)}]({following})"]
    return site.twin(path, lines)


def _measures(site: Site, session: Shelved) -> list[str]:
    """Return what the head of a session's page tells, as a list."""
    facts, texts, words = session.facts, site.texts, site.texts["session"]
    spent, known = shelf(site).spent(session), shelf(site).by_id
    created = _created(session)
    count = texts.count
    parent = known.get(facts["parent"])
    named = {
        words["started"]: time_text(created or session.updated, site.workspace.zone, show="moment"),
        words["took"]: between(created, session.updated, texts),
        count(len(facts["runs"]), "run"): count(facts["messages"], "message"),
        count(facts["calls"], "call"): count(facts["failed"], "failed") if facts["calls"] else "",
        texts["history"]["tokens"]: texts.number(spent.tokens.total) if spent.tokens.total else "",
        texts["history"]["cost"]: "" if spent.cost is None else texts.money(spent.cost),
        texts["usage"]["model"]: texts.listed(facts["models"]),
    }
    lines = [
        texts.say("site", "about_it", name=name, about=told) for name, told in named.items() if told
    ]
    if facts["parent"]:
        link = site.link(_text_path(session, 1), _text_path(parent, 1)) if parent else ""
        title = f"[{parent.facts['title']}]({link})" if parent else facts["parent"]
        lines.append(texts.say("session", "parent", session=title))
    if facts["sides"]:
        names = texts.listed(side["id"] for side in facts["sides"])
        lines.append(texts.say("session", "subagents", names=names))
    lines.append(texts.say("session", "ref", ref=f"conversation:{session.id}"))
    return [f"- {line}" for line in lines]


def _created(session: Shelved) -> datetime | None:
    made = session.facts["created"]
    return datetime.fromisoformat(made) if made else None


def _text_path(session: Shelved, number: int) -> str:
    return session.page(number).removesuffix(".html") + ".md"


def _batches(site: Site) -> Iterator[Batch]:
    for session in reversed(shelf(site).sessions):
        yield Batch(
            name=f"session-{digest(session.name)[:16]}",
            key=digest(session.key, session.name, site.texts.key),
            make=lambda session=session: _found(site, session),  # type: ignore[misc]
            size=len(session.facts["runs"]) + len(session.facts["sides"]),
        )


def _found(site: Site, session: Shelved) -> list[Found]:
    title = session.facts["title"]
    return [
        Found(
            path=f"{session.page(page)}#{place}",
            title=title
            if run == title
            else site.texts.say("site", "about_it", name=title, about=run),
            text=text,
        )
        for place, page, run, text in part(site, session, "found")
    ]


def _figures(site: Site) -> list[Figure]:
    sessions = shelf(site).sessions
    messages = sum(session.facts["messages"] for session in sessions)
    return [
        Figure(number=len(sessions), noun="session", path="history/index.html"),
        Figure(number=messages, noun="message", path="history/index.html"),
    ]


def _listed(site: Site) -> list[Listed]:
    rows = []
    for session in shelf(site).sessions:
        for number in range(1, len(session.facts["pages"]) + 1):
            text = site.texts.say("session", "page", n=number)
            if number == 1:
                moment = local_time(site, session)
                day = f"{moment:%Y-%m-%d} " if moment else ""
                count = site.count(session.facts["messages"], "message")
                text = site.texts.listed([f"{day}{session.facts['agent']}", count])
            path = _text_path(session, number)
            rows.append(Listed(path=path, title=session.facts["title"], text=text))
    return [*overviews(site), *rows]


def _masked(site: Site) -> Iterator[MaskedPlace]:
    for session in shelf(site).sessions:
        if session.facts["masked"]:
            yield MaskedPlace(
                section="history",
                ref=f"conversation:{session.id}",
                page=session.page(),
                counts=session.facts["masked"],
            )


def _images(site: Site) -> int:
    inline: int = sum(session.facts["inline"] for session in shelf(site).sessions)
    return gallery(site).number + inline


HISTORY = Section(
    name="history",
    path="history/index.html",
    outputs=_outputs,
    batches=_batches,
    figures=_figures,
    listed=_listed,
    masked=_masked,
    images=_images,
)
