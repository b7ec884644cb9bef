"""Sums over the archive, each thing once: the total of the status, and what was spent."""

from __future__ import annotations

from typing import Any

from generator.history.books import Books
from generator.history.tally import Tally
from generator.model.session import Tokens


def total_tally(books: Books) -> Tally:
    """Return the numbers of the whole archive; copies are left out."""
    tally = Tally()
    database = books.database
    tally.sessions = database.execute(
        "SELECT count(*) FROM files WHERE holds = 'session'"
    ).fetchone()[0]
    groups = {"active": tally.messages, "off": tally.off_thread, "side": tally.sidechain}
    for thread, role, count in database.execute(
        "SELECT thread, role, count(*) FROM entries WHERE kind = 'message' AND copy IS NULL "
        "AND NOT partial GROUP BY thread, role"
    ):
        groups[thread][role] = count
    calls = database.execute(
        "SELECT sum(calls), sum(errors), sum(unfinished) FROM entries "
        "WHERE copy IS NULL AND (kind = 'action' OR (kind = 'message' AND thread != 'off'))"
    ).fetchone()
    tally.calls, tally.errors, tally.unfinished = (value or 0 for value in calls)
    tally.tokens = _tokens(
        database.execute(
            "SELECT sum(tin), sum(tout), sum(tread), sum(twrite) FROM entries WHERE copy IS NULL"
        ).fetchone()
    )
    return tally


def _tokens(row: Any) -> Tokens:
    return Tokens(input=row[0], output=row[1], cache_read=row[2], cache_write=row[3])
