"""``template``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("At most {{ limits.nope }}.\n", ["1:12"]),
        ("{{ one }} and\n{{ two }}\n", ["1:4", "2:4"]),
        ("{% if false %}{{ gone }}{% endif %}\n", ["1:18"]),
        ("A\n\n{% if %}\n", ["3:1"]),
        ("A\n{{ 1\n", ["2:1"]),
        ('A {% include "gone.md" %}\n', ["1:3"]),
        ("At most 16 }} of them\n", ["1:12"]),
        ("{% raw %}left {{ x }}{% endraw %}\n", ["1:15", "1:20"]),
        ("Ends %}\n", ["1:6"]),
    ],
)
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("template", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "At most {{ limits.error_history_max }} in {{ topic }}.\n",
        "{% for n in range(3) %}{{ n }}{{ loop.index }}{% endfor %}\n",
        "{% set a = 1 %}{{ a }} {% if b is defined %}{{ b }}{% endif %}{{ c | default('x') }}\n",
        "{% macro m(x) %}{{ x }}{% endmacro %}{{ m(1) }}\n",
        "{% raw %}`{{ x }}`{% endraw %}\n\n```text\n{{ '{{' }}\n```\n",
        "{# a note #}Plain { braces } and }.\n",
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("template", body) == []


def test_a_mark_at_the_end_of_a_line_is_fixed(check_files) -> None:
    outcome = check_files({"sample.md": FRONT + "At most 16 }}\n\nOf }} them\n"}, "template")
    ((edit,),) = outcome.edits.values()
    assert (edit.text, edit.end - edit.start) == ("", 3)
    assert len(outcome.findings) == 2


def test_a_broken_template_does_not_hide_other_faults(check_files) -> None:
    body = "{{ nope }} See above.\n\n```json\n[1,]\n```\n"
    found = {finding.rule for finding in check_files({"sample.md": FRONT + body}).findings}
    assert {"template", "stand-alone", "code-parse"} <= found
