"""The one table of sections, in the order of the navigation."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from generator.exceptions import UnknownNameError
from generator.export.site import Section

# name: (module, name of the Section in it). A module is imported only when its section is wanted.
SECTIONS: dict[str, tuple[str, str]] = {
    "guides": ("generator.export.guide_pages", "GUIDES"),
    "bundles": ("generator.export.guide_pages", "BUNDLES"),
    "reference": ("generator.export.reference_section", "REFERENCE"),
    "tools": ("generator.export.tool_pages", "TOOLS"),
    "errors": ("generator.export.error_pages", "ERRORS"),
    "drafts": ("generator.export.draft_pages", "DRAFTS"),
    "reports": ("generator.export.report_pages", "REPORTS"),
    "history": ("generator.export.history.pages", "HISTORY"),
    "usage": ("generator.export.history.usage", "USAGE"),
    "search": ("generator.export.finding.section", "SEARCH"),
    "about": ("generator.export.about_page", "ABOUT"),
}
# Sections that hold a user's own data: exported only when they are named.
ON_REQUEST: tuple[str, ...] = ("history", "errors", "reports", "drafts")
# Sections that come along with another one.
ALONG = {"usage": "history"}


def choose_sections(requested: Sequence[str] = ()) -> tuple[Section, ...]:
    """Return the sections of an export: the standing ones and those that were asked for.

    Raises:
        UnknownNameError: A name is none of those that can be asked for.
    """
    for name in requested:
        if name not in ON_REQUEST:
            raise UnknownNameError("section", name, ON_REQUEST)
    chosen = []
    for name, (module, attribute) in SECTIONS.items():
        asked = ALONG.get(name, name)
        if asked in ON_REQUEST and asked not in requested:
            continue
        section = getattr(import_module(module), attribute)
        assert isinstance(section, Section)
        chosen.append(section)
    return tuple(chosen)
