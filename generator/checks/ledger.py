"""The ledger of renames, made ready for looking names up in text."""

from __future__ import annotations

import re

from generator.catalog.loader import SHIPPED, Catalogs
from generator.model.catalog import Rename


class Ledger:
    """The renames, ready to be looked for.

    Args:
        catalogs: Every catalog. A name that a catalog of the user's own has is current.

    Attributes:
        words: Renames of tools and topics by the old name.
        commands: Renames of commands by the old name.
        markers: Renames of markers by the old text.
        in_calls: Renames of modes and arguments.
        pattern: Finds all but those, in groups ``word``, ``command`` and ``marker``.
        call: Finds where a call begins of a tool that ``in_calls`` is about.
        json_call: Finds the same in a call written as JSON.
    """

    def __init__(self, catalogs: Catalogs) -> None:
        current = {
            tool.name for catalog in catalogs.others[len(SHIPPED) :] for tool in catalog.tools
        }
        self.words = {
            rename.old: rename
            for rename in catalogs.renames()
            if rename.kind in ("tool", "topic") and rename.old not in current
        }
        self.commands = {r.old: r for r in catalogs.renames() if r.kind == "command"}
        self.markers = {r.old: r for r in catalogs.renames() if r.kind == "marker"}
        self.in_calls = [
            rename for rename in catalogs.renames() if rename.kind in ("mode", "argument")
        ]
        self.pattern = _alternatives(
            [rf"(?<![\w.$@-])(?<!\w/)(?P<word>{_any(self.words)})(?![\w-])(?!\.(?!md\b)\w)(?!/\w)"]
            + (
                [rf"(?<![\w/.:])(?P<command>{_any(self.commands)})(?![\w/-])"]
                if self.commands
                else []
            )
            + ([rf"(?P<marker>{_any(self.markers)})"] if self.markers else [])
        )
        tools = sorted({rename.tool for rename in self.in_calls})
        self.call = re.compile(rf"(?<![\w.])(?P<tool>{'|'.join(map(re.escape, tools))})\(")
        self.json_call = re.compile(
            rf"\"tool\"\s*:\s*\"(?P<tool>{'|'.join(map(re.escape, tools))})\""
        )


def _any(names: dict[str, Rename]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or r"(?!)"


def _alternatives(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))
