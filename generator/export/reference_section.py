"""The reference: what the product documents of itself, a page each, with a Markdown twin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from generator.export.outputs import Output, digest
from generator.export.site import Batch, Found, Listed, Section, Site
from generator.markup.markdown import Options, render_markdown
from generator.model.reference import ReferencePage

INDEX = "reference/index.html"


def _outputs(site: Site) -> Iterator[Output]:
    kinds = site.reference.kinds
    everything = digest("reference", site.shell_key, site.key_of(site.reference))
    yield Output(INDEX, everything, lambda: _index(site))
    yield Output("reference/index.md", everything, lambda: _index_text(site))
    for kind in kinds:
        pages = [page for page in site.reference.pages if page.kind == kind]
        for page in pages:
            key = digest(
                "reference page", site.shell_key, site.key_of(page), [page.name for page in pages]
            )
            yield Output(f"{page.path}.html", key, _page_maker(site, page, pages))
            twin_key = digest("reference twin", site.shell_key, site.key_of(page))
            yield Output(f"{page.path}.md", twin_key, _twin_maker(site, page))


def _page_maker(
    site: Site, page: ReferencePage, siblings: Sequence[ReferencePage]
) -> Callable[[], bytes]:
    return lambda: _page(site, page, siblings)


def _twin_maker(site: Site, page: ReferencePage) -> Callable[[], bytes]:
    return lambda: site.twin(
        f"{page.path}.md", [f"# {page.title}", "", page.summary, "", page.markdown]
    )


def _index(site: Site) -> bytes:
    groups = [
        {
            "kind": kind,
            "label": label,
            "text": text,
            "pages": [page for page in site.reference.pages if page.kind == kind],
        }
        for kind, (label, text) in site.reference.kinds.items()
    ]
    return site.page("reference.html", INDEX, twin="reference/index.md", groups=groups)


def _page(site: Site, page: ReferencePage, siblings: Sequence[ReferencePage]) -> bytes:
    rendered = render_markdown(page.markdown, Options())
    label, _ = site.reference.kinds[page.kind]
    return site.page(
        "reference_page.html",
        f"{page.path}.html",
        page=page,
        label=label,
        siblings=siblings,
        contents=rendered.headings,
        body=rendered.html,
    )


def _index_text(site: Site) -> bytes:
    path = "reference/index.md"
    lines = [f"# {site.texts['sections']['reference']}", ""]
    for kind, (label, text) in site.reference.kinds.items():
        lines += [f"## {label}", "", text, ""]
        lines += [
            f"- [{page.title}]({site.link(path, page.path + '.md')}): {page.summary}"
            for page in site.reference.pages
            if page.kind == kind
        ]
        lines.append("")
    return site.twin(path, lines)


def _batches(site: Site) -> Iterator[Batch]:
    for kind in site.reference.kinds:
        pages = [page for page in site.reference.pages if page.kind == kind]
        yield Batch(
            name=f"reference-{kind}",
            key=digest("reference", [site.key_of(page) for page in pages]),
            make=partial(_found, pages),
            size=len(pages),
        )


def _found(pages: Sequence[ReferencePage]) -> list[Found]:
    return [
        Found(
            path=f"{page.path}.html",
            title=page.title,
            text=f"{page.summary}\n{render_markdown(page.markdown).text}",
        )
        for page in pages
    ]


def _listed(site: Site) -> list[Listed]:
    return [
        Listed(path=f"{page.path}.md", title=page.title, text=page.summary)
        for page in site.reference.pages
    ]


REFERENCE = Section(
    name="reference", path=INDEX, outputs=_outputs, batches=_batches, listed=_listed
)
