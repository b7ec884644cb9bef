"""A guide as it stands in its file, and the text it compiles to."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Origin = Literal["shipped", "user"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """One topic.

    Attributes:
        topic: Its id: the file name without ``.md``.
        title: Title for people.
        summary: One line: when to read it.
        since: Version of Fieldguide (or date) it is in since.
        aliases: Older or other names it answers to.
        tools: Tools its rules rely on.
        audience: Who it is for.
        body: The Jinja template of the text, starting at ``##``.
        body_line: Line of the file at which the body starts.
        path: The file.
        origin: ``shipped`` with the package, or the ``user``'s own.
        overrides: It is the user's own and replaces a shipped topic of the same name.
    """

    topic: str
    title: str
    summary: str
    since: str
    aliases: tuple[str, ...]
    tools: tuple[str, ...]
    audience: str
    body: str
    body_line: int
    path: Path
    origin: Origin
    overrides: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledGuide:
    """The text of a guide after Jinja.

    Attributes:
        guide: Where it came from.
        markdown: The compiled body, its headings as the guide has them (from ``##``).
        text: What an agent is given: the ``## topic`` heading and the body, one level down.
    """

    guide: Guide
    markdown: str
    text: str
