"""Fences and the words of their info lines."""

from __future__ import annotations

from generator.proofs.samples import find_samples


def test_words_of_the_info_line_are_read() -> None:
    (sample,) = find_samples("```HTML wrong rule=compound-if,if-operand file=a.html\n<p>\n```\n")
    assert sample.language == "html"
    assert sample.wrong
    assert sample.rules == ("compound-if", "if-operand")
    assert sample.file == "a.html"
    assert sample.code == "<p>\n"
    assert sample.line == 1


def test_a_fence_without_a_language_is_found() -> None:
    (sample,) = find_samples("text\n\n```\nx\n```\n")
    assert (sample.language, sample.line, sample.closed) == ("", 3, True)


def test_a_fence_inside_a_longer_fence_is_its_content() -> None:
    samples = find_samples("````markdown\n```python\nx = 1\n```\n````\n")
    assert [sample.language for sample in samples] == ["markdown"]


def test_fences_in_lists_and_quotes_are_found() -> None:
    text = "1. do\n\n   ```json\n   {}\n   ```\n\n> ```yaml\n> a: 1\n> ```\n"
    samples = find_samples(text)
    assert [(sample.language, sample.closed) for sample in samples] == [
        ("json", True),
        ("yaml", True),
    ]


def test_an_unclosed_fence_is_said_to_be() -> None:
    assert [sample.closed for sample in find_samples("```json\n{}\n")] == [False]
    assert [sample.closed for sample in find_samples("```json\n")] == [False]
    assert [sample.closed for sample in find_samples("````json\n{}\n```\n")] == [False]
    assert [sample.closed for sample in find_samples("~~~json\n{}\n~~~~\n")] == [True]
