"""The usage section: tokens and cost by day, model, project and agent; tools and hours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from generator.export.bundles import to_json
from generator.export.history.columns import calendar_columns, columns
from generator.export.history.prepare import shelf
from generator.export.masker import Masker
from generator.export.outputs import Output, digest
from generator.export.site import Choice, Figure, Section, Site
from generator.export.texts import Texts
from generator.history.intake import open_books
from generator.history.ledger import Explained, Spent, explained
from generator.history.tally import tokens_as_json

_TOOLS = 40
_LINES = 200


def _tools(site: Site) -> list[tuple[str, int, int]]:
    """Return calls and failures by tool, the most used first."""
    calls: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for session in shelf(site).sessions:
        for name, (all_calls, failures) in session.facts["tools"].items():
            calls[name] += all_calls
            failed[name] += failures
    return [(name, count, failed[name]) for name, count in sorted(calls.items(), key=_most)]


def _most(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _hours(site: Site) -> list[int]:
    """Return messages by hour of the day."""
    hours = [0] * 24
    for session in shelf(site).sessions:
        for when, count in session.facts["hours"].items():
            hours[int(when.split()[1])] += count
    return hours


def _explained(site: Site) -> tuple[list[Explained], int]:
    def load() -> tuple[list[Explained], int]:
        with open_books(site.workspace) as books:
            return explained(books)

    return site.once("explained", load)


def _rows(groups: Mapping[str, Spent]) -> list[dict[str, Any]]:
    return [
        {"name": name, "spent": spent, "tokens": spent.tokens, "total": spent.tokens.total or 0}
        for name, spent in groups.items()
    ]


def _outputs(site: Site) -> Iterator[Output]:
    # The explanation is of whole sources: with a part of the archive it would explain too much.
    whole = replace(site.choice, images=True) == Choice()
    key = digest(
        site.shell_key,
        repr(shelf(site).spending),
        _tools(site),
        _hours(site),
        repr(_explained(site)) if whole else "",
    )
    yield Output("usage/index.html", key, lambda: _page(site, whole))
    yield Output("usage/index.md", key, lambda: _text(site, whole))
    yield Output("usage/index.json", key, lambda: _record(site))


def _page(site: Site, whole: bool) -> bytes:
    found = shelf(site).spending
    step, chart = calendar_columns(
        {day: spent.tokens.total or 0 for day, spent in found.days.items()}
    )
    return site.page(
        "usage.html",
        "usage/index.html",
        twin="usage/index.md",
        spending=found,
        total=found.total,
        days=_rows(found.days),
        step=step,
        chart=chart,
        groups=[
            (name, _rows(group))
            for name, group in (
                ("model", found.models),
                ("project", found.projects),
                ("agent", found.agents),
            )
        ],
        tools=_tools(site)[:_TOOLS],
        hours=columns([(f"{hour:02}", count) for hour, count in enumerate(_hours(site))]),
        sources=_sources(site) if whole else [],
        copies=_explained(site)[1] if whole else 0,
    )


def _sources(site: Site) -> list[tuple[str, Explained]]:
    """Return how the numbers of each source came about, under its path."""
    masker = Masker(site.workspace.settings.site)
    return [(masker.text(source.path), source) for source in _explained(site)[0][:_LINES]]


def _record(site: Site) -> bytes:
    found = shelf(site).spending

    def plain(spent: Spent) -> dict[str, Any]:
        return {
            "requests": spent.requests,
            **tokens_as_json(spent.tokens),
            "cost": spent.cost,
            "unpriced": spent.unpriced,
        }

    groups = {
        "days": found.days,
        "models": found.models,
        "projects": found.projects,
        "agents": found.agents,
    }
    return to_json(
        {
            "total": plain(found.total),
            **{
                name: {key: plain(spent) for key, spent in group.items()}
                for name, group in groups.items()
            },
            "tools": [
                {"name": name, "calls": calls, "failed": failed}
                for name, calls, failed in _tools(site)
            ],
            "hours": _hours(site),
            "prices_date": found.prices_date,
        }
    )


def _text(site: Site, whole: bool) -> bytes:
    texts, words, found = site.texts, site.texts["usage"], shelf(site).spending
    lines = [f"# {words['title']}", ""]
    lines += [words["lead" if found.total.requests else "empty"], ""]
    lines.append(_line(words["total"], found.total, texts))
    if found.unpriced:
        lines += ["", texts.say("usage", "unpriced", models=texts.listed(found.unpriced))]
    lines += ["", texts.say("usage", "prices", date=found.prices_date)]
    for name, group in (
        ("by_day", found.days),
        ("by_model", found.models),
        ("by_project", found.projects),
        ("by_agent", found.agents),
    ):
        lines += ["", f"## {words[name]}", ""]
        lines += [_line(key, spent, site.texts) for key, spent in group.items()]
    lines += ["", f"## {words['tools']}", ""]
    lines += [
        f"- `{name}`: "
        + site.texts.listed([site.count(calls, "call"), site.count(failed, "failed")])
        for name, calls, failed in _tools(site)[:_TOOLS]
    ]
    lines += ["", f"## {words['hours']}", ""]
    lines += [
        f"- {hour:02}: {texts.count(count, 'message')}"
        for hour, count in enumerate(_hours(site))
        if count
    ]
    if whole and _sources(site):
        lines += ["", f"## {words['explained']}", "", words["explained_lead"], ""]
        lines += [_explanation(path, source, texts) for path, source in _sources(site)]
    return site.twin("usage/index.md", lines)


def _explanation(path: str, source: Explained, texts: Texts) -> str:
    words = texts["usage"]
    dropped = "; ".join(f"{texts.number(n)} {why}" for why, n in source.dropped.items())
    told = [
        f"{words['lines']} {texts.number(source.lines)}",
        f"{words['naive']} {_known(source.naive['total'], texts)}",
        f"{words['right']} {_known(source.right['total'], texts)}",
        *([f"{words['dropped']} {dropped}"] if dropped else []),
    ]
    return f"- {path}: {texts.listed(told)}"


def _known(number: int | None, texts: Texts) -> str:
    return str(texts["usage"]["unknown"]) if number is None else texts.number(number)


def _line(name: str, spent: Spent, texts: Texts) -> str:
    words = texts["usage"]
    told = [texts.count(spent.requests, "request")]
    told += [
        f"{words[key]} {words['unknown'] if value is None else value}"
        for key, value in tokens_as_json(spent.tokens).items()
    ]
    told += [] if spent.cost is None else [texts.money(spent.cost, 4)]
    return f"- {name}: {texts.listed(told)}"


def _figures(site: Site) -> list[Figure]:
    total = shelf(site).spending.total.tokens.total
    return [Figure(number=total, noun="token", path="usage/index.html")] if total else []


USAGE = Section(name="usage", path="usage/index.html", outputs=_outputs, figures=_figures)
