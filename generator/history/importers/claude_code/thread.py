"""The tree of a transcript's records, and the thread: the chain back from the newest leaf."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Any

from generator.exceptions import DoubtError
from generator.history.importers.base import text_of
from generator.history.importers.checkpoints import Past


@dataclass(slots=True)
class Node:
    """A record's place in the tree."""

    parent: str | None
    key: str | None = None


class Thread:
    """The records in sight and how they follow each other.

    Args:
        past: Marks of the records out of sight.
        side_file: Id of the sidechain that the whole file is; None for the file of a session.

    Attributes:
        nodes: Records by id, in file order.
        agent_of: The sidechain of each record that stands in one.
        newest: The last record of the conversation.
        previous: The last record of any kind, outside sidechains.
        exit: Where the thread leaves what is in sight.
        unnamed: Records that have no id of their own.
        is_open: Whether a record follows one that may still come.
    """

    def __init__(self, past: Past, side_file: str | None) -> None:
        self.past = past
        self.side_file = side_file
        self.nodes: dict[str, Node] = {}
        self.agent_of: dict[str, str] = {}
        self.newest: str | None = None
        self.previous: str | None = None
        self.exit: str | None = None
        self.unnamed: list[str] = []
        self.is_open = False

    def add(self, uuid: str, record: dict[str, Any], *, conversation: bool) -> str | None:
        """Place a record; return the sidechain it stands in, None for the main thread.

        Raises:
            DoubtError: It may follow a record out of sight.
        """
        agent = self._agent(record, uuid)
        parent = record.get("parentUuid") or record.get("logicalParentUuid")
        if agent is None and not isinstance(parent, str) and not self._is_root(record):
            parent = self.previous
        node = Node(parent if isinstance(parent, str) else None)
        self.nodes[uuid] = node
        unknown = node.parent is not None and node.parent not in self.nodes
        if unknown:
            self.past.doubt("node", str(node.parent))
        if agent is None:
            if unknown:
                # The parent is missing, or is book-keeping without an id.
                node.parent = self.previous
            self.previous = uuid
            if conversation:
                self.newest = uuid
        elif unknown and self.side_file is None:
            self.is_open = True  # it may lead the thread elsewhere
        return agent

    def _is_root(self, record: dict[str, Any]) -> bool:
        """Tell whether a record without a parent begins a thread of its own.

        A prompt does: the first one was edited. A compaction boundary or another record of the
        tool's own does not: it goes on from what stands before it.
        """
        return record.get("type") == "user" and not record.get("isCompactSummary")

    def _agent(self, record: dict[str, Any], uuid: str) -> str | None:
        if not record.get("isSidechain") and self.side_file is None:
            return None
        agent = text_of(record.get("agentId")) or self.side_file
        if agent is None:
            parent = text_of(record.get("parentUuid"))
            if parent not in self.agent_of and parent not in self.nodes:
                self.past.doubt("node", parent)
            agent = self.agent_of.get(parent) or f"side-{uuid[-12:]}"
        self.agent_of[uuid] = agent
        return agent

    def walk(self, within: Container[str]) -> tuple[set[str], str | None]:
        """Follow the thread back from the newest record.

        Args:
            within: Records to stay among.

        Returns:
            The records, and the one where the thread leaves; None when it ends before.
        """
        seen: set[str] = set()
        at = self.newest
        while at is not None and at not in seen and at in within:
            seen.add(at)
            at = self.nodes[at].parent
        return seen, at

    def active(self) -> set[str]:
        """Return the records on the chain back from the newest leaf, as far as it is in sight.

        Raises:
            DoubtError: The chain is no longer the same out of sight.
        """
        seen, end = self.walk(self.nodes)
        if self.past and self.newest is not None and end != self.exit:
            raise DoubtError("The thread branches off out of sight.")
        # Nothing can point to a record without an id: it stands where its parent stands.
        for name in self.unnamed:
            if self.nodes[name].parent in seen:
                seen.add(name)
        return seen
