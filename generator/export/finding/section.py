"""The search section: one page, and the index as scripts."""

from __future__ import annotations

from collections.abc import Iterator

from generator.export.finding.index import SearchIndex
from generator.export.outputs import Output, digest
from generator.export.site import Section, Site


def _outputs(site: Site) -> Iterator[Output]:
    yield Output("search/index.html", digest("search", site.shell_key), lambda: _page(site))
    yield Output("search/index.md", digest("search", site.shell_key), lambda: _text(site))
    for path, file in site.kept("search", SearchIndex).files(site).items():
        yield Output(path, file.key, file.make)


def _page(site: Site) -> bytes:
    return site.page("search.html", "search/index.html", twin="search/index.md")


def _text(site: Site) -> bytes:
    words = site.texts["search"]
    return site.twin("search/index.md", [f"# {words['title']}", "", words["for_agents"]])


SEARCH = Section(name="search", path="search/index.html", outputs=_outputs, gathers=True)
