"""The pages of the handbook: home, the list of guides, one page a topic, the bundle builder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from generator.export import bundles, skills
from generator.export.bodies import body_of, place_of, render_bodies
from generator.export.error_pages import error_links, errors_of_tools
from generator.export.figures import drawings_key
from generator.export.library import Entry
from generator.export.outputs import Output, digest
from generator.export.pages import render_part
from generator.export.site import Batch, Figure, Section, Site
from generator.export.tool_pages import tool_page_of
from generator.markup.markdown import Rendered

T = TypeVar("T")

# Up to this many topics each page lists them all; past it, only those around its own.
_NAV_TOPICS = 40
_NAV_AROUND = 6


def _guide_outputs(site: Site) -> Iterator[Output]:
    yield from bundles.outputs(site)
    yield from skills.outputs(site)
    entries = list(site.entries.values())
    keys = [entry.key for entry in entries]
    everything = digest(site.shell_key, keys)
    names = digest(tuple(site.entries), tuple(entry.guide.aliases for entry in entries))
    groups = tuple(site.bundles.items())
    figures = [figure for section in site.sections for figure in section.figures(site)]
    yield Output(
        "index.html",
        digest("home", everything, groups, figures),
        lambda: home_page(site, figures),
    )
    yield Output(
        "index.md", digest("home twin", everything, groups, figures), lambda: home_text(site)
    )
    yield Output("guides/index.html", digest("list", everything), lambda: list_page(site))
    yield Output("guides/index.md", digest("list twin", everything), lambda: list_text(site))
    common = digest("guide", site.shell_key, names, len(entries))
    # What the page of another topic shows of this one.
    shown = [(entry.topic, entry.guide.title, entry.facts.tokens) for entry in entries]
    for at, entry in enumerate(entries):
        guide = entry.guide
        yield Output(
            f"guides/{entry.topic}.html",
            digest(
                common,
                at,
                entry.key,
                window(shown, at),
                drawings_key(guide),
                [tool_page_of(site, name) for name in guide.tools],
                repr(errors_of_tools(site, guide.tools)) if guide.tools else "",
            ),
            _topic_maker(site, entries, at),
        )


def _builder_outputs(site: Site) -> Iterator[Output]:
    entries = list(site.entries.values())
    key = digest(
        "builder",
        site.shell_key,
        tuple(entry.key for entry in entries),
        tuple(site.bundles.items()),
    )
    yield Output("bundles/index.html", key, lambda: builder_page(site))
    yield Output("bundles/index.md", key, lambda: builder_text(site))


def _batches(site: Site) -> Iterator[Batch]:
    for entry in site.entries.values():
        yield Batch(
            name=f"guide-{entry.topic}",
            key=entry.key,
            make=lambda entry=entry: [place_of(entry.guide, rendered_guide(site, entry))],  # type: ignore[misc]
        )


def _figures(site: Site) -> list[Figure]:
    return [Figure(number=len(site.entries), noun="topic", path="guides/index.html")]


GUIDES = Section(
    name="guides",
    path="guides/index.html",
    outputs=_guide_outputs,
    batches=_batches,
    figures=_figures,
)
BUNDLES = Section(name="bundles", path="bundles/index.html", outputs=_builder_outputs)


def _topic_maker(site: Site, entries: Sequence[Entry], at: int) -> Callable[[], bytes]:
    return lambda: topic_page(site, entries, at)


def window(entries: Sequence[T], at: int) -> Sequence[T]:
    """Return what stands for the topics that a topic's navigation lists: all, or those around."""
    if len(entries) <= _NAV_TOPICS:
        return entries
    return entries[max(at - _NAV_AROUND, 0) : at + _NAV_AROUND + 1]


def card(entry: Entry) -> dict[str, Any]:
    """Return what lists show of a topic."""
    guide, facts = entry.guide, entry.facts
    return {
        "topic": guide.topic,
        # What ships is English; which language a user's own guide is in is not known.
        "lang": "en" if guide.origin == "shipped" else "",
        "title": guide.title,
        "summary": guide.summary,
        "since": guide.since,
        "aliases": guide.aliases,
        "tools": guide.tools,
        "tokens": facts.tokens,
        "characters": facts.characters,
        "cjk": facts.cjk,
        "bytes": facts.size,
        "page": f"guides/{guide.topic}.html",
    }


def bundle_cards(site: Site) -> list[dict[str, Any]]:
    """Return what lists show of the named bundles."""
    return [
        {
            "name": name,
            "topics": topics,
            "tokens": bundles.joined_tokens([site.entries[topic] for topic in topics]),
            "path": f"bundles/{name}.md",
        }
        for name, topics in site.bundles.items()
    ]


def _tokens(site: Site, entry: Entry) -> str:
    return site.count(entry.facts.tokens, "token")


