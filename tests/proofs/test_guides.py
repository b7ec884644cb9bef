"""Every shipped guide: its form, its budget, and that each of its samples is what it says."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from generator import limits
from generator.catalog.loader import Catalogs
from generator.guides.compose import compose
from generator.guides.loader import load_folders
from generator.markup.markdown import heading_blocks
from generator.model.guide import CompiledGuide
from generator.paths import shipped
from generator.proofs.calls import call_problems, find_calls
from generator.proofs.samples import Sample
from generator.proofs.syntax import PARSERS, syntax_problem
from generator.tokens import estimate_tokens
from generator.tools import TOOLS, get_tool
from generator.tools.find_tools import load_all
from generator.workspace import Workspace

Guides = dict[str, CompiledGuide]

TOPICS = {
    "ask_user", "figure", "html_render", "market_analysis", "office", "recall",
    "subagent_dispatch", "targeted_read", "tool_error", "tool_generate", "web_search", "write_todo",
}  # fmt: skip
# Languages that no parser of ours reads: shown as they are, or drawn by the charts extra.
PROSE = {"text", "markdown", "mermaid"}


@pytest.fixture
def catalogs(workspace: Workspace) -> Catalogs:
    """The shipped catalogs with our own tools."""
    return load_all(workspace)


def test_the_twelve_topics_are_there(guides: Guides) -> None:
    assert set(guides) == TOPICS


def test_a_topic_stays_within_its_budget(guides: Guides, topic: str) -> None:
    most = limits.TOPIC_TOKENS_MAX
    if topic in limits.LARGE_TOPICS:
        most = limits.LARGE_TOPIC_TOKENS_MAX
    assert estimate_tokens(guides[topic].text) < most


def test_all_together_stay_within_the_budget(guides: Guides) -> None:
    library = load_folders(shipped("guides"))
    text = compose(library, list(library.guides))
    assert estimate_tokens(text) < limits.ALL_BUNDLE_TOKENS_MAX


def test_no_heading_stands_in_two_guides(guides: Guides) -> None:
    headings = [block.text for guide in guides.values() for block in heading_blocks(guide.markdown)]
    assert [text for text, count in Counter(headings).items() if count > 1] == []


def test_headings_say_when_and_when_it_is_done(guides: Guides, topic: str) -> None:
    headings = [block.text for block in heading_blocks(guides[topic].markdown)]
    assert re.search(r"\bWhen\b|^When|^Choose", headings[0]), headings[0]
    assert re.search(r"(is|are) done when$", headings[-1]), headings[-1]


def test_links_lead_to_topics(guides: Guides, topic: str) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", guides[topic].markdown)
    assert set(links) <= {f"{name}.md" for name in TOPICS - {topic}}


def test_tools_relied_on_exist_and_are_mentioned(
    guides: Guides, topic: str, catalogs: Catalogs
) -> None:
    guide = guides[topic]
    for name in guide.guide.tools:
        assert catalogs.knows(name) or name in TOOLS, name
        assert name in guide.markdown, f"{topic} relies on {name} and never mentions it"


def test_no_template_marks_are_left(guides: Guides, topic: str) -> None:
    prose = re.sub(r"(?ms)^(`{3,}).*?^\1\s*$|`[^`\n]*`", "", guides[topic].markdown)
    assert not re.search(r"\{\{|\}\}|\{%|%\}", prose)


def test_a_sample_has_a_language_and_an_end(topic: str, sample: Sample) -> None:
    assert sample.language in PROSE | set(PARSERS)
    assert sample.closed


def test_a_sample_parses(topic: str, sample: Sample) -> None:
    problem = syntax_problem(sample)
    if sample.wrong and sample.language == "tex":
        assert problem is not None
    else:
        assert problem is None


def test_tool_calls_fit_the_catalog(guides: Guides, topic: str, catalogs: Catalogs) -> None:
    for call in find_calls(guides[topic].markdown):
        assert call_problems(call, catalogs) == [], f"{topic}, line {call.line}"


def test_complete_calls_of_our_own_tools_are_accepted(guides: Guides, topic: str) -> None:
    for call in find_calls(guides[topic].markdown):
        if call.complete and call.tool in TOOLS:
            parsed = get_tool(call.tool).parse(call.arguments)
            told = parsed.model_dump(by_alias=True, exclude_unset=True)
            assert told.keys() == call.arguments.keys(), f"{topic}, line {call.line}"


def test_calls_are_shown_at_all(guides: Guides) -> None:
    shown = [call for guide in guides.values() for call in find_calls(guide.markdown)]
    assert sum(call.complete for call in shown) >= 6
    assert sum(not call.complete for call in shown) >= 20


@pytest.mark.parametrize("old", ["write_report", "rag_web", "find_knowledge", "write_file", "patch_file", "glob_files", "search_files", "list_files", "error_history(mode=write"])  # fmt: skip
def test_no_obsolete_name_is_used(guides: Guides, old: str) -> None:
    for guide in guides.values():
        assert old not in guide.markdown
