"""The search section: one page, and the index as scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.export.finding.index import Index, batches, make_index
from generator.export.outputs import Output, digest
from generator.export.site import Section, Site


def _outputs(site: Site) -> Iterator[Output]:
    yield Output("search/index.html", digest("search", site.shell_key), lambda: _page(site))
    yield Output("search/index.md", digest("search", site.shell_key), lambda: _text(site))
    found = [(section, batch.name, batch.key) for section, batch in batches(site)]
    key = digest("search", site.shell_key, found)

    def index() -> Index:
        return site.once("search", lambda: make_index(site))

    names = site.memo.get("search", key)
    if names is None:
        names = sorted(index().files)
        site.memo.put("search", key, names)
    for _, batch in batches(site):
        site.memo.keep("batch", digest("batch", site.base, batch.key))
    for name in names:
        yield Output(name, key, _maker(index, name))


def _maker(index: Callable[[], Index], name: str) -> Callable[[], bytes]:
    return lambda: index().files[name]


def _page(site: Site) -> bytes:
    return site.page("search.html", "search/index.html", twin="search/index.md")


def _text(site: Site) -> bytes:
    words = site.texts["search"]
    return site.twin("search/index.md", [f"# {words['title']}", "", words["for_agents"]])


SEARCH = Section(name="search", path="search/index.html", outputs=_outputs)
