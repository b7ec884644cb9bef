"""Hands the table of commands to the handbook, which documents them beside everything else."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from generator.model.reference import Reference


def load_reference() -> Reference:
    """Make the reference of every tool, command, rule, importer and setting."""
    import click

    from generator.cli.main import COMMANDS
    from generator.cli.main import command as root
    from generator.handbook import make_reference

    context = click.Context(root)
    found = {name: root.get_command(context, name) for name in COMMANDS}
    return make_reference({name: item for name, item in found.items() if item is not None})
