"""The handbook's own reference: a page for each tool, command, rule, importer and setting.

Every page but the written ones under ``pages/`` is made from the registry it documents, so it
cannot drift from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from generator.model.reference import Reference

if TYPE_CHECKING:
    import click

# kind: (label, what the list says of it), in the order of the reference.
KINDS: dict[str, tuple[str, str]] = {
    "start": ("Using and extending", "Set-up, formats, and how to add things of your own."),
    "tools": ("Tools", "What agents call, over MCP, the command line or Python."),
    "commands": ("Commands", "What people and CI type."),
    "report-rules": ("Report rules", "What write_result proves before it saves a page."),
    "check-rules": ("Guide rules", "What fieldguide check finds in guides."),
    "importers": ("Importers", "Whose history is read, and from where."),
    "settings": ("Settings", "What config.json may hold."),
}


def make_reference(commands: Mapping[str, click.Command]) -> Reference:
    """Make every page of the reference, in its order.

    Args:
        commands: The commands by name; the command line hands in its own table.
    """
    from generator.handbook.commands import command_pages
    from generator.handbook.importers import importer_pages
    from generator.handbook.rules import check_rule_pages, report_rule_pages
    from generator.handbook.settings import settings_pages
    from generator.handbook.tools import tool_pages
    from generator.handbook.written import written_pages

    pages = (
        *written_pages(),
        *tool_pages(),
        *command_pages(commands),
        *report_rule_pages(),
        *check_rule_pages(),
        *importer_pages(),
        *settings_pages(),
    )
    return Reference(kinds=KINDS, pages=pages)
