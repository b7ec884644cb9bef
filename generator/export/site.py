"""What every section of the export is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from generator.export.outputs import Output, digest
from generator.guides.compose import join
from generator.model.reference import Reference
from generator.workspace import Workspace

if TYPE_CHECKING:
    from generator.export.library import Entry
    from generator.markup.markdown import Rendered


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the site: a label in the navigation, and the files it consists of.

    Attributes:
        name: Its id: ``guides``, ``history``.
        label: The noun in the navigation.
        path: Its first page, relative to the site.
        outputs: Yields its files.
        on_request: It is exported only when asked for (``build --with NAME``).
    """

    name: str
    label: str
    path: str
    outputs: Callable[[Site], Iterable[Output]]
    on_request: bool = False


@dataclass(frozen=True, kw_only=True)
class Site:
    """One export.

    Attributes:
        workspace: Home, settings, clock.
        base: Digest of the code, the templates and the settings that every page depends on.
        entries: The guides by topic, in topic order.
        bundles: Topics of each named bundle.
        sections: The sections of this export, in navigation order.
        reference: What the product documents of itself.
        rendered: HTML of guides by digest, kept between builds.
    """

    workspace: Workspace
    base: str
    entries: Mapping[str, Entry]
    bundles: Mapping[str, tuple[str, ...]]
    sections: tuple[Section, ...]
    reference: Reference = field(default_factory=Reference)
    rendered: dict[str, Rendered] = field(default_factory=dict)
    _joins: dict[tuple[str, ...], bytes] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name in the masthead."""
        return self.workspace.settings.site.title

    @cached_property
    def section_paths(self) -> tuple[tuple[str, str], ...]:
        """Label and first page of each section, as the navigation shows them."""
        return tuple((section.label, section.path) for section in self.sections)

    @cached_property
    def shell_key(self) -> str:
        """Digest of what every page shows around its content."""
        return digest(self.base, self.title, self.section_paths)

    @cached_property
    def names(self) -> dict[str, str]:
        """Current topic behind every topic and alias of this export."""
        names = {topic: topic for topic in self.entries}
        for topic, entry in self.entries.items():
            for alias in entry.guide.aliases:
                names.setdefault(alias, topic)
        return names

    def joined(self, topics: tuple[str, ...]) -> bytes:
        """Return several guides as one text, as ``reasoning_guide`` joins them.

        Args:
            topics: Current names of loaded topics, each once.
        """
        if topics not in self._joins:
            texts = [self.entries[topic].compiled.text for topic in topics]
            self._joins[topics] = join(texts).encode()
        return self._joins[topics]

    def page(self, template: str, path: str, **context: Any) -> bytes:
        """Render a page in the site's frame.

        Args:
            template: File name in the ``templates`` folder.
            path: Where the page goes; its links are relative to it.
            context: What the template needs.
        """
        from generator.export.pages import render_page

        return render_page(self, template, path, context)
