"""Loads guides: the shipped ones, and the user's own, which override by name.

A guide is a Markdown file with YAML front matter; its topic is the file name. A broken guide
never stops the others: it is kept as a problem, and asking for its topic raises that problem.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from generator import limits
from generator.exceptions import FrontMatterError, GuideError, StorageError, UnknownNameError
from generator.markup.front_matter import FrontMatter, split_front_matter
from generator.model.guide import Guide, Origin
from generator.paths import shipped
from generator.workspace import Workspace

KEYS = ("title", "summary", "since", "aliases", "tools", "audience")
REQUIRED = ("title", "summary", "since")
LISTS = ("aliases", "tools")
_RESERVED = ("index",)  # the export's own file in guides/
_TOPIC = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """Every guide that could be loaded, and what was wrong with the rest.

    Attributes:
        guides: Guides by topic, in topic order.
        problems: What is wrong, by topic; a topic stands here or in ``guides``.
        names: Current topic behind every topic and alias.
        remarks: Aliases that two guides claim, as sentences; a topic of that name wins, else the
            first guide.
    """

    guides: dict[str, Guide]
    problems: dict[str, GuideError] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    def find(self, name: str) -> Guide:
        """Return the guide behind a topic or an alias.

        Raises:
            UnknownNameError: Neither exists; names the nearest and lists all topics.
            GuideError: The guide exists and is broken.
        """
        topic = self.names.get(name)
        if topic is None:
            raise UnknownNameError("topic", name, sorted({*self.guides, *self.problems}))
        if topic in self.problems:
            raise self.problems[topic]
        return self.guides[topic]

    def triggers(self) -> list[tuple[str, str]]:
        """Return each topic with its summary, which says when to read it."""
        return [(guide.topic, guide.summary) for guide in self.guides.values()]


def load_library(workspace: Workspace) -> Library:
    """Load the shipped guides and those of the home."""
    return load_folders(shipped("guides"), workspace.home.guides)


def load_folders(
    shipped_folder: Path,
    user_folder: Path | None = None,
    *,
    load: Callable[[Path, Origin], Guide] | None = None,
) -> Library:
    """Load the guides of two folders; a user's guide replaces the shipped one of its name.

    Args:
        shipped_folder: Guides that ship with the package.
        user_folder: The user's own; it need not exist.
        load: Reads one guide; a caller that builds again and again may remember them.

    Returns:
        The library. Broken guides are in its ``problems``.
    """
    load = load or (lambda path, origin: load_guide(path, origin=origin))
    found: dict[str, Guide | GuideError] = {}
    folders: list[tuple[Path, Origin]] = [(shipped_folder, "shipped")]
    if user_folder is not None:
        folders.append((user_folder, "user"))
    for folder, origin in folders:
        for path in guide_files(folder):
            topic = path.stem
            try:
                guide: Guide | GuideError = load(path, origin)
                if isinstance(guide, Guide) and origin == "user" and topic in found:
                    guide = replace(guide, overrides=True)
            except GuideError as error:
                guide = error
            found[topic] = guide
    return make_library(found)


def guide_files(folder: Path) -> list[Path]:
    """Return the guide files of a folder in topic order; none when it does not exist."""
    if not folder.is_dir():
        return []
    found = {path.stem: path for path in folder.glob("*.md")}
    return [path for stem, path in sorted(found.items()) if stem.lower() != "readme"]


def make_library(found: dict[str, Guide | GuideError]) -> Library:
    """Put loaded guides together and give every alias its owner."""
    guides = {name: guide for name, guide in sorted(found.items()) if isinstance(guide, Guide)}
    problems = {name: item for name, item in sorted(found.items()) if isinstance(item, GuideError)}
    names = {topic: topic for topic in found}
    remarks = []
    # Shipped names stand first: a remark then names the file that its user can change.
    for topic, guide in sorted(
        guides.items(), key=lambda item: item[1].origin == "user" and not item[1].overrides
    ):
        for alias in guide.aliases:
            owner = names.setdefault(alias, topic)
            if owner != topic:
                remarks.append(
                    f"{guide.path}: the alias {alias!r} already belongs to {owner}; "
                    "remove it from one of the two."
                )
    return Library(guides=guides, problems=problems, names=names, remarks=tuple(remarks))


def is_topic_name(name: str) -> bool:
    """Tell whether a file of that name (without its suffix) can be a topic."""
    return _TOPIC.match(name) is not None and name not in _RESERVED


def load_guide(path: Path, *, origin: Origin) -> Guide:
    """Read one guide.

    Args:
        path: The Markdown file.
        origin: Whose guide it is.

    Raises:
        GuideError: The file cannot be read, or its name or front matter is wrong; every problem
            is named with its line.
    """
    if not is_topic_name(path.stem):
        raise GuideError(
            f"{path}: {path.stem!r} is no topic name.",
            hint="Use small Latin letters, digits and single underscores, such as web_search.md.",
        )
    return parse_guide(_read(path), path=path, origin=origin)


def _read(path: Path) -> str:
    if path.exists() and not path.is_file():  # reading a pipe would wait for ever
        raise GuideError(f"{path} is not a file.", hint="Move it out of the guides.")
    try:
        raw = path.read_bytes()
    except OSError as error:
        problem = StorageError(f"{path} could not be read: {error.strerror or error}.")
        raise GuideError(str(problem), hint="Check that the file is readable.") from error
    if len(raw) > limits.GUIDE_BYTES_MAX:
        raise GuideError(
            f"{path} is larger than {limits.GUIDE_BYTES_MAX:,} bytes.",
            hint="Split it into topics that can be read one at a time.",
        )
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise GuideError(
            f"{path}, line {line}: the file is not UTF-8.", hint="Save it as UTF-8."
        ) from error


def parse_guide(text: str, *, path: Path, origin: Origin) -> Guide:
    """Judge the text of a guide.

    Raises:
        GuideError: See :func:`load_guide`.
    """
    try:
        front = split_front_matter(text, typed=False)
    except FrontMatterError as error:
        raise GuideError(
            f"{path}, line {error.line}: {error.reason}.",
            hint="Front matter is 'key: value' lines between two lines of '---'; "
            "quote values that hold a colon.",
        ) from error
    problems = _problems(front)
    if problems:
        raise GuideError(
            f"{path}, {'; '.join(problems)}.", hint=f"A guide has the keys {', '.join(KEYS)}."
        )
    values = front.values
    return Guide(
        topic=path.stem,
        title=values["title"],
        summary=values["summary"],
        since=values["since"],
        aliases=tuple(values.get("aliases", ())),
        tools=tuple(values.get("tools", ())),
        audience=values.get("audience", "agents"),
        body=front.body,
        body_line=front.body_line,
        path=path,
        origin=origin,
    )


def _problems(front: FrontMatter) -> list[str]:
    """Name everything that is wrong with the front matter, as clauses with lines."""
    if not front.present:
        return ["line 1: there is no front matter"]
    problems = []
    for key, value in front.values.items():
        line = f"line {front.lines[key]}: "
        if key not in KEYS:
            close = get_close_matches(key, KEYS, n=1)
            problems.append(
                f"{line}{key!r} is not a key" + (f" (did you mean {close[0]!r}?)" if close else "")
            )
        elif key in LISTS:
            if not (isinstance(value, list) and all(_is_word(item) for item in value)):
                problems.append(f"{line}{key!r} takes a list of names, such as [one, two]")
        elif not isinstance(value, str) or not value.strip() or "\n" in value.strip():
            problems.append(f"{line}{key!r} takes one line of text")
        elif key == "summary" and len(value) > limits.GUIDE_SUMMARY_CHARACTERS:
            problems.append(
                f"{line}'summary' is longer than {limits.GUIDE_SUMMARY_CHARACTERS} characters"
            )
    missing = [key for key in REQUIRED if key not in front.values]
    if missing:
        problems.append(f"line 1: {' and '.join(map(repr, missing))} must be given")
    if not front.body.strip():
        problems.append(f"line {front.body_line}: there is no text below the front matter")
    return problems


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value) and not re.search(r"\s", value)
