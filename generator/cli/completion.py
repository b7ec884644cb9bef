"""``fieldguide completion SHELL``: the script that makes a shell complete commands."""

from __future__ import annotations

import click

from generator.cli import output

SHELLS = ("bash", "zsh", "fish")


@click.command(epilog="Example: fieldguide completion bash >> ~/.bashrc")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script for SHELL; put it where the shell reads it at start."""
    from click.shell_completion import get_completion_class

    from generator.cli.main import command as root

    found = get_completion_class(shell)
    assert found is not None
    output.print_text(found(root, {}, "fieldguide", "_FIELDGUIDE_COMPLETE").source())
