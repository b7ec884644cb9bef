"""The lists of sessions: everything new, by month, by project; as pages and for agents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from generator.export.bundles import to_json
from generator.export.history.prepare import Shelved, shelf
from generator.export.outputs import digest
from generator.export.site import Listed, Site

_NEWEST = 100  # sessions on the first page


@dataclass(frozen=True, slots=True)
class SessionList:
    """A list of sessions that has a page: everything new, one month, one project."""

    path: str
    title: str
    sessions: tuple[Shelved, ...]
    project: bool = False

    @property
    def first(self) -> bool:
        """Whether it is the section's first page, which leads to all other lists."""
        return self.path == "history/index"


def session_lists(site: Site) -> list[SessionList]:
    """Return every list, the one of what is new first."""

    def make() -> list[SessionList]:
        found = shelf(site).sessions
        words = site.texts["history"]
        lists = [SessionList("history/index", words["title"], found[:_NEWEST])]
        months: dict[str, list[Shelved]] = {}
        projects: dict[str, list[Shelved]] = {}
        for session in found:
            moment = local_time(site, session)
            months.setdefault(f"{moment:%Y-%m}" if moment else "", []).append(session)
            projects.setdefault(session.facts["project"], []).append(session)
        for month, held in months.items():
            lists.append(
                SessionList(f"history/{month or 'undated'}", month or words["undated"], tuple(held))
            )
        for project, held in sorted(projects.items()):
            if project:
                bare = re.sub(r"[^a-z0-9]+", "-", project.lower()).strip("-")[:40]
                path = f"history/projects/{bare or 'project'}-{digest(project)[:6]}"
                lists.append(SessionList(path, project, tuple(held), project=True))
        return lists

    return site.once("history lists", make)


def local_time(site: Site, session: Shelved) -> datetime | None:
    """Return when a session last changed, in the reader's zone."""
    return session.updated.astimezone(site.workspace.zone) if session.updated else None


def row_of(site: Site, session: Shelved) -> dict[str, Any]:
    """Return what a list says of a session."""
    facts, spent = session.facts, shelf(site).spent(session)
    return {
        "path": session.page(),
        "title": facts["title"],
        "agent": facts["agent"],
        "project": facts["project"],
        "updated": local_time(site, session),
        "messages": facts["messages"],
        "calls": facts["calls"],
        "failed": facts["failed"],
        "tokens": spent.tokens.total,
        "cost": spent.cost,
        "parent": facts["parent"],
    }


def list_page(site: Site, listed: SessionList, rows: Sequence[dict[str, Any]]) -> bytes:
    """Render the page of a list."""
    days: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        days.setdefault(f"{row['updated']:%Y-%m-%d}" if row["updated"] else "", []).append(row)
    lists = session_lists(site)
    return site.page(
        "history.html",
        f"{listed.path}.html",
        twin=f"{listed.path}.md",
        listed=listed,
        days=days,
        agents=sorted({row["agent"] for row in rows}),
        months=[item for item in lists[1:] if "/projects/" not in item.path],
        projects=[item for item in lists if "/projects/" in item.path],
        more=listed.first and len(shelf(site).sessions) > len(rows),
    )


def list_text(site: Site, listed: SessionList, rows: Sequence[dict[str, Any]]) -> bytes:
    """Return the Markdown twin of a list."""
    words, path = site.texts["history"], f"{listed.path}.md"
    lines = [f"# {listed.title}", "", words["lead" if rows else "empty"]]
    day = None
    for row in rows:
        date = f"{row['updated']:%Y-%m-%d}" if row["updated"] else words["undated"]
        if date != day:
            day = date
            lines += ["", f"## {date}", ""]
        twin = row["path"].removesuffix(".html") + ".md"
        lines.append(Listed(path=twin, title=row["title"], text=_told(site, row)).line(site, path))
    if listed.first:
        lines += ["", *(item.line(site, path) for item in overviews(site))]
    return site.twin(path, lines)


def _told(site: Site, row: dict[str, Any]) -> str:
    """Return what the line of a session says besides its title."""
    told = [f"{row['updated']:%H:%M}" if row["updated"] else "", row["agent"], row["project"]]
    told.append(site.count(row["messages"], "message"))
    told.append(site.count(row["calls"], "call") if row["calls"] else "")
    told.append(site.count(row["failed"], "failed") if row["failed"] else "")
    told.append(site.count(row["tokens"], "token") if row["tokens"] else "")
    told.append("" if row["cost"] is None else site.texts.money(row["cost"]))
    told.append(site.texts["session"]["subagent"] if row["parent"] else "")
    return " ".join(filter(None, told))


def overviews(site: Site) -> list[Listed]:
    """Return the lists by month and by project."""
    return [
        Listed(path=f"{item.path}.md", title=item.title, text=site.count(number, "session"))
        for item in session_lists(site)[1:]
        if (number := len(item.sessions))
    ]


def list_record(site: Site) -> bytes:
    """Return ``history/index.json``: every session of this export."""
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
