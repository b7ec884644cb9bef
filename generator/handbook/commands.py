"""A page for each command, from the command itself: usage, options, subcommands, examples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click

from generator.handbook.text import body, fence, plain, table
from generator.model.reference import ReferencePage


def command_pages(commands: Mapping[str, click.Command]) -> Iterator[ReferencePage]:
    """Make a page for each command, its subcommands on the same page."""
    for name, command in commands.items():
        summary = plain(command.help).split("\n\n", 1)[0].replace("\n", " ")
        yield ReferencePage(
            kind="commands",
            name=name,
            title=f"fieldguide {name}",
            summary=summary,
            markdown=body(*_parts(command, f"fieldguide {name}", top=True)),
        )


def _parts(command: click.Command, path: str, *, top: bool = False) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    if not top:
        yield f"## {path}"
    # The page shows its first paragraph above, as the summary.
    yield plain(command.help).partition("\n\n")[2] if top else plain(command.help)
    yield fence("text", " ".join([path, *command.collect_usage_pieces(context)]))
    rows = [
        (f"`{record[0]}`", record[1])
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option) and "--help" not in parameter.opts
        if (record := parameter.get_help_record(context)) is not None
    ]
    if rows:
        yield table(["Option", "Does"], rows)
    if command.epilog:
        yield fence("sh", "\n".join(_examples(command.epilog)))
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            if inner is not None:
                yield from _parts(inner, f"{path} {name}")


def _examples(epilog: str) -> list[str]:
    """Split an epilog, ``Example: ...`` or ``Examples: ...; ...``, into command lines."""
    many = epilog.startswith("Examples:")
    lines = epilog.partition(":")[2].split(";") if many else [epilog.removeprefix("Example:")]
    return [line.strip() for line in lines]
