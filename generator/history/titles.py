"""Titles that stand in another file than the session they name."""

from __future__ import annotations

from dataclasses import replace

from generator.history.appender import Appender
from generator.history.canonical import encode
from generator.history.entries import leaf_number
from generator.history.heads import head_text, load_head
from generator.history.keeper import Keeper


def settle_titles(keeper: Keeper) -> None:
    """Give untitled sessions the titles that other files hold for a record of theirs.

    Args:
        keeper: The keeper of this run, inside a transaction.
    """
    database = keeper.books.database
    for title in database.execute("SELECT leaf, title FROM leaf_titles").fetchall():
        rows = database.execute(
            "SELECT files.* FROM leaves JOIN files ON files.id = leaves.file "
            "WHERE leaves.leaf = ? ORDER BY files.created, files.id",
            (leaf_number(title["leaf"]),),
        ).fetchall()
        for row in rows[:1]:
            head = load_head(row["head"])
            if head is None or head.title is not None:
                continue
            head = replace(head, title=title["title"])
            appender = Appender(keeper.home.history / row["path"])
            appender.write(encode(head))
            database.execute("UPDATE files SET head = ? WHERE id = ?", (head_text(head), row["id"]))
            keeper.note_size(row["id"], appender)