def home_text(site: Site) -> bytes:
    """Return the first page as Markdown: what this is, and every topic."""
    words, texts = site.texts["home"], site.texts
    total = bundles.joined_tokens(list(site.entries.values()))
    link = partial(site.link, "index.md")
    lines = [f"# {site.title}", "", words["lead"], ""]
    for example in list(site.entries)[:1]:
        page = f"guides/{example}.md"
        lines += [
            f"- {words['shell']} `fieldguide guide {example}`",
            f'- {words["agent"]} `reasoning_guide(topics=["{example}"])`',
            f"- {words['file']} [{page}]({link(page)})",
            "",
        ]
    figures = [figure for section in site.sections for figure in section.figures(site)]
    lines += [f"- {site.count(figure.number, figure.noun)}" for figure in figures]
    told = {
        "topics": site.count(len(site.entries), "topic"),
        "tokens": site.count(total, "token"),
        "bundle": f"[{words['bundle']}]({link('bundles/index.md')})",
    }
    lines += ["", texts.say("home", "count", **told) if total else words["empty"], ""]
    for entry in site.entries.values():
        lines += [
            f"- [{entry.topic}]({link(f'guides/{entry.topic}.md')}) ({_tokens(site, entry)}): "
            f"{entry.guide.summary}"
        ]
    return site.twin("index.md", lines)


def list_text(site: Site) -> bytes:
    """Return the list of all guides as Markdown."""
    path = "guides/index.md"
    lead = site.texts["guides"]["lead"] if site.entries else site.texts["home"]["empty"]
    lines = [f"# {site.texts['sections']['guides']}", "", lead, ""]
    lines += [
        f"- [{entry.topic}]({site.link(path, f'guides/{entry.topic}.md')}): "
        + site.texts.say("llms", "sized", about=entry.guide.summary, tokens=_tokens(site, entry))
        for entry in site.entries.values()
    ]
    return site.twin(path, lines)


def home_page(site: Site, figures: Sequence[Figure]) -> bytes:
    """Render the first page: what this is, and the guides grouped as they are wanted."""
    grouped: set[str] = set()
    groups = []
    for name, topics in site.bundles.items():
        if name == "all":
            continue
        fresh = [topic for topic in topics if topic not in grouped]
        grouped.update(fresh)
        groups.append({"name": name, "cards": [card(site.entries[topic]) for topic in fresh]})
    rest = [card(entry) for topic, entry in site.entries.items() if topic not in grouped]
    groups.insert(0, {"name": "", "cards": rest[:_NAV_TOPICS]})
    return site.page(
        "home.html",
        "index.html",
        twin="index.md",
        groups=groups,
        left_out=max(len(rest) - _NAV_TOPICS, 0),
        total=len(site.entries),
        tokens=bundles.joined_tokens(list(site.entries.values())),
        example=next(iter(site.entries), None),
        figures=figures,
    )


def list_page(site: Site) -> bytes:
    """Render the list of all guides."""
    rows = [_part(site, entry, "row", f"{entry.topic}.html") for entry in site.entries.values()]
    return site.page("guides.html", "guides/index.html", twin="guides/index.md", rows=rows)


def _part(site: Site, entry: Entry, macro: str, *arguments: str) -> str:
    """Render what a long list shows of a topic, once for each text of it."""
    return entry.store.derived(
        f"{macro} {site.shell_key}",
        entry.key,
        lambda: render_part(site, macro, card(entry), *arguments),
    )


def topic_page(site: Site, entries: Sequence[Entry], at: int) -> bytes:
    """Render the page of one topic."""
    entry = entries[at]
    rendered = rendered_guide(site, entry)
    around = [card(item) for item in window(entries, at)]
    return site.page(
        "guide.html",
        f"guides/{entry.topic}.html",
        guide=card(entry),
        body=rendered.html,
        contents=[heading for heading in rendered.headings if heading.level in (2, 3)],
        topics=around,
        left_out=len(entries) - len(around),
        tools=[(name, tool_page_of(site, name)) for name in entry.guide.tools],
        errors=error_links(errors_of_tools(site, entry.guide.tools)),
        before=card(entries[at - 1]) if at else None,
        after=card(entries[at + 1]) if at + 1 < len(entries) else None,
    )


def rendered_guide(site: Site, entry: Entry) -> Rendered:
    """Return a guide's body as HTML; its links lead to pages, its code names to topics."""
    body = body_of(entry)
    if body.key not in site.rendered:
        site.rendered.update(render_bodies([body], site.names, site.texts["markdown"]))
    return site.rendered[body.key]


def builder_text(site: Site) -> bytes:
    """Return the named bundles as Markdown."""
    path = "bundles/index.md"
    words = site.texts["bundles"]
    lines = [f"# {words['title']}", "", words["lead"], "", words["unscripted"], ""]
    lines += [
        f"- [{item['name']}]({site.link(path, item['path'])}): "
        + site.texts.say(
            "llms",
            "sized",
            about=site.texts.listed(item["topics"]),
            tokens=site.count(item["tokens"], "token"),
        )
        for item in bundle_cards(site)
    ]
    return site.twin(path, lines)


def builder_page(site: Site) -> bytes:
    """Render the bundle builder."""
    return site.page(
        "builder.html",
        "bundles/index.html",
        twin="bundles/index.md",
        ticks=[_part(site, entry, "tick") for entry in site.entries.values()],
        bundles=bundle_cards(site),
    )
