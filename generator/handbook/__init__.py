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

# kind: (label, what the list says of it), in the order of the reference: what people use comes
# first, what contributors read comes last.
KINDS: dict[str, tuple[str, str]] = {
    "start": ("Setting up", "How an agent, CI or your own program gets at it."),
    "commands": ("Commands", "What people and CI type."),
    "tools": ("Tools", "What agents call, over MCP, the command line or Python."),
    "settings": ("Settings", "What config.json may hold."),
    "report-rules": ("Report rules", "What write_result proves before it saves a page."),
    "check-rules": ("Guide rules", "What fieldguide check finds in guides."),
    "importers": ("Importers", "Whose history is read, and from where."),
    "extend": ("Extending", "Formats, and how to add things of your own."),
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

    made = (
        *written_pages(),
        *command_pages(commands),
        *tool_pages(),
        *settings_pages(),
        *report_rule_pages(),
        *check_rule_pages(),
        *importer_pages(),
    )
    order = list(KINDS)
    pages = sorted(made, key=lambda page: order.index(page.kind))
    return Reference(kinds=KINDS, pages=tuple(pages))
