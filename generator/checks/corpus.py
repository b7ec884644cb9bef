"""Everything one run of the checks looks at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from generator import limits
from generator.catalog.loader import Catalogs
from generator.checks.document import Document
from generator.checks.exported import ExportedSite
from generator.checks.ledger import Ledger
from generator.guides.bundles import named_bundles
from generator.markup.front_matter import FrontMatter


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The most tokens that texts may have.

    Attributes:
        section: A part under a level-2 heading.
        topic: A topic.
        topics: Topics with a budget of their own.
        bundle: A named bundle.
        bundles: Bundles with a budget of their own.
        rules: A file of rules that is no guide of ours.
    """

    section: int = limits.SECTION_TOKENS_MAX
    topic: int = limits.TOPIC_TOKENS_MAX
    topics: Mapping[str, int] = field(
        default_factory=lambda: dict.fromkeys(limits.LARGE_TOPICS, limits.LARGE_TOPIC_TOKENS_MAX)
    )
    bundle: int = limits.BUNDLE_TOKENS_MAX
    bundles: Mapping[str, int] = field(
        default_factory=lambda: {"all": limits.ALL_BUNDLE_TOKENS_MAX}
    )
    rules: int = limits.RULES_FILE_TOKENS_MAX


@dataclass(eq=False, kw_only=True)
class Shelf:
    """Guides that belong together: those of one folder, or the shipped and the user's.

    Attributes:
        guides: The guides by topic.
        shared: The shipped and the user's guides, which links of any folder may lead to.
    """

    guides: dict[str, Document]
    shared: Mapping[str, Document]

    @cached_property
    def bundles(self) -> dict[str, tuple[str, ...]]:
        """Topics of each named bundle."""
        return named_bundles(sorted(self.guides))

    @cached_property
    def names(self) -> dict[str, str]:
        """Topic behind every topic and alias that a guide of this shelf may name."""
        every = {**self.shared, **self.guides}
        names = {topic: topic for topic in every}
        for topic, document in every.items():
            for alias in aliases(document):
                names.setdefault(alias, topic)
        return names

    def find(self, name: str) -> Document | None:
        """Return the guide behind a topic or an alias."""
        topic = self.names.get(name)
        return None if topic is None else self.guides.get(topic) or self.shared.get(topic)


@dataclass(eq=False, kw_only=True)
class Corpus:
    """The files of one run and what they are judged by.

    Attributes:
        documents: The files that are checked.
        shared: Shipped and user guides by topic, whether they are checked or not.
        catalogs: The tools that exist.
        site: The exported site; None when there is none.
        budgets: The budgets.
        whole: The shipped and the user's guides are what is checked.
    """

    documents: Sequence[Document]
    shared: Mapping[str, Document]
    catalogs: Catalogs
    site: ExportedSite | None = None
    budgets: Budgets = field(default_factory=Budgets)
    whole: bool = False

    @cached_property
    def ledger(self) -> Ledger:
        """The renames."""
        return Ledger(self.catalogs)

    @cached_property
    def shelves(self) -> list[Shelf]:
        """The guides, folder by folder."""
        if self.whole:
            guides = {document.topic: document for document in self.documents}
            return [Shelf(guides=guides, shared=self.shared)]
        folders: dict[Path, dict[str, Document]] = defaultdict(dict)
        for document in self.documents:
            if document.kind == "guide":
                folders[document.path.parent][document.topic] = document
        return [Shelf(guides=guides, shared=self.shared) for guides in folders.values()]

    @cached_property
    def _shelf_of(self) -> dict[int, Shelf]:
        return {id(guide): shelf for shelf in self.shelves for guide in shelf.guides.values()}

    def shelf(self, document: Document) -> Shelf:
        """Return the shelf a guide stands on."""
        return self._shelf_of[id(document)]

    def guides(self) -> Iterator[Document]:
        """Yield the guides among the files."""
        return (document for document in self.documents if document.kind == "guide")

    def rules_files(self) -> Iterator[Document]:
        """Yield the files that are no guides."""
        return (document for document in self.documents if document.kind != "guide")


def front_values(document: Document) -> Mapping[str, Any]:
    """Return the front matter of a file; empty when it cannot be read."""
    return document.front.values if isinstance(document.front, FrontMatter) else {}


def aliases(document: Document) -> list[str]:
    """Return the aliases a guide claims, as far as they are names."""
    given = front_values(document).get("aliases")
    return [name for name in given if isinstance(name, str)] if isinstance(given, list) else []
