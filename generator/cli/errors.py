"""``fieldguide errors``: records of failures with their fixes, from the shell."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from generator import limits
from generator.cli import output
from generator.cli.calling import call_tool
from generator.cli.family import Family
from generator.cli.recalled import print_result
from generator.cli.state import State, pass_state
from generator.counting import counted

if TYPE_CHECKING:
    from generator.model.failure import MinedFailure

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group(cls=Family, epilog="Example: fieldguide errors search ECONNREFUSED")
def command() -> None:
    """Keep failures with the fix that worked, and find them again."""


@command.command(
    epilog="Example: fieldguide errors write --tool run_command --keyword pip "
    "--symptom 'externally-managed-environment' --action 'Made a venv.'"
)
@click.option("--tool", "tool_name", metavar="NAME", help="The tool that failed.")
@click.option("--keyword", "keywords", multiple=True, help="A word to find it by; repeat it.")
@click.option("--symptom", help="What was seen ('-': standard input).")
@click.option("--action", help="What fixed it.")
@click.option("--cause", help="Why it happened.")
@click.option("--outcome", default="resolved", show_default=True, help="Only resolved is kept.")
@_JSON
@pass_state
def write(state: State, /, *, as_json: bool, **given: Any) -> None:
    """Keep a failure with its fix."""
    if given["symptom"] == "-":
        given["symptom"] = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
    given["keywords"] = list(given["keywords"])
    _print("write_error", given, state, as_json=as_json)


@command.command(epilog="Example: npm test 2>&1 | fieldguide errors search -")
@click.argument("keyword", nargs=-1, required=True)
@click.option("--tool", "tool_name", metavar="NAME", help="Only records of this tool.")
@click.option(
    "--limit",
    type=click.IntRange(min=1),
    help=f"Records (default {limits.ERROR_HISTORY_DEFAULT}, at most {limits.ERROR_HISTORY_MAX}).",
)
@_JSON
@pass_state
def search(state: State, /, *, keyword: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Find records by KEYWORD: words, a code, a stack trace ('-': standard input)."""
    text = " ".join(keyword)
    if text == "-":
        text = sys.stdin.buffer.read().decode("utf-8-sig", errors="replace")
    _print("error_history", {"mode": "search", "keyword": text, **given}, state, as_json=as_json)


@command.command(epilog="Example: fieldguide errors read 1a2b3c4d")
@click.argument("hash_", metavar="HASH")
@_JSON
@pass_state
def read(state: State, hash_: str, as_json: bool) -> None:
    """Print the record HASH."""
    _print("error_history", {"mode": "read", "hash": hash_}, state, as_json=as_json)


@command.command("list", epilog="Example: fieldguide errors list --tool run_command --json")
@click.option("--tool", "tool_name", metavar="NAME", help="Only records of this tool.")
@_JSON
@pass_state
def list_(state: State, tool_name: str | None, as_json: bool) -> None:
    """List every record, the newest first."""
    from generator.errors.lookup import message_of
    from generator.errors.records import encode, load_records
    from generator.recall.quoting import one_line

    records, problems = load_records(state.workspace.home)
    if tool_name:
        records = [item for item in records if item.tool_name.casefold() == tool_name.casefold()]
    for problem in problems:
        output.note(f"problem: {problem}")
    if as_json:
        output.print_json(
            {"records": [encode(item) for item in records], "problems": [str(p) for p in problems]}
        )
        return
    for item in records:
        day = item.recorded_at.date().isoformat()
        output.print_text(f"{item.hash}  {day}  {item.tool_name}  {one_line(message_of(item))}")
    if not records:
        output.note(
            "No error records yet; 'fieldguide errors write' keeps one, 'fieldguide errors mine' finds some."
        )


@command.command(epilog="Example: fieldguide errors remove 1a2b3c4d")
@click.argument("hash_", metavar="HASH")
@pass_state
def remove(state: State, hash_: str) -> None:
    """Remove the record HASH."""
    from generator.errors.records import parse_hash, remove_record

    remove_record(state.workspace.home, hash_)
    if not state.quiet:
        output.note(f"Removed error:{parse_hash(hash_)}.")


