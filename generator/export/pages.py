"""Renders pages in the frame of the site: masthead, navigation, contents, bundle tray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jinja2.utils import htmlsafe_json_dumps
from markupsafe import Markup

from generator.export.links import relative
from generator.paths import shipped
from generator.templating import page_environment

if TYPE_CHECKING:
    from generator.export.site import Site
    from generator.export.texts import Texts

_SEARCH_WORDS = ("title", "label", "placeholder", "all", "none", "part", "link")


def render_page(site: Site, template: str, path: str, context: Mapping[str, Any]) -> bytes:
    """Render one page.

    Args:
        site: The export it belongs to.
        template: File name in the ``templates`` folder.
        path: Where the page goes.
        context: What the template needs besides the frame. With ``top`` in it, links start with
            that path instead of being relative.

    Returns:
        The page as UTF-8. It holds relative links only, no inline script and no inline style, so
        that it works from disk and under a strict content policy.
    """
    section = next(
        (name for name, start in _folders(site) if start and path.startswith(start)), "home"
    )
    top = context.get("top")
    frame = {
        "site_title": site.title,
        "path": path,
        "section": section,
        "sections": [
            {"name": item.name, "label": site.texts["sections"][item.name], "path": item.path}
            for item in site.sections
        ],
        "has_search": site.has("search"),
        "t": site.texts,
        "script_words": site.once("script words", lambda: _script_words(site.texts)),
        "url": lambda target: top + relative("", target) if top else relative(path, target),
        "canonical": site.link(path, path) if site.url and not top else "",
    }
    environment = page_environment(shipped("templates"))
    return environment.get_template(template).render(frame | dict(context)).encode()


def render_part(site: Site, macro: str, *arguments: object) -> str:
    """Render one piece that pages share, a macro of ``parts.html``."""
    environment = page_environment(shipped("templates"))
    parts = site.once(
        "parts", lambda: environment.get_template("parts.html").make_module({"t": site.texts})
    )
    return str(getattr(parts, macro)(*arguments))


def _script_words(texts: Texts) -> Markup:
    """Return what the scripts of every page say, as the value of an attribute in single quotes."""
    nouns = ("topic", "token", "byte", "found", "found_at_least")
    words = {
        **{name: texts[name] for name in ("theme", "copying", "tray")},
        "search": {name: texts["search"][name] for name in _SEARCH_WORDS},
        "bundle": texts["bundles"]["sum"],
        "group": texts["numbers"]["group"],
        "count": {noun: texts["count"][noun] for noun in nouns},
    }
    environment = page_environment(shipped("templates"))
    return htmlsafe_json_dumps(words, **environment.policies["json.dumps_kwargs"])


def _folders(site: Site) -> list[tuple[str, str]]:
    """Return each section's name with the folder its pages lie in."""
    return [(item.name, item.path.rpartition("/")[0] + "/") for item in site.sections]
