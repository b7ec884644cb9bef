"""One page of the handbook's own reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePage:
    """A page that documents one thing of the product.

    Attributes:
        kind: A key of the reference's ``kinds``: ``start``, ``commands``, ``tools`` and so on.
        name: Its id within the kind; the file name of the page.
        title: Its heading.
        summary: One line for lists.
        markdown: The body; headings start at the second level.
    """

    kind: str
    name: str
    title: str
    summary: str
    markdown: str

    @property
    def path(self) -> str:
        """Where the page goes in the site, without ending."""
        return f"reference/{self.kind}/{self.name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """The whole reference.

    Attributes:
        kinds: Label and one line on each kind of page, in order.
        pages: The pages, in order.
    """

    kinds: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    pages: tuple[ReferencePage, ...] = ()
