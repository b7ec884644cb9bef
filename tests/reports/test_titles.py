"""Titles: front matter first, then the first heading that is one."""

import pytest

from generator.reports.titles import markdown_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: 'A: b'\n---\n# C", "A: b"),
        ("---\ntitle:\n---\n# C", "C"),
        ("---\ntitle: [broken\n---\n# C", "C"),
        ("---\nno end: 1\n# C", "C"),
        ("---\ntitle: 2026\n---\n", "2026"),
        ("text\n\n## Second level ##\n", "Second level"),
        ("```sh\n# not this\n```\n# this", "this"),
        ("~~~~\n```\n# not\n~~~\n# not\n~~~~\n# this", "this"),
        ("Under\n=====\n", "Under"),
        ("para\n\n---\n\n# rule above", "rule above"),
        ("# **Bold** `code` [link](x)", "Bold code link"),
        ("# snake_case_name", "snake_case_name"),
        ("#no space\n#\n# 报告\r\n", "报告"),
        ("    # code\n", None),
        ("", None),
        ("just text", None),
    ],
)
def test_the_title_is_found(text, title):
    assert markdown_title(text) == title


def test_a_long_text_is_not_read_to_its_end():
    assert markdown_title("x\n" * 200_000 + "# late") is None
