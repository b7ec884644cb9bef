"""The history section: lists by day, month and project, and the pages of each session."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from html import escape
from typing import Any

from generator.export.bundles import to_json
from generator.export.history.blocks import time_tag
from generator.export.history.gallery import gallery
from generator.export.history.prepare import Shelved, part, shelf
from generator.export.history.wording import between
from generator.export.links import relative
from generator.export.masker import MaskedPlace
from generator.export.outputs import Output, digest
from generator.export.site import Batch, Figure, Found, Section, Site

_NEWEST = 100  # sessions on the first page
_OTHER_SESSION = re.compile("\x01([^\x01]*)\x01")
_OTHER_PAGE = re.compile("\x03(\\d+)\x03")


@dataclass(frozen=True, slots=True)
class _List:
    """A list of sessions that has a page: everything new, one month, one project."""

    path: str
    title: str
    sessions: tuple[Shelved, ...]
    project: bool = False


def _lists(site: Site) -> list[_List]:
    def make() -> list[_List]:
        found = shelf(site).sessions
        words = site.texts["history"]
        lists = [_List("history/index", words["title"], found[:_NEWEST])]
        months: dict[str, list[Shelved]] = {}
        projects: dict[str, list[Shelved]] = {}
        for session in found:
            moment = _local(site, session)
            months.setdefault(f"{moment:%Y-%m}" if moment else "", []).append(session)
            projects.setdefault(session.facts["project"], []).append(session)
        for month, held in months.items():
            lists.append(
                _List(f"history/{month or 'undated'}", month or words["undated"], tuple(held))
            )
        for project, held in sorted(projects.items()):
            if project:
                bare = re.sub(r"[^a-z0-9]+", "-", project.lower()).strip("-")[:40]
                path = f"history/projects/{bare or 'project'}-{digest(project)[:6]}"
                lists.append(_List(path, project, tuple(held), project=True))
        return lists

    return site.once("history lists", make)


def _local(site: Site, session: Shelved) -> datetime | None:
    return session.updated.astimezone(site.workspace.zone) if session.updated else None


def _row(site: Site, session: Shelved) -> dict[str, Any]:
    facts, spent = session.facts, shelf(site).spent(session)
    return {
        "path": session.page(),
        "title": facts["title"],
        "agent": facts["agent"],
        "project": facts["project"],
        "updated": _local(site, session),
        "messages": facts["messages"],
        "calls": facts["calls"],
        "failed": facts["failed"],
        "tokens": spent.tokens.total,
        "cost": spent.cost,
        "parent": facts["parent"],
    }


def _outputs(site: Site) -> Iterator[Output]:
    for listed in _lists(site):
        rows = [_row(site, session) for session in listed.sessions]
        others = [(item.path, item.title, len(item.sessions)) for item in _lists(site)]
        key = digest(site.shell_key, listed.path, repr(rows), others)
        yield Output(f"{listed.path}.html", key, _maker(_list_page, site, listed, rows))
        yield Output(f"{listed.path}.md", key, _maker(_list_text, site, listed, rows))
    found = shelf(site)
    everything = digest([session.key for session in found.sessions], repr(found.spending.sessions))
    yield Output("history/index.json", everything, lambda: _list_record(site))
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
        yield Output(
            f"{path.removesuffix('.html')}.md", key, _maker(_session_text, site, session, number)
        )
    yield Output(
        f"history/sessions/{session.name}.jsonl",
        session.key,
        lambda: str(part(site, session, "records")).encode(),
    )


def _maker(make: Callable[..., bytes], *arguments: Any) -> Callable[[], bytes]:
    return lambda: make(*arguments)


def _list_page(site: Site, listed: _List, rows: Sequence[dict[str, Any]]) -> bytes:
    days: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        days.setdefault(f"{row['updated']:%Y-%m-%d}" if row["updated"] else "", []).append(row)
    lists = _lists(site)
    return site.page(
        "history.html",
        f"{listed.path}.html",
        twin=f"{listed.path}.md",
        listed=listed,
        days=days,
        agents=sorted({row["agent"] for row in rows}),
        months=[item for item in lists[1:] if "/projects/" not in item.path],
        projects=[item for item in lists if "/projects/" in item.path],
        more=listed.path == "history/index" and len(shelf(site).sessions) > len(rows),
    )


def _list_text(site: Site, listed: _List, rows: Sequence[dict[str, Any]]) -> bytes:
    lines = [f"# {listed.title}", ""]
    undated = site.texts["site"]["undated"]
    for row in rows:
        day = f"{row['updated']:%Y-%m-%d %H:%M}" if row["updated"] else undated
        target = relative(f"{listed.path}.md", row["path"].removesuffix(".html") + ".md")
        about = site.texts.listed([row["agent"], site.count(row["messages"], "message")])
        title = row["title"].replace("[", "(").replace("]", ")")
        lines.append(f"- {day} [{title}]({target}) ({about})")
    if listed.path == "history/index":
        lines.append("")
        lines += [
            f"- [{item.title}]({relative('history/index.md', item.path + '.md')})"
            for item in _lists(site)[1:]
        ]
    return ("\n".join(lines) + "\n").encode()


def _list_record(site: Site) -> bytes:
    return to_json(
        {
            "sessions": [
                {
                    **{
                        name: session.facts[name]
                        for name in ("id", "title", "agent", "project", "parent")
                    },
                    **{name: session.facts[name] for name in ("created", "updated", "messages")},
                    **{name: session.facts[name] for name in ("calls", "failed")},
                    "tokens": shelf(site).spent(session).tokens.total,
                    "cost": shelf(site).spent(session).cost,
                    "jsonl": f"history/sessions/{session.name}.jsonl",
                }
                for session in shelf(site).sessions
            ]
        }
    )


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
    created = datetime.fromisoformat(facts["created"]) if facts["created"] else None
    return site.page(
        "session.html",
        path,
        twin=f"{path.removesuffix('.html')}.md",
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
    facts = session.facts
    text = gallery(site).markdown(str(part(site, session, "page", number)[1]))
    about = [facts["agent"], facts["project"] or facts["cwd"] or "-"]
    about.append(facts["updated"] or site.texts["site"]["undated"])
    ref = site.texts.say("session", "ref", ref=f"conversation:{session.id}")
    head = f"# {facts['title']}\n\n{site.texts.listed(about)}\n{ref}\n\n"
    pages = len(facts["pages"])
    foot = ""
    if number < pages:
        following = session.page(number + 1).rpartition("/")[2].removesuffix(".html")
        label = site.texts.say("session", "page", n=number + 1)
        foot = f"\n[{label}]({following}.md)\n"
    return (head + text + foot).encode("utf-8", "replace")


def _batches(site: Site) -> Iterator[Batch]:
    for session in reversed(shelf(site).sessions):
        yield Batch(
            name=f"session-{digest(session.name)[:16]}",
            key=digest(session.key, session.name, site.texts.key),
            make=lambda session=session: _found(site, session),  # type: ignore[misc]
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


def _listed(site: Site) -> list[str]:
    count = site.count(len(shelf(site).sessions), "session")
    return [f"- [{count}](history/index.md): {site.texts['history']['description']}"]


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
