"""Guides are compiled in a sandbox: no files, no attributes, no hang, errors with lines."""

from pathlib import Path

import pytest

from generator.exceptions import TemplateRenderError
from generator.templating import render_guide

GUIDE = Path("one.md")


@pytest.fixture
def render(tmp_path):
    partials = tmp_path / "partials"
    partials.mkdir()
    (partials / "shared.md").write_text("{% macro cap(n) %}at most {{ n }}{% endmacro %}")
    (tmp_path / "secret.md").write_text("secret")

    def call(source: str) -> str:
        return render_guide(
            source,
            context={"limits": {"a": 4, "b": 16}},
            partials=partials,
            path=GUIDE,
            first_line=9,
        )

    return call


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("plain { } text\n", "plain { } text\n"),
        ("{{ limits.a }} {{ limits['b'] }}\n", "4 16\n"),
        ("{% from 'shared.md' import cap %}{{ cap(limits.a) }}", "at most 4"),
        ("{% import 'shared.md' as s %}{{ s.cap(2) }}", "at most 2"),
        ("{% for x in [1, 2] %}{{ loop.index0 }}{{ x }} {% endfor %}", "01 12 "),
        ("{% raw %}{{ kept }}{% endraw %}", "{{ kept }}"),
        ("{{ [1, 2] | join(', ') }}{{ 'a' ~ 2 * 3 }}", "1, 2a6"),
        ("{{ nope | default('x') }}", "x"),
        ("{% if limits.a > 3 %}\nyes\n{% endif %}\n", "yes\n"),
        ("<b>&</b>{{ '<' }}", "<b>&</b><"),
    ],
)
def test_what_guides_use(render, source, text):
    assert render(source) == text


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("a\n{{ nope }}", 10),
        ("a\n\n{{ limits.nope }}", 11),
        ("a\n{% if %}", 10),
        ("{{ cycler.__init__ }}", 9),
        ("a\n\n\n{{ 1 / 0 }}", 12),
        ("a\n{{ 'x' | center(3) }}", 10),
        ("{{ '\\ud800' }}", 9),
        ("{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}", 9),
    ],
)
def test_a_fault_names_file_and_line(render, source, line):
    with pytest.raises(TemplateRenderError) as caught:
        render(source)
    assert str(caught.value).startswith(f"one.md, line {line}: ")
    assert caught.value.hint


@pytest.mark.parametrize(
    "source",
    [
        "{% include '/etc/passwd' %}",
        "{% include '../secret.md' %}",
        "{% include 'partials/../../secret.md' %}",
        "{{ ''.__class__.__mro__ }}",
        "{{ limits.__class__ }}",
        "{{ limits.update({'a': 9}) }}",
        "{{ 'x'.format }}",
        "{{ ('x' | list).append }}",
        "{{ self.__init__ }}",
        "{% macro m() %}{% endmacro %}{{ m.__globals__ }}",
        "{{ lipsum() }}",
        "{% set n = namespace() %}{{ n.__class__ }}",
        "{% for x in [1] %}{{ loop.__class__ }}{% endfor %}",
        "{{ '%s' % limits }}",
        "{{ 'x' | attr('upper') }}",
        "{{ [limits] | map(attribute='a') | list }}",
    ],
)
def test_the_sandbox_refuses(render, source):
    with pytest.raises(TemplateRenderError):
        render(source)


@pytest.mark.parametrize(
    "source",
    [
        "{% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}",
        "{{ range(10000000000000) | list }}",
        "{{ 'x' * 1000000000 }}",
        "{{ 9 ** 9 ** 9 }}",
        "{{ [0] * 1000000000 }}",
        "{{ '%9999999999d' % 1 }}",
        "{% macro f(s) %}{{ f(s ~ s) }}{% endmacro %}{{ f('xx') }}",
        "{% macro f(s) %}{{ f(s + s) }}{% endmacro %}{{ f('xx') }}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(60) }}",
        "{% set n = namespace(s='x' ~ 'y') %}{% for i in range(99) %}"
        "{% set n.s = n.s ~ n.s %}{% endfor %}",
        "{% set x %}{% for i in range(99999) %}" + "y" * 50_000 + "{% endfor %}{% endset %}",
        "{% for i in range(99999) %}" + "y" * 5_000 + "{% endfor %}",
        "{% set x %}{% for i in range(99999) %}{{ 'y' ~ i }}{% for j in range(99) %}"
        "{% endfor %}{% endfor %}{% endset %}",
        "{% set x = [range(90000) | list | join('yyyyyyyyyy')] %}"
        "{{ range(90000) | list | join(x[0]) }}",
        "{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    ],
)
def test_nothing_hangs_or_fills_the_memory(render, source):
    with pytest.raises(TemplateRenderError):
        render(source)
