"""Headings move one level down, links point at the export, and code stays as it is."""

import pytest

from generator.guides.headings import demote, relink


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
        ("[a](recall.md)", "[a](../guides/recall.md)"),
        ("[a](./recall.md#two)", "[a](../guides/recall.md#two)"),
        ('[a](recall.md "title")', '[a](../guides/recall.md "title")'),
        ("[a]: recall.md", "[a]: ../guides/recall.md"),
        ("`[a](recall.md)`", "`[a](recall.md)`"),
        (
            "``a ` [a](recall.md)`` [b](recall.md)",
            "``a ` [a](recall.md)`` [b](../guides/recall.md)",
        ),
        ("```\n[a](recall.md)\n```", "```\n[a](recall.md)\n```"),
        ("[a](https://x.org/recall.md)", "[a](https://x.org/recall.md)"),
        ("[a](docs/recall.md)", "[a](docs/recall.md)"),
    ],
)
def test_relink(before, after):
    assert relink(before, prefix="../guides/") == after
