"""Help that teaches: an example for every command, nothing cut short."""

import click
import pytest

from generator.cli.main import COMMANDS as TABLE
from generator.cli.main import GROUPS, command


def leaves(group, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        inner = group.get_command(context, name)
        yield (*path, name), inner
        if isinstance(inner, click.Group):
            yield from leaves(inner, (*path, name))


COMMANDS = list(leaves(command))


@pytest.mark.parametrize(("path", "inner"), COMMANDS, ids=[" ".join(path) for path, _ in COMMANDS])
def test_every_command_shows_an_example_of_itself(path, inner):
    assert f"fieldguide {' '.join(path)}" in (inner.epilog or "")
    assert all(option.help for option in inner.params if isinstance(option, click.Option))


def test_lines_of_subcommands_are_whole(run):
    assert "..." not in run("errors", "--help").out.split("Commands:")[1]


def test_a_global_option_after_the_command_is_told_its_place(run):
    outcome = run("usage", "-q")
    assert outcome.code == 2
    assert "-q stands before the command" in outcome.err


def test_help_lists_every_command_once_under_what_people_want(run):
    out = run("--help").out
    lines = out.split("\n")
    for heading, group in GROUPS.items():
        start = lines.index(f"{heading}:") + 1
        assert [line.split()[0] for line in lines[start : start + len(group)]] == list(group)
    assert sum(map(len, GROUPS.values())) == len(TABLE)
    columns = {line.index(text) for _, text in TABLE.values() for line in lines if text in line}
    assert len(columns) == 1
