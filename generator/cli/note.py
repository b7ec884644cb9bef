"""``fieldguide note``: the operator's notes from the shell."""

from __future__ import annotations

import sys

import click

from generator.cli import output
from generator.cli.family import Family
from generator.cli.state import State, pass_state
from generator.echo import quoted


@click.group(
    cls=Family,
    epilog='Example: fieldguide note add "Release rules" "Ship on Tuesdays before noon."',
)
def command() -> None:
    """Write and read notes for agents (Markdown files in notes/)."""


_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _given(text: str | None, standing: str = "") -> str:
    """Take a text from the command line, from standard input, or from an editor."""
    if text is not None and text != "-":
        return text
    if text == "-" or not sys.stdin.isatty():
        return sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
    edited = click.edit(standing, extension=".md")
    return standing if edited is None else edited


def _said(state: State, what: str, counts: dict[str, int]) -> None:
    from generator.tools.texts import masked_line

    if not state.quiet:
        output.note(what)
    if counts:
        output.note(masked_line(counts))


@command.command(epilog='Example: git log -5 | fieldguide note add "Last changes" -')
@click.argument("name")
@click.argument("text", required=False)
@pass_state
def add(state: State, name: str, text: str | None) -> None:
    """Add the note NAME with TEXT ('-': standard input; left out: your editor)."""
    from generator.knowledge.names import note_name
    from generator.knowledge.notes import add_note

    note_name(name)
    note, counts = add_note(state.workspace, name, _given(text))
    _said(state, f"Added {note.path}.", counts)


@command.command(epilog='Example: fieldguide note edit "Release rules"')
@click.argument("name")
@click.argument("text", required=False)
@pass_state
def edit(state: State, name: str, text: str | None) -> None:
    """Change the note NAME in your editor, or write TEXT in its place ('-': standard input)."""
    from generator.knowledge.notes import read_note, replace_note

    standing = read_note(state.workspace.home, name)
    note, counts = replace_note(state.workspace, standing.name, _given(text, standing.text))
    _said(state, f"Changed {note.path}.", counts)


@command.command("list", epilog="Example: fieldguide note list --json")
@_JSON
@pass_state
def list_(state: State, as_json: bool) -> None:
    """List the names of all notes."""
    from generator.knowledge.notes import note_names

    _print_names(note_names(state.workspace.home), as_json=as_json)


@command.command(epilog="Example: fieldguide note search deploy staging")
@click.argument("keywords", nargs=-1, required=True)
@_JSON
@pass_state
def search(state: State, keywords: tuple[str, ...], as_json: bool) -> None:
    """Find notes that hold KEYWORDS, most hits first."""
    from generator.knowledge.notes import search_notes

    found = search_notes(state.workspace.home, list(keywords))
    _print_names(found, as_json=as_json, empty=f"No note holds {quoted(' '.join(keywords))}.")


@command.command(epilog='Example: fieldguide note read "Release rules"')
@click.argument("name")
@_JSON
@pass_state
def read(state: State, name: str, as_json: bool) -> None:
    """Print the note NAME."""
    from generator.knowledge.notes import read_note

    note = read_note(state.workspace.home, name)
    if as_json:
        output.print_json({"name": note.name, "text": note.text})
    else:
        output.print_text(note.text)


@command.command(epilog='Example: fieldguide note remove "Release rules"')
@click.argument("name")
@pass_state
def remove(state: State, name: str) -> None:
    """Remove the note NAME."""
    from generator.knowledge.notes import remove_note

    note = remove_note(state.workspace.home, name)
    _said(state, f"Removed {note.path}.", {})


def _print_names(
    names: list[str],
    *,
    as_json: bool,
    empty: str = "No notes yet; 'fieldguide note add NAME TEXT' writes one.",
) -> None:
    if as_json:
        output.print_json({"names": names})
    elif names:
        output.print_text("\n".join(names))
    else:
        output.note(empty)
