"""``unknown-topic``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("Read [it](no_such.md).\n", ["1:11"]),
        ("Read [it](../guides/no_such.md#part).\n", ["1:21"]),
        ('Fetch `reasoning_guide(topics=["recall", "nope"])`.\n', ["1:43"]),
        ("Fetch `reasoning_guide([nope])`.\n", ["1:25"]),
        ('```python\ntext = reasoning_guide(["nope"], can_dispatch=False)\n```\n', ["2:26"]),
        ('```json\n{"tool": "reasoning_guide", "arguments": {"topics": ["nope"]}}\n```\n', ["2:55"]),
        ("[it]: no_such.md\n\nRead [it][].\n", ["1:7"]),
    ],
)  # fmt: skip
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("unknown-topic", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "Read [it](recall.md) and [old](rag_web.md) and [self](sample.md).\n",
        "`reasoning_guide(topics: list[str], can_dispatch: bool = True)`\n",
        "`reasoning_guide(topics=[...])` and `reasoning_guide()`\n",
        "`[it](no_such.md)` and [web](https://example.org/no_such.md)\n",
        '```python wrong\nreasoning_guide(["nope"])\n```\n',
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("unknown-topic", body) == []


def test_a_neighbour_in_the_folder_is_a_topic(found) -> None:
    assert found("unknown-topic", "[it](repairs.md)\n", repairs__md=FRONT + "## A\n") == []


def test_the_nearest_topic_is_named(check_files) -> None:
    (finding,) = check_files({"sample.md": FRONT + "[a](recal.md)\n"}, "unknown-topic").findings
    assert "'recall'" in finding.fix
