"""``fieldguide config``: settings from the shell."""

from __future__ import annotations

import json

import click

from generator.cli import output
from generator.cli.family import Family
from generator.cli.state import State, pass_state


@click.group(cls=Family, epilog="Example: fieldguide config set timezone Asia/Taipei")
def command() -> None:
    """Show or change settings (config.json in the home)."""


@command.command(epilog="Example: fieldguide config get report.interpolation")
@click.argument("key", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@pass_state
def get(state: State, key: str | None, as_json: bool) -> None:
    """Print the value of KEY, or every setting."""
    from generator.settings import get_setting, known_keys

    settings = state.workspace.settings
    if key is not None:
        value = get_setting(settings, key)
        plain = value if isinstance(value, str) and not as_json else None
        output.print_text(plain if plain is not None else json.dumps(value, ensure_ascii=False))
    elif as_json:
        output.print_json(settings.model_dump(mode="json"))
    else:
        width = max(len(name) for name in known_keys())
        for name in known_keys():
            value = json.dumps(get_setting(settings, name), ensure_ascii=False)
            output.print_text(f"{name:<{width}}  {value}")


@command.command("set", epilog="Example: fieldguide config set output_dir ~/Reports")
@click.argument("key")
@click.argument("value")
@pass_state
def set_(state: State, key: str, value: str) -> None:
    """Set KEY to VALUE (JSON, or plain text)."""
    from generator.settings_edits import set_setting

    set_setting(state.workspace.home, key, value)
    if not state.quiet:
        output.note(f"{key} is set in {state.workspace.home.config}.")


@command.command(epilog="Example: fieldguide config unset output_dir")
@click.argument("key")
@pass_state
def unset(state: State, key: str) -> None:
    """Take KEY out of the file, so that its default holds; unknown keys as well."""
    from generator.settings_edits import unset_setting

    unset_setting(state.workspace.home, key)
    if not state.quiet:
        output.note(f"{key} is out of {state.workspace.home.config}.")


@command.command(epilog="Example: fieldguide config path")
@pass_state
def path(state: State) -> None:
    """Print where config.json is (it may not exist yet)."""
    output.print_text(str(state.workspace.home.config))
