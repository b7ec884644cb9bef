"""Cleaning drawings: only what is known stays, nothing reaches outside the drawing."""

import pytest

from generator.markup.svg import Drawing

OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '


def clean(inside: str, attributes: str = 'id="s" viewBox="0 0 10 20"') -> str:
    return Drawing(f"{OPEN}{attributes}>{inside}</svg>", prefix="p-", label='a "b" <c>').to_svg()


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<foreignObject><p>x</p></foreignObject>",
        '<rect onclick="alert(1)"/>',
        '<a xlink:href=" javascript:alert(1)"><rect/></a>',
        '<a href="data:text/html,x"><rect/></a>',
        '<image href="https://evil.example/x.png"/>',
        '<use href="https://evil.example/x.svg#a"/>',
        '<rect fill="url(https://evil.example/x)"/>',
        '<rect style="background: url(//evil.example)"/>',
        "<style>@import url(//evil.example); body{display:none} #s .x{fill:url(//evil.example)}</style>",
        '<animate attributeName="href" to="javascript:alert(1)"/>',
    ],
)
def test_what_could_do_harm_is_gone(inside):
    svg = clean(inside)
    for word in ("script", "foreignObject", "onclick", "evil.example", "data:", "animate", "body"):
        assert word not in svg


def test_what_draws_stays_with_ids_of_its_own():
    svg = clean(
        '<defs><clipPath id="k"><rect/></clipPath></defs><g class="x" clip-path="url(#k)">'
        '<use xlink:href="#k"/><a href="https://example.com/"><text>t &lt;u&gt;</text></a></g>'
        "<style>#s .x{fill:#4a6b25;} #s .unused{fill:red;} #s .x:not(.y){stroke:#FFF}</style>"
    )
    assert '<clipPath id="p-k">' in svg
    assert 'clip-path="url(#p-k)"' in svg
    assert 'href="#p-k"' in svg
    assert '<a href="https://example.com/"><text>t &lt;u&gt;</text></a>' in svg
    assert "#p-s .x{fill:var(--series-1,#4a6b25);}" in svg
    assert "#p-s .x:not(.y)" in svg
    assert "unused" not in svg


def test_size_and_label():
    svg = clean("")
    assert 'width="10" height="20"' in svg
    assert 'aria-label="a &quot;b&quot; &lt;c&gt;"' in svg
    assert 'role="img"' in svg


def test_text_behind_a_removed_element_stays():
    assert "<text>onetwo</text>" in clean("<text>one<script>x</script>two</text>")


def test_what_is_no_svg_is_a_value_error():
    with pytest.raises(ValueError, match="not well-formed"):
        Drawing("<svg>", prefix="p-", label="")


def test_long_numbers_are_rounded_and_stay_apart():
    assert 'd="M1.23  0.68L.5.1 0.25-3-4.57"' in clean(
        '<path d="M1.2345.6789L.5.1.2512-3-4.5678"/>'
    )
    assert 'd="M1 .5"' in clean('<path d="M1.0001.5"/>')
    assert 'd="M0 0a1.2345 1 0 011.2345 2"' in clean('<path d="M0 0a1.2345 1 0 011.2345 2"/>')
