"""What machines look for at a fixed place: the page for what is missing, sitemap.xml, robots.txt.

Formats: https://www.sitemaps.org/protocol.html, RFC 9309. Both hold whole addresses, so they are
written only when the site knows its own (``site.url``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from urllib.parse import urlsplit

from generator.export.outputs import Output, digest
from generator.export.site import Site

SITEMAP_ADDRESSES = 50_000
"""Addresses that one sitemap may hold, as the protocol says."""
MISSING = "404.html"
"""The page that servers show for an address that leads nowhere."""


def outputs(site: Site, paths: Sequence[str]) -> Iterator[Output]:
    """Yield the files.

    Args:
        site: The export.
        paths: Every other file of it.
    """
    yield Output(MISSING, digest("missing", site.shell_key), lambda: _missing_page(site))
    yield Output("404.md", digest("missing", site.shell_key), lambda: _missing_text(site))
    if not site.url:
        return
    # What a frame shows is part of another page.
    pages = sorted(name for name in paths if name.endswith(".html") and "/view/" not in name)
    shares = [pages[at : at + SITEMAP_ADDRESSES] for at in range(0, len(pages), SITEMAP_ADDRESSES)]
    names = ["sitemap.xml"]
    if len(shares) > 1:
        names = [f"sitemap-{number}.xml" for number in range(1, len(shares) + 1)]
        yield _sitemap(site, "sitemap.xml", "sitemapindex", "sitemap", names)
    for name, share in zip(names, shares, strict=True):
        yield _sitemap(site, name, "urlset", "url", share)
    if urlsplit(site.url).path == "/":  # a host has one, at its top
        text = f"User-agent: *\nAllow: /\n\nSitemap: {site.link('', 'sitemap.xml')}\n"
        yield Output("robots.txt", digest("robots", text), text.encode)


def _sitemap(site: Site, name: str, root: str, element: str, paths: Sequence[str]) -> Output:
    def make() -> bytes:
        rows = [
            f"<{element}><loc>{escape(site.link('', path))}</loc></{element}>\n" for path in paths
        ]
        start = f'<{root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        head = '<?xml version="1.0" encoding="UTF-8"?>\n'
        return "".join([head, start, *rows, f"</{root}>\n"]).encode()

    return Output(name, digest("sitemap", site.url, root, paths), make)


def _missing_page(site: Site) -> bytes:
    # It is shown at any depth, so its links start at the top of the host.
    top = urlsplit(site.url).path or "/"
    return site.page("missing.html", MISSING, twin="404.md", top=top)


def _missing_text(site: Site) -> bytes:
    words = site.texts["missing"]
    return site.twin("404.md", [f"# {words['title']}", "", words["lead"]])
