"""``reasoning_guide``: the rules for a kind of work, fetched before it is done."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from generator.tools.base import Arguments, Result, Tool
from generator.workspace import Workspace, open_workspace


class ReasoningGuideArguments(Arguments):
    """What may be asked."""

    topics: list[str] = Field(
        min_length=1, description="topics wanted, in order; a topic asked twice is given once"
    )
    can_dispatch: bool = Field(
        default=True,
        description="false for a leg that cannot dispatch subagents: subagent_dispatch becomes "
        "one line",
    )


class ReasoningGuideResult(Result):
    """The composed text."""

    topics: list[str] = Field(description="topics given, under their current names")
    text: str = Field(description="each guide under a '## topic' heading")
    tokens: int = Field(description="estimated size of the text in tokens")


def _handle(arguments: ReasoningGuideArguments, workspace: Workspace) -> ReasoningGuideResult:
    from generator.guides.compose import compose, resolve_topics
    from generator.guides.loader import load_library
    from generator.tokens import estimate_tokens

    library = load_library(workspace)
    text = compose(library, arguments.topics, can_dispatch=arguments.can_dispatch)
    topics = [guide.topic for guide in resolve_topics(library, arguments.topics)]
    return ReasoningGuideResult(topics=topics, text=text, tokens=estimate_tokens(text))


def _render(result: ReasoningGuideResult) -> str:
    return result.text


TOOL = Tool(
    name="reasoning_guide",
    group="guides",
    what="Returns the complete rules for one or more kinds of work as one text.",
    when="Before a kind of work that has a topic: the first failure of a tool, a report, a search.",
    precondition="None; ask for every topic that applies in one call.",
    arguments=ReasoningGuideArguments,
    result=ReasoningGuideResult,
    handler=_handle,
    render=_render,
    read_only=True,
    idempotent=True,
    seed="agenvoy",
    example={"topics": ["tool_error"]},
)


def reasoning_guide(topics: Sequence[str], can_dispatch: bool = True) -> str:
    """Return the rules of one or more topics as one text.

    Args:
        topics: Topics or aliases, at least one; each is given once, in the order asked.
        can_dispatch: False for a leg that cannot dispatch subagents.

    Raises:
        UsageError: No topic was named, or one is unknown (the message lists all).
        GuideError: A guide is broken; the message names file and line.
    """
    listed = topics if isinstance(topics, str) else list(topics)  # a text is refused, not spelt
    arguments = {"topics": listed, "can_dispatch": can_dispatch}
    return TOOL.call(arguments, open_workspace()).text
