"""The command ``fieldguide``: one visible table of commands, loaded when they are used."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from generator import __version__
from generator.cli import output
from generator.echo import harmless, quoted, shown
from generator.exceptions import FieldguideError

# What people want, in the order in which they come to want it. Under it, name: (module, one line
# of help); the module holds a click command named `command`.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Read and build": {
        "guide": ("generator.cli.guide", "Print the rules of one or more topics."),
        "build": ("generator.cli.build", "Compile the guides and export the site."),
        "serve": ("generator.cli.serve", "Browse the site; rebuild and reload on change."),
        "check": ("generator.cli.check", "Lint guides and other rules that agents read."),
    },
    "Reports": {
        "report": ("generator.cli.report", "Judge, save and render reports."),
    },
    "Memory": {
        "history": ("generator.cli.history", "Import agents' history; status, export, forget."),
        "memory": ("generator.cli.memory", "Search and read everything that is remembered."),
        "chat": ("generator.cli.chat", "What a session did, run by run."),
        "note": ("generator.cli.note", "Write and read notes for agents."),
        "usage": ("generator.cli.usage", "Add up tokens and cost of all agents."),
    },
    "Errors": {
        "errors": ("generator.cli.errors", "Keep failures with their fixes; find, mine, accept."),
    },
    "Tools": {
        "tools": ("generator.cli.tools", "Find tools: ours and those of other platforms."),
        "call": ("generator.cli.call", "Call any tool with JSON arguments."),
    },
    "Set up": {
        "init": ("generator.cli.init", "Write topics with triggers into AGENTS.md or CLAUDE.md."),
        "mcp": ("generator.cli.mcp", "Serve tools and guides to an MCP client."),
        "config": ("generator.cli.config", "Show or change settings."),
        "doctor": ("generator.cli.doctor", "Say what is installed and how to get what is missing."),
        "completion": ("generator.cli.completion", "Print the script for shell completion."),
    },
}

COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}

# Characters of a message of click's, which repeats what was typed.
_CLICK_MAX = 600
_GLOBAL = ("--home", "-q", "--quiet", "--version")


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the command names in table order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of one command."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table by group, importing none."""
        width = max(map(len, COMMANDS))
        for heading, group in GROUPS.items():
            with formatter.section(heading):
                # Padded, so that the groups share one column.
                formatter.write_dl([(name.ljust(width), text) for name, (_, text) in group.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command, naming the nearest one when there is none."""
        from difflib import get_close_matches

        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = get_close_matches(name, COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"There is no command {quoted(name)}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: fieldguide guide tool_error recall",
)
@click.option(
    "--home",
    metavar="DIR",
    help="Folder with your data (else $FIELDGUIDE_HOME, else ~/.config/fieldguide).",
)
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but results and errors.")
@click.version_option(__version__, prog_name="fieldguide")
@click.pass_context
def command(ctx: click.Context, home: str | None, quiet: bool) -> None:
    """A handbook, a report desk and a memory for AI agents, made of plain files."""
    from generator.cli.state import State

    ctx.obj = State(home=home, quiet=quiet)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: Arguments without the program's name; the process's own when None.

    Returns:
        The exit code: 0 fine, 1 the work could not be done or a check failed, 2 wrong use,
        130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        code = command.main(arguments, prog_name="fieldguide", standalone_mode=False)
        sys.stdout.flush()
    except FieldguideError as error:
        from generator.cli.advice import for_people

        # Whoever uses 'call' knows the tools by their names.
        output.print_error(str(error) if "call" in arguments[:3] else for_people(str(error)))
        return error.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        output.note(error.format_message())
        return 2
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        tail = f" Try '{context.command_path} --help'." if context else ""
        if isinstance(error, click.NoSuchOption) and error.option_name in _GLOBAL:
            tail = f" {error.option_name} stands before the command: 'fieldguide {error.option_name} ...'."
        output.print_error(f"{harmless(error.format_message(), _CLICK_MAX)}{tail}")
        return 2
    except (KeyboardInterrupt, click.Abort):
        output.print_error("Interrupted; nothing was left half done.")
        return 130
    except BrokenPipeError:
        # The reader went away: point standard output at nothing so that exit stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # A full disk or a closed terminal behind standard output; rooms word their own files.
        where = f" ({shown(error.filename, 300)})" if error.filename else ""
        output.print_error(f"The system refused: {error.strerror or error}{where}.")
        if not error.filename:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code if isinstance(code, int) else 0
