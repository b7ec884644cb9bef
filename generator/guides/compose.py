"""Composes topics into the one text that an agent is given."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import MappingProxyType

from generator import limits
from generator.exceptions import GuideError, TemplateRenderError, UsageError
from generator.guides.headings import demote, name_guides
from generator.guides.loader import Library
from generator.model.guide import CompiledGuide, Guide
from generator.paths import shipped
from generator.questions import table_rows
from generator.templating import render_guide

DISPATCH_TOPIC = "subagent_dispatch"
CANNOT_DISPATCH = (
    "You cannot dispatch subagents from here: run every lookup yourself, in this session, "
    "and do not hand work to another leg."
)


def partials_folder() -> Path:
    """Return the folder of macros and passages that guides share."""
    return shipped("templates") / "guides"


def template_names(topic: str) -> dict[str, object]:
    """Return what the template of a guide may use.

    Args:
        topic: The guide's topic.
    """
    return {
        "limits": MappingProxyType(limits.template_context()),
        "questions": tuple(table_rows()),
        "topic": topic,
    }


def compile_guide(guide: Guide, *, partials: Path | None = None) -> CompiledGuide:
    """Run the template of a guide and give its text the form that agents read.

    Args:
        guide: The guide as loaded.
        partials: Folder of shared macros and includes; the shipped one when None.

    Raises:
        GuideError: The template fails; the message names file and line.
    """
    try:
        markdown = render_guide(
            guide.body,
            context=template_names(guide.topic),
            partials=partials or partials_folder(),
            path=guide.path,
            first_line=guide.body_line,
        )
    except TemplateRenderError as error:
        raise GuideError(error.message, hint=error.hint) from error
    markdown = markdown.strip("\n") + "\n"
    return CompiledGuide(
        guide=guide, markdown=markdown, text=section_of_guide(guide.topic, markdown)
    )


def section_of_guide(topic: str, markdown: str) -> str:
    """Return a compiled body as the section that a guide is in every text agents receive."""
    return section(topic, name_guides(demote(markdown)))


def section(topic: str, body: str) -> str:
    """Put a body under its topic's heading."""
    return f"## {topic}\n\n{body}"


def join(sections: Sequence[str]) -> str:
    """Join sections, each of which ends with one line end, by an empty line."""
    return "\n".join(sections)


def resolve_topics(library: Library, topics: Sequence[str]) -> list[Guide]:
    """Return the guides that were asked for: in that order, each once, aliases resolved.

    Raises:
        UsageError: No topic was named, or one is unknown.
        GuideError: One of them is broken.
    """
    if not topics:
        names = ", ".join(library.guides)
        raise UsageError("Name at least one topic.", hint=f"Topics: {names}.")
    guides = {guide.topic: guide for guide in (library.find(name.strip()) for name in topics)}
    return list(guides.values())


def compose(library: Library, topics: Sequence[str], *, can_dispatch: bool = True) -> str:
    """Compose topics into one text, as ``reasoning_guide`` returns it.

    Args:
        library: The loaded guides.
        topics: Topics or aliases, at least one.
        can_dispatch: The reader can hand work to subagents; when False, ``subagent_dispatch``
            becomes one line that tells it to run every lookup itself.

    Returns:
        Each guide under a ``## topic`` heading, in the order asked, asked twice given once.

    Raises:
        UsageError: No topic was named, or one is unknown; nothing else is returned.
        GuideError: One of the guides is broken.
    """
    sections = []
    for guide in resolve_topics(library, topics):
        if guide.topic == DISPATCH_TOPIC and not can_dispatch:
            sections.append(section(guide.topic, CANNOT_DISPATCH + "\n"))
        else:
            sections.append(compile_guide(guide).text)
    return join(sections)
