"""``fieldguide chat``: the action log of a session from the shell."""

from __future__ import annotations

import click

from generator.cli import output
from generator.cli.calling import call_tool
from generator.cli.family import Family
from generator.cli.recalled import JSON, print_hits, print_result
from generator.cli.state import State, pass_state
from generator.counting import counted

_SESSION = click.option(
    "--session", "session_id", metavar="ID", help="The session; else this one. A suffix is enough."
)
_LIMIT = click.option("--limit", type=click.IntRange(min=1), help="How many to give.")
_OFFSET = click.option("--offset", type=click.IntRange(min=0), default=0, help="Pass over so many.")


@click.group(cls=Family, epilog="Example: fieldguide chat list --limit 5")
def command() -> None:
    """What a session did, run by run, and what was said in any."""


@command.command("list", epilog="Example: fieldguide chat list --session 0001")
@_SESSION
@_LIMIT
@_OFFSET
@JSON
@pass_state
def list_(
    state: State, /, *, session_id: str | None, limit: int | None, offset: int, as_json: bool
) -> None:
    """List the recent runs of a session, the newest first."""
    from generator.recall.quoting import one_line
    from generator.tools.run_views import RunRow

    result = call_tool(
        state, "chat_history", mode="list", session_id=session_id, limit=limit, offset=offset
    )
    if as_json or not output.on_terminal():
        print_result("chat_history", result, as_json=as_json)
        return
    output.note(f"Session {result.session} ({result.chosen}); {counted(result.total, 'run')}.")
    rows = [run for run in result.runs if isinstance(run, RunRow)]
    output.print_table(
        ("task", "when", "calls", "asked"),
        [
            (run.task_id, run.started or run.ended or "", str(run.calls), one_line(run.objective))
            for run in rows
        ],
    )


@command.command(epilog="Example: fieldguide chat read 3f1c9a10-5b1e-4c55-9d0a-7a2f6c1e0001.1")
@click.argument("task_ids", nargs=-1, required=True, metavar="TASK...")
@click.option(
    "--scope",
    type=click.Choice(["reference", "full"]),
    help="reference: only the payloads; full: everything. Else long texts are cut.",
)
@JSON
@pass_state
def read(state: State, /, *, task_ids: tuple[str, ...], scope: str | None, as_json: bool) -> None:
    """Read the runs TASK in full."""
    result = call_tool(state, "chat_history", mode="read", task_id=list(task_ids), scope=scope)
    print_result("chat_history", result, as_json=as_json)


@command.command(epilog="Example: fieldguide chat tools")
@_SESSION
@JSON
@pass_state
def tools(state: State, /, *, session_id: str | None, as_json: bool) -> None:
    """List the tool calls of recent runs whose results can be reused."""
    result = call_tool(state, "chat_history", mode="tool_list", session_id=session_id)
    print_result("chat_history", result, as_json=as_json)


@command.command(epilog="Example: fieldguide chat tool b7e1 list_files")
@click.argument("task_id", metavar="TASK")
@click.argument("name")
@_OFFSET
@JSON
@pass_state
def tool(state: State, /, *, task_id: str, name: str, offset: int, as_json: bool) -> None:
    """Print what the tool NAME brought back in the run TASK."""
    result = call_tool(
        state, "chat_history", mode="tool", task_id=[task_id], name=name, offset=offset
    )
    print_result("chat_history", result, as_json=as_json)


@command.command(epilog="Example: fieldguide chat search 部署 --range 7d")
@click.argument("keyword", nargs=-1, required=True)
@click.option(
    "--range",
    "time_range",
    type=click.Choice(["1d", "7d", "1m", "1y", "all"]),
    default="all",
    help="How far back.",
)
@click.option(
    "--match", type=click.Choice(["keyword", "semantic"]), default="keyword", help="How to compare."
)
@_SESSION
@_LIMIT
@_OFFSET
@JSON
@pass_state
def search(
    state: State,
    /,
    *,
    keyword: tuple[str, ...],
    time_range: str,
    match: str,
    session_id: str | None,
    limit: int | None,
    offset: int,
    as_json: bool,
) -> None:
    """Find past messages that hold KEYWORD."""
    result = call_tool(
        state,
        "chat_history",
        mode="search",
        keyword=" ".join(keyword),
        time_range=time_range,
        match=match,
        session_id=session_id,
        limit=limit,
        offset=offset,
    )
    print_hits("chat_history", result, as_json=as_json)
