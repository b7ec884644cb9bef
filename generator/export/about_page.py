"""What an export covers: sources, what was skipped, and a counted list of what was masked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.export.masker import MaskedPlace, Masker
from generator.export.outputs import Output, digest
from generator.export.sections import ON_REQUEST
from generator.export.site import Section, Site

_ROWS = 500


def _masked(site: Site) -> tuple[MaskedPlace, ...]:
    return site.once(
        "masked",
        lambda: tuple(place for section in site.sections for place in section.masked(site)),
    )


def _sources(site: Site) -> list[dict[str, Any]]:
    """Return how each source was read; empty when history is not exported."""
    if not site.has("history"):
        return []
    from generator.history.intake import status

    def load() -> list[dict[str, Any]]:
        masker = Masker(site.workspace.settings.site)
        rows = []
        for source in status(site.workspace)["files"]:
            rows.append(
                {
                    "path": masker.text(source["path"]),
                    "format": source["format"],
                    "records": source.get("records", 0),
                    "messages": sum(source.get("messages", {}).values()),
                    "opaque": source.get("opaque", 0),
                    "skipped": len(source.get("skipped", ())),
                    "reasons": [
                        f"{item['line']}: {masker.text(str(item['reason']))}"
                        for item in source.get("skipped", ())[:5]
                    ],
                    "warnings": [masker.text(text) for text in source.get("warnings", ())],
                }
            )
        return rows

    return site.once("sources", load)


def _images(site: Site) -> str:
    """Return what is to be known of images; empty when history is not exported."""
    if not site.has("history"):
        return ""
    number = sum(section.images(site) for section in site.sections)
    if not number:
        return site.texts.say("about", "images_none")
    return site.texts.say("about", "images_shown", count=site.count(number, "image"))


def _reach(site: Site) -> tuple[str, str] | None:
    if not site.has("history"):
        return None
    from generator.export.history.prepare import shelf

    zone = site.workspace.zone
    days = [item.updated.astimezone(zone) for item in shelf(site).sessions if item.updated]
    return (f"{min(days):%Y-%m-%d}", f"{max(days):%Y-%m-%d}") if days else None


def _outputs(site: Site) -> Iterator[Output]:
    figures = [figure for section in site.sections for figure in section.figures(site)]
    own = any(site.has(name) for name in ON_REQUEST)
    key = digest(
        site.shell_key,
        repr(_masked(site)),
        repr(_sources(site)),
        _reach(site),
        figures,
        own,
        _images(site),
    )
    yield Output("about/index.html", key, lambda: _page(site, figures, own))
    yield Output("about/index.md", key, lambda: _text(site, figures, own))


def _page(site: Site, figures: Any, own: bool) -> bytes:
    reach = _reach(site)
    return site.page(
        "about.html",
        "about/index.html",
        twin="about/index.md",
        figures=figures,
        own=own,
        reach=site.texts.say("about", "reach", first=reach[0], last=reach[1]) if reach else "",
        sources=_sources(site)[:_ROWS],
        masked=_masked(site)[:_ROWS],
        images=_images(site),
        places=sum(sum(place.counts.values()) for place in _masked(site)),
    )


def _text(site: Site, figures: Any, own: bool) -> bytes:
    words, reach = site.texts["about"], _reach(site)
    lines = [f"# {words['title']}", "", words["lead"], "", f"## {words['covers']}", ""]
    lines += [f"- {site.count(figure.number, figure.noun)}" for figure in figures]
    lines += ["", site.texts.say("about", "reach", first=reach[0], last=reach[1])] if reach else []
    lines += [] if own else ["", words["nothing"]]
    if _sources(site):
        lines += ["", f"## {words['sources']}", ""]
    for row in _sources(site):
        counts = [
            site.count(row["records"], "record"),
            site.count(row["messages"], "message"),
            site.count(row["skipped"], "skipped"),
        ]
        lines.append(f"- {row['path']} ({row['format']}): {site.texts.listed(counts)}")
        lines += [f"  - {text}" for text in (*row["warnings"], *row["reasons"])]
    if own:
        lines += ["", f"## {words['masked']}", ""]
        if _masked(site):
            places = sum(sum(place.counts.values()) for place in _masked(site))
            told = site.texts.say("about", "masked_lead", places=site.count(places, "secret"))
            lines += [told, ""]
        lines += [
            f"- {place.ref}: "
            + site.texts.listed([f"{count} {kind}" for kind, count in place.counts.items()])
            for place in _masked(site)
        ] or [words["masked_none"]]
    if _images(site):
        lines += ["", f"## {words['images']}", "", _images(site)]
    lines += ["", f"## {words['agents']}", "", words["agents_text"]]
    return site.twin("about/index.md", lines)


ABOUT = Section(name="about", path="about/index.html", outputs=_outputs)
