"""A command with subcommands whose help shows each one's line whole."""

from __future__ import annotations

import click

_WHOLE = 400


class Family(click.Group):
    """A group that wraps the lines of its subcommands where click would cut them short."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands with their first sentence."""
        rows = []
        for name in self.list_commands(ctx):
            inner = self.get_command(ctx, name)
            if inner is not None and not inner.hidden:
                rows.append((name, inner.get_short_help_str(limit=_WHOLE)))
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)
