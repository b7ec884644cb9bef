"""``fieldguide memory``: everything that is remembered, from the shell."""

from __future__ import annotations

from typing import Any

import click

from generator.cli import output
from generator.cli.calling import call_tool
from generator.cli.family import Family
from generator.cli.recalled import JSON, print_hits, print_result
from generator.cli.state import State, pass_state

_AFTER = click.option("--after", metavar="DAY", help="First day, such as 2026-05-04 or last week.")
_BEFORE = click.option("--before", metavar="DAY", help="Last day, included.")
_LIMIT = click.option("--limit", type=click.IntRange(min=1), help="How many to give.")
_OFFSET = click.option("--offset", type=click.IntRange(min=0), help="Pass over so many.")


@click.group(cls=Family, epilog="Example: fieldguide memory search flight plan")
def command() -> None:
    """Search, read, keep and forget what is remembered."""


@command.command(epilog="Example: fieldguide memory search 潮汐 --sources conversation,task")
@click.argument("query", nargs=-1, required=True)
@click.option("--sources", help="Only these sources, with commas between.")
@click.option("--session", metavar="ID", help="Only this session; a suffix is enough.")
@click.option("--agent", help="Only this agent.")
@click.option("--project", help="Only this project.")
@click.option("--role", type=click.Choice(["user", "assistant", "tool"]), help="Only this role.")
@click.option("--tool", help="Only calls of this tool.")
@click.option(
    "--order",
    type=click.Choice(["relevance", "recent", "newest", "oldest", "semantic", "hybrid"]),
    default="relevance",
    help="What comes first.",
)
@_AFTER
@_BEFORE
@_LIMIT
@_OFFSET
@JSON
@pass_state
def search(state: State, /, *, query: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Find QUERY in everything that is indexed."""
    result = call_tool(state, "memory_search", query=" ".join(query), **options)
    print_hits("memory_search", result, as_json=as_json)


@command.command(epilog="Example: fieldguide memory get 'conversation:2026-05-04_09-15-00#2'")
@click.argument("ref")
@_LIMIT
@_OFFSET
@JSON
@pass_state
def get(state: State, /, *, ref: str, as_json: bool, **options: Any) -> None:
    """Print the whole content behind REF."""
    print_result("memory_get", call_tool(state, "memory_get", ref=ref, **options), as_json=as_json)


@command.command(epilog="Example: fieldguide memory read --date yesterday")
@click.argument("session", required=False)
@click.option("--date", metavar="DAY", help="Only this day: 2026-05-04, yesterday, 上週三.")
@click.option("--from", "from_", type=click.IntRange(min=1), help="First message of SESSION.")
@click.option("--to", type=click.IntRange(min=1), help="Last message of SESSION.")
@click.option(
    "--what", type=click.Choice(["messages", "tools", "all"]), help="Text, tool calls or both."
)
@click.option("--full", is_flag=True, help="Cut long texts less.")
@click.option("--order", type=click.Choice(["asc", "desc", "newest"]), help="Which comes first.")
@_LIMIT
@_OFFSET
@JSON
@pass_state
def read(
    state: State,
    /,
    *,
    session: str | None,
    as_json: bool,
    from_: int | None,
    to: int | None,
    what: str | None,
    full: bool,
    **options: Any,
) -> None:
    """Read SESSION, else this session; or every session of a day."""
    ranged = bool(from_ or to or what or full)
    if session and not any(options.values()):
        detail = "full" if full else None
        wanted = {"id": session, "from": from_, "to": to, "what": what, "detail": detail}
        result = call_tool(state, "conversation_read", **wanted)
        print_result("conversation_read", result, as_json=as_json)
    elif ranged:
        raise click.UsageError(
            "--from, --to, --what and --full go with SESSION and without the other options."
        )
    else:
        result = call_tool(state, "memory", mode="read", session_id=session, **options)
        print_result("memory", result, as_json=as_json)


@command.command("list", epilog="Example: fieldguide memory list --channel telegram")
@click.option("--channel", help="Only this channel, or this agent.")
@click.option("--query", help="Rank by what was said about these words.")
@_AFTER
@_BEFORE
@_LIMIT
@_OFFSET
@JSON
@pass_state
def list_(state: State, /, *, as_json: bool, **options: Any) -> None:
    """List past conversations, the newest first."""
    result = call_tool(state, "conversation_list", **options)
    if as_json or not output.on_terminal() or not result.conversations:
        print_result("conversation_list", result, as_json=as_json)
        return
    output.print_table(
        ("conversation", "updated", "channel", "messages", "title"),
        [
            (
                row.id,
                (row.updated or "")[:16].replace("T", " "),
                row.channel,
                str(row.messages),
                row.title or row.project or "",
            )
            for row in result.conversations
        ],
    )
    output.note(f"{len(result.conversations)} of {result.total} conversations.")


@command.command(epilog="Example: fieldguide memory summarize --since 'last week' --focus deploy")
@click.option("--since", metavar="DAY", default="yesterday", show_default=True, help="First day.")
@click.option("--until", metavar="DAY", default="today", show_default=True, help="Last day.")
@click.option("--focus", metavar="WORDS", help="Only what is about these words.")
@JSON
@pass_state
def summarize(state: State, /, *, as_json: bool, **options: Any) -> None:
    """Give a digest of some days: what was asked, what came of it, what it took."""
    result = call_tool(state, "memory", mode="summarize", **options)
    print_result("memory", result, as_json=as_json)


@command.command(epilog='Example: fieldguide memory save "Releases go out on Tuesdays."')
@click.argument("fact", nargs=-1, required=True)
@click.option(
    "--type",
    "type_",
    type=click.Choice(["projects", "people", "preferences", "technical", "decisions"]),
    default="technical",
    show_default=True,
    help="Which knowledge file.",
)
@JSON
@pass_state
def save(state: State, /, *, fact: tuple[str, ...], type_: str, as_json: bool) -> None:
    """Keep FACT, one sentence, in the knowledge files."""
    result = call_tool(state, "memory_save", fact=" ".join(fact), type=type_)
    print_result("memory_save", result, as_json=as_json)


@command.command(epilog="Example: fieldguide memory forget 'conversation:2026-05-04_09-15-00#2'")
@click.argument("refs", nargs=-1, required=True, metavar="REF...")
@JSON
@pass_state
def forget(state: State, /, *, refs: tuple[str, ...], as_json: bool) -> None:
    """Forget what each REF names; it stays forgotten when its source is imported again."""
    from generator.recall.forgetting import forget_ref

    done = [forget_ref(ref, state.workspace) for ref in refs]
    if as_json:
        output.print_json({"forgotten": done})
    elif not state.quiet:
        for sentence in done:
            output.note(sentence)