@command.command(epilog="Example: fieldguide errors mine --tool Bash --min 3")
@click.option("--tool", metavar="NAME", help="Only failures of this tool.")
@click.option("--agent", metavar="NAME", help="Only kinds that this agent met.")
@click.option(
    "--min", "least", type=click.IntRange(min=1), default=1, help="Met so often at least."
)
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="Drafts.")
@click.option("--all", "everything", is_flag=True, help="Every draft, accepted ones as well.")
@_JSON
@pass_state
def mine(
    state: State,
    /,
    *,
    tool: str | None,
    agent: str | None,
    least: int,
    limit: int,
    everything: bool,
    as_json: bool,
) -> None:
    """Gather failures of past runs as drafts; nothing is kept before it is accepted."""
    from generator.errors.mining import encode_draft
    from generator.recall.mined import mine_archive

    mined = mine_archive(state.workspace)
    drafts = [
        draft
        for draft in mined.failures
        if draft.count >= least
        and (everything or draft.accepted is None)
        and (tool is None or draft.tool.casefold() == tool.casefold())
        and (agent is None or agent in draft.agents)
    ]
    shown = drafts if everything else drafts[:limit]
    if as_json:
        output.print_json(
            {
                "drafts": [encode_draft(draft) for draft in shown],
                "total": len(drafts),
                "calls": mined.calls,
                "failed": mined.failed,
                "set_aside": dict(mined.set_aside),
            }
        )
        return
    for draft in shown:
        output.print_text("\n".join(_draft_lines(draft)) + "\n")
    apart = ", ".join(f"{count} {name}" for name, count in mined.set_aside.items() if count)
    output.note(
        f"{len(shown)} of {len(drafts)} kinds; {mined.failed} of {mined.calls} calls failed"
        + (f"; not failures: {apart}" if apart else "")
        + (". Keep one with 'fieldguide errors accept ID'." if shown else ".")
        + ("" if mined.calls else " 'fieldguide history add PATH' fills the archive.")
    )


@command.command(epilog="Example: fieldguide errors accept 1a2b3c4d --cause 'The port was taken.'")
@click.argument("draft", metavar="ID")
@click.option("--action", help="What fixed it, instead of the likely fix.")
@click.option("--cause", help="Why it happened.")
@click.option("--keyword", "keywords", multiple=True, help="A word to find it by; repeat it.")
@_JSON
@pass_state
def accept(
    state: State,
    /,
    *,
    draft: str,
    action: str | None,
    cause: str | None,
    keywords: tuple[str, ...],
    as_json: bool,
) -> None:
    """Turn the mined draft ID into a record."""
    from generator.recall.mined import accept_draft

    written = accept_draft(state.workspace, draft, action=action, cause=cause, keywords=keywords)
    assert written.failure is not None
    if as_json:
        output.print_json({"status": "recorded", "hash": written.failure.hash})
    else:
        output.print_text(f"recorded: error:{written.failure.hash}")


def _print(tool: str, arguments: dict[str, Any], state: State, *, as_json: bool) -> None:
    print_result(tool, call_tool(state, tool, **arguments), as_json=as_json)


def _draft_lines(draft: MinedFailure) -> list[str]:
    from generator.recall.quoting import one_line

    days = [moment.date().isoformat() for moment in (draft.first, draft.last) if moment]
    span = " to ".join(dict.fromkeys(days)) or "no time known"
    agents = ", ".join(f"{name} {count}" for name, count in draft.agents.items())
    lines = [f"{draft.id}  {draft.tool}  {counted(draft.count, 'time')}, {span} ({agents})"]
    lines += [f"  {one_line(line)}" for line in draft.signature.split("\n")[:2]]
    if draft.fix:
        lines.append(f"  failed with: {one_line(draft.fix.failed_arguments)}")
        lines.append(f"  worked then: {one_line(draft.fix.arguments)}  ({draft.fix.ref})")
    else:
        lines.append(f"  no later call of {draft.tool} succeeded")
    if draft.accepted:
        lines.append(f"  accepted as error:{draft.accepted}")
    lines.append(f"  seen at {', '.join(draft.refs[:3])}")
    return lines
