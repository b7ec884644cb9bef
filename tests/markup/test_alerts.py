"""Alerts written as quotes become admonitions; every other quote stays a quote."""

import pytest

from generator.markup.markdown import render_markdown


def html(markdown: str) -> str:
    return render_markdown(markdown).html.replace("\n", "")


@pytest.mark.parametrize("kind", ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION", "note"])
def test_an_alert_is_an_admonition(kind):
    assert html(f"> [!{kind}]\n> one *two*\n>\n> three") == (
        f'<div class="admonition {kind.lower()}">'
        f'<p class="admonition-title">{kind.capitalize()}</p>'
        "<p>one <em>two</em></p><p>three</p></div>"
    )


def test_the_mark_may_stand_alone_and_alerts_may_nest():
    assert html("> [!TIP]\n>\n> - a\n>\n> > [!NOTE]\n> > b\n>\n> > c") == (
        '<div class="admonition tip"><p class="admonition-title">Tip</p><ul><li>a</li></ul>'
        '<div class="admonition note"><p class="admonition-title">Note</p><p>b</p></div>'
        "<blockquote><p>c</p></blockquote></div>"
    )
    assert html("> [!NOTE]") == (
        '<div class="admonition note"><p class="admonition-title">Note</p></div>'
    )


@pytest.mark.parametrize(
    "text", ["> [!OTHER]\n> x", "> [!NOTE] x", "> x\n> [!NOTE]", "[!NOTE]\nx", "> - [!NOTE]"]
)
def test_what_is_no_alert_is_left_alone(text):
    assert "admonition" not in html(text)


def test_places_below_a_mark_keep_their_lines():
    found = render_markdown("> [!NOTE]\n> a\n> $\\frac{1}$").findings
    assert [item.line for item in found] == [3]
