"""The guides as the export needs them: compiled once, remembered by what they depend on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from generator.exceptions import GuideError
from generator.export.outputs import digest, sha256
from generator.guides.compose import compile_guide
from generator.guides.loader import Library, load_folders, load_guide
from generator.model.guide import CompiledGuide, Guide, Origin
from generator.tokens import count_characters, tokens_of_counts


@dataclass(frozen=True, slots=True)
class Facts:
    """Sizes of a text, which lists and manifests state.

    Attributes:
        characters: Characters in all.
        cjk: How many of them are CJK, each counted as a token.
        size: Bytes as UTF-8.
        sha256: Digest of those bytes.
        tokens: The estimate for the text alone.
    """

    characters: int
    cjk: int
    size: int
    sha256: str
    tokens: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Estimate once what every list states."""
        object.__setattr__(self, "tokens", tokens_of_counts(self.characters, self.cjk))


def measure(text: str) -> Facts:
    """Measure a text."""
    raw = text.encode("utf-8")
    characters, cjk = count_characters(text)
    return Facts(characters, cjk, len(raw), sha256(raw))


@dataclass(frozen=True, slots=True)
class Entry:
    """One guide of the site.

    Attributes:
        guide: The guide as loaded.
        key: Digest of all that its text depends on.
        facts: Sizes of its text.
        store: Where its text is kept.
    """

    guide: Guide
    key: str
    facts: Facts
    store: GuideStore

    @property
    def topic(self) -> str:
        """The topic's id."""
        return self.guide.topic

    @property
    def compiled(self) -> CompiledGuide:
        """The compiled guide; compiled now when it was not yet."""
        return self.store.compiled(self.guide, self.key)


@dataclass(slots=True)
class GuideStore:
    """Remembers guides between builds: files by size and time, texts by digest.

    Attributes:
        facts: Sizes of texts by digest; a digest that stands here compiles. Kept on disk too.
    """

    facts: dict[str, Facts] = field(default_factory=dict)
    _derived: dict[tuple[str, str], str] = field(default_factory=dict)
    _files: dict[Path, tuple[int, int, Guide | GuideError]] = field(default_factory=dict)
    _keys: dict[int, tuple[Guide, str]] = field(default_factory=dict)
    _compiled: dict[str, CompiledGuide] = field(default_factory=dict)

    def load(self, shipped: Path, user: Path) -> Library:
        """Load the guides of two folders, reading only files that changed."""
        return load_folders(shipped, user, load=self._load)

    def _load(self, path: Path, origin: Origin) -> Guide:
        try:
            stat = path.stat()
        except OSError:
            return load_guide(path, origin=origin)  # words the error
        known = self._files.get(path)
        if known is None or known[:2] != (stat.st_size, stat.st_mtime_ns):
            try:
                found: Guide | GuideError = load_guide(path, origin=origin)
            except GuideError as error:
                found = error
            known = self._files[path] = (stat.st_size, stat.st_mtime_ns, found)
        if isinstance(known[2], GuideError):
            raise known[2]
        return known[2]

    def entries(
        self, guides: Iterable[Guide], base: str
    ) -> tuple[dict[str, Entry], dict[str, GuideError]]:
        """Measure every guide, compiling those whose text is not known yet.

        Args:
            guides: Loaded guides.
            base: Digest of what every text depends on besides its file.

        Returns:
            Entries by topic, and what is wrong with the guides that do not compile.
        """
        entries: dict[str, Entry] = {}
        problems: dict[str, GuideError] = {}
        keys: dict[int, tuple[Guide, str]] = {}
        for guide in guides:
            known = self._keys.get(id(guide))
            key = known[1] if known else _guide_key(guide)
            keys[id(guide)] = (guide, key)
            key = base + key
            try:
                facts = self.facts.get(key) or measure(self.compiled(guide, key).text)
            except GuideError as error:
                problems[guide.topic] = error
                continue
            self.facts[key] = facts
            entries[guide.topic] = Entry(guide, key, facts, self)
        self._keys = keys
        current = {entry.key for entry in entries.values()}
        self.facts = {key: facts for key, facts in self.facts.items() if key in current}
        self._derived = {name: text for name, text in self._derived.items() if name[1] in current}
        self._compiled = {key: text for key, text in self._compiled.items() if key in current}
        return entries, problems

    def compiled(self, guide: Guide, key: str) -> CompiledGuide:
        """Return the compiled guide, compiling it once for each digest.

        Raises:
            GuideError: Its template fails.
        """
        if key not in self._compiled:
            self._compiled[key] = compile_guide(guide)
        return self._compiled[key]

    def derived(self, kind: str, key: str, make: Callable[[], str]) -> str:
        """Return a short text that depends on one guide alone, made once for each digest.

        Args:
            kind: What it is.
            key: The guide's digest.
            make: Makes it.
        """
        if (kind, key) not in self._derived:
            self._derived[kind, key] = make()
        return self._derived[kind, key]


def _guide_key(guide: Guide) -> str:
    return digest(
        guide.topic,
        guide.title,
        guide.summary,
        guide.since,
        guide.aliases,
        guide.tools,
        guide.audience,
        guide.body,
    )
