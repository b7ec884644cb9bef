"""``fieldguide mcp``: the MCP server on standard input and output, and how to set it up."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from generator.cli import output
from generator.cli.state import State, pass_state


@click.command(epilog="Example: fieldguide mcp --print-config claude-code")
@click.option(
    "--print-config",
    "client",
    metavar="CLIENT",
    help="Print the one line that sets CLIENT up: claude-code, codex, gemini, vscode, cursor, json.",
)
@pass_state
def command(state: State, client: str | None) -> None:
    """Serve every tool, guide and bundle to an MCP client over standard input and output."""
    if client is not None:
        from generator.mcp_server.clients import print_config

        output.print_text(print_config(client, _server_command(state)))
        return
    from generator.mcp_server.server import serve_stdio

    if sys.stdin.isatty() and not state.quiet:
        output.note(
            "Waiting for an MCP client on standard input. To set one up: "
            "fieldguide mcp --print-config CLIENT. Ctrl-C ends."
        )
    serve_stdio(state.workspace)


def _server_command(state: State) -> list[str]:
    """Return the command that starts this very installation, with the home it was asked for."""
    script = Path(sys.argv[0])
    by_name = script.name.startswith("fieldguide") and script.exists()
    start = [str(script.absolute())] if by_name else [sys.executable, "-m", "generator"]
    home = ["--home", str(Path(state.home).expanduser().absolute())] if state.home else []
    return [*start, *home, "mcp"]
