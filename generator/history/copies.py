"""Copies: what several sessions show is counted once, in the session that had it first.

Claude Code's messages carry ids that every copy keeps, so equal ids are copies. Codex's carry
none: there only a child's beginning is compared with its parent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from generator.exceptions import StorageError
from generator.history.canonical import Record, record_key
from generator.history.keeper import Keeper
from generator.model.session import Message, Tokens, ToolCall, Usage

_Row = Any


def settle_copies(keeper: Keeper) -> None:
    """Mark copies among the sessions that this run touched.

    Args:
        keeper: The keeper of this run, inside a transaction.

    Raises:
        StorageError: The archive cannot be written.
    """
    touched = set(keeper.touched)
    if not touched:
        return
    _settle_twins(keeper, touched)
    _settle_children(keeper, touched)


def _settle_twins(keeper: Keeper, touched: set[int]) -> None:
    groups = _twin_groups(keeper, touched)
    if not groups:
        return
    files = {row["file"] for rows in groups.values() for row in rows}
    first_own = {file: _first_own(keeper, file) for file in files}
    for rows in groups.values():
        rows.sort(
            key=lambda row: (
                row["agent"] != "",
                first_own[row["file"]],
                row["created"] or 0.0,
                row["file"],
            )
        )
        owner, *copies = rows
        for row in copies:
            _mark(keeper, row, _ref(owner))
        _mark(keeper, owner, None)
        _keep_largest(keeper, owner, copies)
        _keep_results(keeper, owner, copies)


_COLUMNS = (
    "SELECT e.file, e.kind, e.agent, e.key, e.n, e.twin, e.said, e.copy, "
    "e.unfinished, e.tin, e.tout, e.tread, e.twrite, f.session, f.created FROM entries e JOIN files f ON f.id = e.file WHERE "
)


_IN_SEVERAL_PLACES = (
    "e.twin IN (SELECT o.twin FROM entries o WHERE o.file = ? AND o.twin IS NOT NULL "
    "AND (SELECT count(*) FROM entries p WHERE p.twin = o.twin) > 1)"
)
_SHARED = _COLUMNS + _IN_SEVERAL_PLACES
_PROMPTS = _COLUMNS + "e.file = ? AND e.said IS NOT NULL"


def _twin_groups(keeper: Keeper, touched: set[int]) -> dict[str, list[_Row]]:
    """Return the messages that several places show, by what they have in common."""
    database = keeper.books.database
    found: dict[tuple[int, str, str], _Row] = {}
    asked = [file for file in touched if _may_share(keeper, file)]
    for file in asked:
        rows = database.execute(_SHARED, (file,))
        found.update({_place(row): row for row in rows})
    groups: dict[str, list[_Row]] = {}
    for row in found.values():
        groups.setdefault(row["twin"], []).append(row)
    sharing = {row["file"] for row in found.values()}
    database.executemany(
        "UPDATE files SET shares = ? WHERE id = ?",
        [(file in sharing, file) for file in sharing.union(asked)],
    )
    # A copy may give prompts new ids. Equal time and text tell them only among files (and side
    # files) that share replies: strangers may well say the same at the same moment.
    for kin in _families(groups):
        prompts: dict[str, list[_Row]] = {}
        for file in kin:
            for row in database.execute(_PROMPTS, (file,)):
                prompts.setdefault(row["said"], []).append(row)
        for said, alike in prompts.items():
            if len(alike) > 1:
                for row in alike:
                    groups.pop(row["twin"], None)
                groups[f"said:{min(kin)}:{said}"] = alike
    return groups


# A file that so much was entered for is looked at as a whole.
_FEW = 100


def _may_share(keeper: Keeper, file: int) -> bool:
    """Tell whether a file may hold messages that stand in several places.

    A session that had none of them gets one only by what was entered now.
    """
    database = keeper.books.database
    twins = keeper.twins.get(file, [])
    row = database.execute("SELECT shares FROM files WHERE id = ?", (file,)).fetchone()
    if row["shares"] or len(twins) > _FEW:
        return True
    return any(
        database.execute("SELECT count(*) FROM entries WHERE twin = ?", (twin,)).fetchone()[0] > 1
        for twin in twins
    )


def _families(groups: dict[str, list[_Row]]) -> list[set[int]]:
    """Return the sets of files that share messages."""
    family: dict[int, set[int]] = {}
    for rows in groups.values():
        files = {row["file"] for row in rows}
        joined = files.union(*(family[file] for file in files if file in family))
        for file in joined:
            family[file] = joined
    return list({id(kin): kin for kin in family.values()}.values())


def _place(row: _Row) -> tuple[int, str, str]:
    return row["file"], row["agent"], row["key"]


def _first_own(keeper: Keeper, file: int) -> float:
    """Return when a session first said something that no other holds.

    A session that holds nothing of its own is what the others were made from.
    """
    row = keeper.books.database.execute(
        "SELECT min(e.ts) AS first FROM entries e WHERE e.file = ? AND e.kind = 'message' "
        "AND e.agent = '' AND NOT EXISTS (SELECT 1 FROM entries o WHERE o.twin = e.twin "
        "AND o.file != e.file)",
        (file,),
    ).fetchone()
    return float("-inf") if row["first"] is None else float(row["first"])


def _ref(row: _Row) -> str:
    side = f"/{row['agent']}" if row["agent"] else ""
    return f"conversation:{row['session']}{side}#{row['n']}"


def _mark(keeper: Keeper, row: _Row, original: str | None) -> None:
    if row["copy"] != original:
        keeper.patch(row["file"], (row["kind"], row["agent"], row["key"]), copy_of=original)


def _keep_largest(keeper: Keeper, owner: _Row, copies: Iterable[_Row]) -> None:
    """Give the owner the largest usage: its own file may hold an early, partial one."""
    best = max((owner, *copies), key=_spent)
    if best is not owner and _spent(best) > _spent(owner):
        tokens = Tokens(
            input=best["tin"],
            output=best["tout"],
            cache_read=best["tread"],
            cache_write=best["twrite"],
        )
        keeper.patch(owner["file"], ("message", owner["agent"], owner["key"]), tokens=tokens)


def _keep_results(keeper: Keeper, owner: _Row, copies: Iterable[_Row]) -> None:
    """Give the owner results that only a copy holds: a session resumed in the middle of a call."""
    if not owner["unfinished"]:
        return
    mine = keeper.record_of(owner["file"], ("message", owner["agent"], owner["key"]))
    if not isinstance(mine, Message):
        return
    finished: dict[str, ToolCall] = {}
    for row in copies:
        theirs = keeper.record_of(row["file"], ("message", row["agent"], row["key"]))
        if isinstance(theirs, Message):
            finished.update({c.id: c for c in theirs.calls if c.status != "unfinished"})
    calls = tuple(
        finished.get(call.id, call) if call.status == "unfinished" else call for call in mine.calls
    )
    if calls != mine.calls:
        keeper.patch(owner["file"], ("message", owner["agent"], owner["key"]), calls=calls)


def _spent(row: _Row) -> int:
    return sum(row[name] or 0 for name in ("tin", "tout", "tread", "twrite"))


def _settle_children(keeper: Keeper, touched: set[int]) -> None:
    """Compare children of Codex sessions with their parents."""
    database = keeper.books.database
    pairs: dict[int, _Row] = {}
    for file in touched:
        rows = database.execute(
            "SELECT c.id AS child, c.path AS child_path, p.path AS parent_path, "
            "p.session AS parent FROM files c JOIN files p "
            "ON p.session = c.parent AND p.agent = c.agent AND p.holds = 'session' "
            "WHERE c.agent = 'codex' AND (c.id = ? OR p.id = ?)",
            (file, file),
        )
        for row in rows:
            pairs[row["child"]] = row
    for row in pairs.values():
        _settle_child(keeper, row)


def _settle_child(keeper: Keeper, pair: _Row) -> None:
    history = keeper.home.history
    try:
        child = _main_thread(keeper, history / pair["child_path"])
        parent = _main_thread(keeper, history / pair["parent_path"])
    except StorageError:
        return
    messages, spending = child
    parent_messages, parent_spending = parent
    replayed = 0
    for mine, theirs in zip(messages, parent_messages, strict=False):
        if not _same(mine, theirs):
            break
        replayed += 1
    for place, message in enumerate(messages):
        original = None
        if place < replayed:
            original = f"conversation:{pair['parent']}#{parent_messages[place].n}"
        if message.copy_of != original:
            keeper.patch(pair["child"], ("message", "", message.id), copy_of=original)
    last = messages[replayed - 1].n if replayed else 0
    for place, usage in enumerate(spending):
        # The replay may hold one count where the parent has several: what was spent on a
        # replayed message is the parent's.
        same = replayed > 0 and (
            usage.n <= last
            if usage.n is not None
            else [line.tokens for line in spending[: place + 1]]
            == [line.tokens for line in parent_spending[: place + 1]]
        )
        original = f"conversation:{pair['parent']}" if same else None
        if usage.copy_of != original:
            keeper.patch(pair["child"], ("usage", "", usage.id), copy_of=original)


def _main_thread(keeper: Keeper, path: Any) -> tuple[list[Message], list[Usage]]:
    held: dict[tuple[str, ...], Record] = {}
    for located in keeper.archive.records(path):
        held[record_key(located.record)] = located.record
    messages = [
        record
        for record in held.values()
        if isinstance(record, Message) and record.thread != "side"
    ]
    spending = [record for record in held.values() if isinstance(record, Usage)]
    return sorted(messages, key=lambda message: message.n), spending


def _same(mine: Message, theirs: Message) -> bool:
    """Tell whether a message of a child repeats one of its parent; times are stamped anew."""
    if (mine.role, mine.text) != (theirs.role, theirs.text):
        return False
    known = {call.id for call in theirs.calls}
    return all(call.id in known for call in mine.calls)
