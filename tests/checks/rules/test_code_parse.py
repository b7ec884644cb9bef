"""``code-parse``: what it reports, where, and what it accepts."""

from __future__ import annotations

import pytest

from generator.proofs.syntax import only_language

FRONT = '---\ntitle: Lending bicycles\nsummary: Read before lending.\nsince: "1.0"\n---\n\n'


@pytest.mark.parametrize(
    ("body", "places"),
    [
        ("A\n\n```\nx\n```\n", ["3:1"]),
        ("```python\nx = (\n```\n", ["2:5"]),
        ('```json\n{"a": 1,\n "b": }\n```\n', ["3:7"]),
        ("- a\n\n  ```json\n  {bad}\n  ```\n", ["4:4"]),
        ("> ```json\n> [1,]\n> ```\n", ["2:6"]),
        ("~~~python\nx\n", ["1:1"]),
        ("```js\nlet = = 1\n```\n", ["2:7"]),
        ("```yaml\na: [1\n```\n", ["2:6"]),
        ('```html\n<p title="a\n```\n', ["2:12"]),
        ("````text\n```\n", ["1:1"]),
    ],
)
def test_reports(found, body: str, places: list[str]) -> None:
    assert found("code-parse", body) == places


@pytest.mark.parametrize(
    "body",
    [
        "```python\nx = 1\n```\n\n~~~json\n{}\n~~~\n",
        "```python wrong\nx = (\n```\n",
        "```text\n{bad}\n```\n\n```brainfuck\n+[\n```\n",
        "    x = (\n",
        "````markdown\n```python\nx = (\n```\n````\n",
    ],
)
def test_accepts(found, body: str) -> None:
    assert found("code-parse", body) == []


def test_the_place_holds_behind_front_matter_and_templates(found) -> None:
    body = "{% if true %}\nAt most {{ limits.error_history_max }}.\n{% endif %}\n\n```json\n[1,]\n```\n"
    assert found("code-parse", body) == ["6:4"]


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ('{"a": [1, 2]}', "json"),
        ("import os\nprint(os.sep)", "python"),
        ("const a = () => 1;", "javascript"),
        ('[table]\nmy-name = "x"', "toml"),
        ("name: x\nitems:\n  - a", "yaml"),
        ("<!doctype html>\n<p>x</p>\n</html>", "html"),
        ("print('x')", None),
        ("x = 1", None),
        ("not found", None),
        ("Note: this is text", None),
        ("pip install x", None),
        ("", None),
    ],
)
def test_a_language_that_is_the_only_one(code: str, language: str | None) -> None:
    assert only_language(code) == language


def test_the_only_language_is_a_fix(check_files) -> None:
    outcome = check_files({"sample.md": FRONT + '```\n{"a": 1}\n```\n'}, "code-parse")
    ((edit,),) = outcome.edits.values()
    assert edit.text == "json"
