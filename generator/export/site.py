"""What every section of the export is given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from generator.export.languages import load_texts
from generator.export.links import relative
from generator.export.outputs import Output, digest
from generator.guides.compose import join
from generator.model.reference import Reference
from generator.workspace import Workspace

if TYPE_CHECKING:
    from generator.export.library import Entry
    from generator.export.masker import MaskedPlace
    from generator.export.memo import Memo
    from generator.export.texts import Texts
    from generator.markup.markdown import Rendered
    from generator.model.catalog import CatalogTool

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A place that search can find.

    Attributes:
        path: Its address in the site, with ``#anchor`` where it is part of a page.
        title: What the hit is called.
        text: What a reader sees there, without marks.
    """

    path: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Places that are made and remembered together.

    Attributes:
        name: Names the file that holds their texts; unique in the site.
        key: Digest of everything they depend on.
        make: Makes them.
        size: About how many they are: decides which batches share a file.
    """

    name: str
    key: str
    make: Callable[[], Sequence[Found]]
    size: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A line of ``llms.txt``: a text that agents can fetch.

    Attributes:
        path: Where it lies in the site.
        title: What it is called.
        text: What it holds, in one line; may be empty.
    """

    path: str
    title: str
    text: str = ""

    def line(self, site: Site, page: str) -> str:
        """Write it as an item of a list on a page of the site."""
        title = " ".join(self.title.split()).replace("[", "(").replace("]", ")")
        text = f": {self.text}" if self.text else ""
        return f"- [{title}]({site.link(page, self.path)}){text}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number that the first page states.

    Attributes:
        number: How many.
        noun: A key of the ``count`` table of the texts.
        path: Where they stand.
    """

    number: int
    noun: str
    path: str


def _nothing(_site: Site) -> Sequence[Any]:
    return ()


def _none(_site: Site) -> int:
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the site: a label in the navigation, and the files it consists of.

    Attributes:
        name: Its id: ``guides``, ``history``; its label is the word of that name in the texts.
        path: Its first page, relative to the site.
        outputs: Yields its files.
        batches: Yields what search finds in it.
        figures: Returns the numbers that the first page states of it.
        listed: Returns every text of it that agents can fetch, for ``llms.txt``.
        masked: Returns what was masked in it.
        images: Returns how many images of a user's own it shows.
        gathers: It is made of what the other sections hold, and is planned after them.
    """

    name: str
    path: str
    outputs: Callable[[Site], Iterable[Output]]
    batches: Callable[[Site], Iterable[Batch]] = _nothing
    figures: Callable[[Site], Sequence[Figure]] = _nothing
    listed: Callable[[Site], Sequence[Listed]] = _nothing
    masked: Callable[[Site], Iterable[MaskedPlace]] = _nothing
    images: Callable[[Site], int] = _none
    gathers: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Which part of a user's own data is exported.

    Attributes:
        session: Id of the one session wanted, or a unique part of it; empty for all.
        since: Only what was updated at this time or later; None for all.
        agent: Only this agent's sessions; empty for all.
        images: Whether images of sessions are shown, where the settings do not say otherwise.
    """

    session: str = ""
    since: datetime | None = None
    agent: str = ""
    images: bool = True


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
        memo: What earlier builds found out.
        tools: This product's tools, as the registry describes them.
        choice: Which part of the user's own data is wanted.
        rendered: HTML of guides by digest, kept between builds.
        served: Address that a server of this machine serves it at; empty: the setting ``site.url``.
        records: What search knows of batches that were just made, by digest.
        held: What sections keep between the builds of one process.
    """

    workspace: Workspace
    base: str
    entries: Mapping[str, Entry]
    bundles: Mapping[str, tuple[str, ...]]
    sections: tuple[Section, ...]
    memo: Memo
    reference: Reference = field(default_factory=Reference)
    tools: tuple[CatalogTool, ...] = ()
    choice: Choice = Choice()
    rendered: dict[str, Rendered] = field(default_factory=dict)
    served: str = ""
    records: dict[str, Any] = field(default_factory=dict)
    held: dict[str, Any] = field(default_factory=dict)
    _joins: dict[tuple[str, ...], bytes] = field(default_factory=dict)
    _once: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The name in the masthead."""
        return self.workspace.settings.site.title

    @cached_property
    def section_paths(self) -> tuple[tuple[str, str], ...]:
        """Name and first page of each section, as the navigation shows them."""
        return tuple((section.name, section.path) for section in self.sections)

    @cached_property
    def shell_key(self) -> str:
        """Digest of what every page shows around its content."""
        return digest(self.base, self.title, self.texts.key, self.section_paths, self.url)

    @property
    def url(self) -> str:
        """Where the site is found, ending with a slash; empty when that is not known."""
        return self.served or self.workspace.settings.site.url

    def link(self, page: str, target: str) -> str:
        """Return what a text for agents links to: a whole address when the site has one.

        Args:
            page: The file that links, relative to the site.
            target: The file it links to, likewise; may end with ``#anchor``.
        """
        return self.url + relative("", target) if self.url else relative(page, target)

    def twin(self, path: str, lines: Sequence[str]) -> bytes:
        """Return the Markdown twin of a page, which tells agents of ``llms.txt`` near its top.

        Args:
            path: Where the twin goes.
            lines: Its heading, then what follows; no empty line is needed between the two.
        """
        title, *rest = lines
        rest = rest[1:] if rest and not rest[0] else rest
        text = "\n".join([title, "", self.pointer(path), "", *rest]).rstrip("\n")
        return f"{text}\n".encode("utf-8", "replace")

    def pointer(self, path: str) -> str:
        """Return the line of a twin that leads to ``llms.txt``."""
        target = self.link(path, "llms.txt")
        target = target if "/" in target else f"./{target}"  # readers look for a path
        return "> " + self.texts.say("site", "pointer", map=f"[llms.txt]({target})")

    @property
    def images(self) -> bool:
        """Whether images of sessions are shown."""
        return self.choice.images and self.workspace.settings.site.images

    @cached_property
    def texts(self) -> Texts:
        """The words of the interface."""
        return load_texts(self.workspace.settings.site.language, self.workspace.home)

    def count(self, number: int, noun: str) -> str:
        """Return a number with its noun."""
        return self.texts.count(number, noun)

    def has(self, name: str) -> bool:
        """Tell whether a section is part of this export."""
        return any(section.name == name for section in self.sections)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return a thing that several pages need, made once for this export."""
        if name not in self._once:
            self._once[name] = make()
        made: T = self._once[name]
        return made

    def key_of(self, thing: object) -> str:
        """Return the digest of a frozen thing that may stay from build to build, made once."""
        known = self.kept("keys", dict[int, tuple[object, str]])
        if id(thing) not in known:
            known[id(thing)] = (thing, digest(repr(thing)))  # held, so that its id stays its own
        return known[id(thing)][1]

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """Return a thing that stays from one build of this process to the next."""
        if name not in self.held:
            self.held[name] = make()
        kept: T = self.held[name]
        return kept

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
