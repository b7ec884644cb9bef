"""Headings move one level down, links to guides become names, and code stays as it is."""

import pytest

from generator.guides.headings import demote, name_guides


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("## A\n", "### A\n"),
        ("### A ###\n", "#### A ###\n"),
        ("###### A\n", "###### A\n"),
        ("# A\n", "### A\n"),
        ("Title\n---\n", "### Title\n"),
        ("Title\nover two\n===\n\ntext\n", "### Title over two\n\ntext\n"),
        ("> ## Quoted\n", "> ### Quoted\n"),
        ("- ## In a list\n", "- ### In a list\n"),
        ("```python\n## comment\n```\n", "```python\n## comment\n```\n"),
        ("    ## indented code\n", "    ## indented code\n"),
        ("<div>\n## Not hidden by HTML\n", "<div>\n### Not hidden by HTML\n"),
        ("\\## escaped\n", "\\## escaped\n"),
        ("#hashtag\n", "#hashtag\n"),
        ("## 部署流程\n", "### 部署流程\n"),
        ("~~~~\n```\n## a\n~~~~\n## b\n", "~~~~\n```\n## a\n~~~~\n### b\n"),
    ],
)
def test_demote(before, after):
    assert demote(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[recall](recall.md) says how", "`recall` says how"),
        ("[`recall`](recall.md)", "`recall`"),
        ("see [how to search](./recall.md#two).", "see how to search (guide `recall`)."),
        ('[over\ntwo lines](recall.md "title")', "over\ntwo lines (guide `recall`)"),
        ("[the [old] one](recall.md)", "the [old] one (guide `recall`)"),
        ("[a][r] and [r] and [b][]\n\n[R]: recall.md\n", "a (guide `recall`) and r (guide `recall`) and [b][]\n\n"),
        ("`[a](recall.md)`", "`[a](recall.md)`"),
        ("``a ` [a](recall.md)`` [recall](recall.md)", "``a ` [a](recall.md)`` `recall`"),
        ("```\n[a](recall.md)\n```", "```\n[a](recall.md)\n```"),
        ("[a](https://x.org/recall.md)", "[a](https://x.org/recall.md)"),
        ("[a](docs/recall.md)", "[a](docs/recall.md)"),
        ("![a](recall.md)", "![a](recall.md)"),
    ],
)  # fmt: skip
def test_links_to_guides_become_names(before, after):
    assert name_guides(before) == after


def test_a_skill_names_skills():
    asked = {"kind": "skill", "name": lambda topic: topic.replace("_", "-")}
    assert name_guides("[tool_error](tool_error.md)", **asked) == "`tool-error`"
    assert name_guides("[it](tool_error.md)", **asked) == "it (skill `tool-error`)"
