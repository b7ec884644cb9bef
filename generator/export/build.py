"""Builds the site: plans every file, makes those whose inputs changed, commits them at once."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import generator
from generator import limits
from generator.exceptions import FieldguideError, GuideError, StorageError
from generator.export import assets, discovery
from generator.export.bodies import Body, body_of, make_many
from generator.export.finding.records import record_key
from generator.export.library import Entry, Facts, GuideStore
from generator.export.masker import MaskedPlace
from generator.export.memo import Memo
from generator.export.outputs import Output, digest, sha256
from generator.export.sections import choose_sections
from generator.export.site import Choice, Site
from generator.export.target import MANIFEST, Target, manifest_bytes
from generator.export.used_folders import refuse_used
from generator.guides.bundles import named_bundles
from generator.guides.loader import Library
from generator.markup.markdown import Rendered
from generator.model.catalog import CatalogTool
from generator.model.reference import Reference
from generator.paths import shipped
from generator.storage import file_lock, write_atomic
from generator.workspace import Workspace

# Their output is part of ours: another version makes other bytes.
_LIBRARIES = (
    "jinja2",
    "markdown-it-py",
    "mdit-py-plugins",
    "linkify-it-py",
    "Pygments",
    "math-core",
)
# Rooms of the package whose code makes what is exported.
_ROOMS = (
    "catalog",
    "errors",
    "export",
    "guides",
    "history",
    "markup",
    "masking",
    "model",
    "recall",
    "reports",
    "search",
)
_LOCK_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """What a build did, or what a check found.

    Attributes:
        out: The folder.
        written: Files that were made anew and differ from what stood there.
        unchanged: How many files stayed as they were.
        made: Files whose inputs changed, so that they were made anew; some came out the same.
        removed: Files of an earlier export that are gone now.
        problems: Guides that could not be exported, as sentences.
        remarks: What should be looked at, as sentences.
        topics: How many guides were exported.
        masked: What was masked, record by record, without the values.
        refused: Nothing was written because secrets would have had to be masked.
        images: How many images of sessions are shown, which masking cannot look into.
    """

    out: Path
    written: tuple[str, ...]
    unchanged: int
    removed: tuple[str, ...]
    problems: tuple[str, ...]
    remarks: tuple[str, ...]
    topics: int
    made: tuple[str, ...] = ()
    masked: tuple[MaskedPlace, ...] = ()
    refused: bool = False
    images: int = 0


@dataclass(slots=True)
class _State:
    """What the last build into a folder made: by path the key, digest, size and time."""

    files: dict[str, tuple[str, str, int, int]] = field(default_factory=dict)


class Builder:
    """Builds one site into one folder, again and again.

    Args:
        workspace: Home, settings, clock.
        out: The folder.
        sections: Sections asked for besides the standing ones.
        reference: What the product documents of itself; made above this layer.
        private: Nobody else writes to the folder, so files need not be looked at again.
        tools: This product's tools, which the registry above describes.
        choice: Which part of the user's own data is wanted.
        fail_on_secrets: Write nothing when a secret would have to be masked.
        served: Address that a server of this machine serves it at; else the setting counts.
    """

    def __init__(
        self,
        workspace: Workspace,
        out: Path,
        *,
        sections: Sequence[str] = (),
        reference: Reference | None = None,
        private: bool = False,
        tools: Sequence[CatalogTool] = (),
        choice: Choice | None = None,
        fail_on_secrets: bool = False,
        served: str = "",
    ) -> None:
        self._workspace = workspace
        self._reference = reference or Reference()
        self._sections = tuple(
            section
            for section in choose_sections(sections)
            if section.name != "reference" or self._reference.pages
        )
        self._target = Target(out)
        self._private = private
        self._tools = tuple(tools)
        self._choice = choice or Choice()
        self._fail_on_secrets = fail_on_secrets
        self._served = served
        self._store = GuideStore()
        self._rendered: dict[str, Rendered] = {}
        self._held: dict[str, Any] = {}
        self._names = ""
        folder = workspace.home.index / "export" / digest(str(self._target.root))
        self._memory = folder.with_suffix(".json")
        self._memo = Memo(None if private else folder)
        self._state = _State()

    def build(self) -> BuildReport:
        """Export, telling the workspace's ``progress`` how far it is.

        Returns:
            What changed. Broken guides are left out and named in ``problems``.

        Raises:
            StorageError: The folder cannot be written, or is not ours; it is as it was.
            UsageError: The folder holds something that an export must not mix with.
        """
        with self._locked():
            if not self._private:
                self._target.refresh()
                self._recall()
            return self._build()

    def _build(self) -> BuildReport:
        site, library, problems = self._plan()
        planned = self._outputs(site)
        masked = tuple(place for section in site.sections for place in section.masked(site))
        if self._fail_on_secrets and any(place.secrets for place in masked):
            return BuildReport(
                out=self._target.root,
                written=(),
                unchanged=0,
                removed=(),
                problems=tuple(str(problem) for problem in problems.values()),
                remarks=(*library.remarks, *site.texts.problems),
                topics=len(site.entries),
                masked=masked,
                refused=True,
            )
        target, old, new = self._target, self._state.files, _State()
        if not self._private:
            refuse_used(target.root, planned, self._workspace)
            target.check_room(planned)
        files: dict[str, str] = {}
        made: list[str] = []
        written: list[str] = []
        with target.staging() as staging:
            for number, (name, output) in enumerate(planned.items()):
                known = old.get(name)
                if known and known[0] == output.key and self._untouched(name, known):
                    files[name] = known[1]
                    new.files[name] = known
                    continue
                data = output.make()
                made.append(name)
                files[name] = sha256(data)
                if target.read(name) != data:
                    staging.add(name, data)
                    written.append(name)
                new.files[name] = (output.key, files[name], len(data), 0)
                self._workspace.progress("Exporting", number + 1, len(planned))
            self._workspace.progress("Exporting", len(planned), len(planned))
            removed = staging.commit(files)
        self._state = new
        self._remember(set(written))
        self._memo.sweep()
        return BuildReport(
            out=target.root,
            written=tuple(written),
            unchanged=len(planned) - len(written),
            made=tuple(made),
            removed=tuple(removed),
            problems=tuple(str(problem) for problem in problems.values()),
            remarks=(*library.remarks, *site.texts.problems),
            topics=len(site.entries),
            masked=masked,
            images=sum(section.images(site) for section in site.sections),
        )

    def check(self) -> BuildReport:
        """Compare the folder with a clean build, writing nothing.

        Returns:
            ``written`` are files that are missing or differ, ``removed`` those left over.
        """
        site, library, problems = self._plan()
        planned = self._outputs(site)
        made = {name: output.make() for name, output in planned.items()}
        made[MANIFEST] = manifest_bytes({name: sha256(data) for name, data in made.items()})
        stale = [name for name, data in made.items() if self._target.read(name) != data]
        left = [
            name
            for name in self._target.written
            if name not in made and self._target.read(name) is not None
        ]
        return BuildReport(
            out=self._target.root,
            written=tuple(stale),
            unchanged=len(made) - len(stale),
            removed=tuple(left),
            problems=tuple(str(problem) for problem in problems.values()),
            remarks=(*library.remarks, *site.texts.problems),
            topics=len(site.entries),
        )

    def _plan(self) -> tuple[Site, Library, dict[str, GuideError]]:
        library = self._store.load(shipped("guides"), self._workspace.home.guides)
        base = base_digest()
        entries, broken = self._store.entries(library.guides.values(), base)
        # HTML of texts that are gone is let go once in a while, not looked for on every build.
        if len(self._rendered) > 2 * len(entries) + 100:
            self._rendered.clear()
        site = Site(
            workspace=self._workspace,
            base=base,
            entries=entries,
            bundles=named_bundles(list(entries)),
            sections=self._sections,
            reference=self._reference,
            memo=self._memo,
            tools=self._tools,
            choice=self._choice,
            rendered=self._rendered,
            served=self._served,
            held=self._held,
        )
        aliases = [(topic, entry.guide.aliases) for topic, entry in entries.items()]
        names = digest(base, aliases, site.texts["markdown"])
        if names != self._names:  # links between guides may lead elsewhere now
            self._rendered.clear()
            self._names = names
        return site, library, library.problems | broken

    def _render_ahead(self, site: Site, planned: Mapping[str, Output]) -> None:
        """Render the bodies of all pages that will be made, on every core."""
        known = self._state.files
        bodies: dict[str, tuple[Entry, Body]] = {}
        for topic, entry in site.entries.items():
            page = f"guides/{topic}.html"
            if known.get(page, ("",))[0] != planned[page].key:
                body = body_of(entry)
                if body.key not in site.rendered:
                    bodies[body.key] = (entry, body)
        missing = [body for _, body in bodies.values()]
        for key, made in make_many(missing, site.names, site.texts["markdown"]).items():
            site.rendered[key] = made.rendered
            record = record_key(site.base, bodies[key][0].key)
            site.records[record] = made.record
            site.memo.put_packed("batch", record, made.packed)

    def _outputs(self, site: Site) -> dict[str, Output]:
        planned: dict[str, Output] = {}

        def plan(outputs: Iterable[Output]) -> None:
            for output in outputs:
                if output.path in planned:
                    raise FieldguideError(f"Two parts of the export make {output.path}.")
                planned[output.path] = output

        plan(assets.outputs(self._workspace.home.guides))
        for section in sorted(site.sections, key=lambda section: section.gathers):
            if section.gathers:
                self._render_ahead(site, planned)
            plan(section.outputs(site))
        plan(discovery.outputs(site, list(planned)))
        return planned

    def _untouched(self, name: str, known: tuple[str, str, int, int]) -> bool:
        """Tell whether a file still is what the last build put there."""
        if self._private and known[3]:
            return True
        try:
            stat = self._target.place(name).stat()
        except OSError:
            return False
        return (stat.st_size, stat.st_mtime_ns) == known[2:]

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Let builds into one folder queue; a home that cannot be written has no lock."""
        with contextlib.ExitStack() as stack:
            if not self._private:
                try:
                    self._memory.parent.mkdir(parents=True, exist_ok=True)
                except OSError:
                    pass
                else:
                    lock = self._memory.with_suffix(".lock")
                    stack.enter_context(file_lock(lock, timeout=_LOCK_SECONDS))
            yield

    def _recall(self) -> None:
        """Take up what an earlier process remembered; anything odd in it means a full build."""
        if self._private:
            return
        with contextlib.suppress(OSError, ValueError, TypeError, KeyError, AttributeError):
            raw = json.loads(self._memory.read_bytes())
            self._store.facts |= {key: Facts(*value) for key, value in raw["facts"].items()}
            self._state.files = {
                name: (str(key), str(hashed), int(size), int(time))
                for name, (key, hashed, size, time) in raw["files"].items()
            }

    def _remember(self, written: set[str]) -> None:
        """Note sizes and times of the files as they stand; the note is a cache."""
        files = self._state.files
        for name, (key, hashed, size, time) in list(files.items()):
            if time == 0 or name in written:
                try:
                    mtime = self._target.place(name).stat().st_mtime_ns
                except OSError:
                    continue
                files[name] = (key, hashed, size, mtime)
        if self._private:
            return
        facts = {
            key: (fact.characters, fact.cjk, fact.size, fact.sha256)
            for key, fact in self._store.facts.items()
        }
        with contextlib.suppress(StorageError):
            write_atomic(self._memory, json.dumps({"facts": facts, "files": files}))


def base_digest() -> str:
    """Return the digest of what every file depends on: our code, templates, limits, libraries."""
    templates = shipped("templates")
    sources = [
        path
        for path in sorted(templates.rglob("*"))
        if path.is_file() and not path.is_relative_to(templates / "assets")
    ]
    hashed = [(path.name, sha256(path.read_bytes())) for path in sources]
    return digest(_code_digest(), hashed, sorted(limits.template_context().items()))


@cache
def _code_digest() -> str:
    """Return the digest of the code, which stays what it is while it runs."""
    package = Path(generator.__file__).parent
    sources = [path for room in _ROOMS for path in sorted((package / room).rglob("*.py"))]
    sources += [package / "templating.py", package / "tokens.py"]
    hashed = [(path.name, sha256(path.read_bytes())) for path in sources]
    return digest(hashed, [(name, version(name)) for name in _LIBRARIES])
