from __future__ import annotations

from pathlib import Path

import pytest

from generator.knowledge.fact_file import parse_facts

FILE = Path("technical.md")


def read(text: str | bytes) -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    facts, _ = parse_facts(data, FILE)
    # The place of every fact must hold it, whole.
    for fact in facts:
        piece = data[fact.start : fact.start + fact.length]
        assert [item.text for item in parse_facts(piece, FILE)[0]] == [fact.text]
    return [fact.text for fact in facts]


def test_items_and_paragraphs_are_facts_and_headings_are_not() -> None:
    text = "# Technical\n\nOur port\nis 8080.\n\n## Hosts\n* one\n  goes on\n1. two\n- [x] three\n\n---\nfour\n====\n"
    assert read(text) == ["Our port is 8080.", "one goes on", "two", "three", "four"]


def test_line_ends_of_windows_and_a_byte_order_mark_are_taken() -> None:
    data = "\ufeff- 一號\r\n- two <!-- saved 2026-05-05 -->\r\n".encode()
    facts, problems = parse_facts(data, FILE)
    assert [(fact.text, fact.line, str(fact.saved)) for fact in facts] == [
        ("一號", 1, "None"),
        ("two", 2, "2026-05-05"),
    ]
    assert problems == []


def test_front_matter_comments_and_code_blocks_hold_no_facts() -> None:
    text = "---\ntitle: x\n---\n- a\n<!-- no\n- hidden\n-->\n```\n- code\n```\n- b\n"
    assert read(text) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("- a\n```\n- b\n", 2, "code block"),
        ("- a\n\n<!-- x\n- b\n", 3, "comment"),
        ("---\ntitle: x\n- b\n", 1, "front matter"),
    ],
)
def test_a_block_that_never_ends_is_told_and_hides_nothing(
    text: str, line: int, words: str
) -> None:
    facts, problems = parse_facts(text.encode(), FILE)
    assert "b" in [fact.text.split()[-1] for fact in facts]
    assert [(problem.line, words in problem.message) for problem in problems] == [(line, True)]


def test_bytes_that_are_no_utf8_are_told_with_their_line() -> None:
    facts, problems = parse_facts(b"- a\n- caf\xe9\n- b\n", FILE)
    assert [fact.text for fact in facts] == ["a", "caf\ufffd", "b"]
    assert [problem.line for problem in problems] == [2]


def test_the_id_of_a_fact_does_not_depend_on_its_place() -> None:
    first, _ = parse_facts(b"- One thing.\n- other\n", FILE)
    second, _ = parse_facts(b"- other\n\n* one  thing\n", FILE)
    assert first[0].id == second[1].id
