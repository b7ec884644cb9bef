"""The visible text of a page."""

from generator.markup.page_text import page_text


def test_blocks_stand_on_lines_of_their_own_and_words_stay_whole():
    page = (
        "<title>Tides</title><style>p{}</style><h1>High <b>wa</b>ter</h1><p>05:12<br>17:40"
        "<table><tr><td>a<td>b</table><script>hidden()</script>"
    )
    assert page_text(page).splitlines() == ["Tides", "High water", "05:12", "17:40", "a", "b"]


def test_what_is_no_page_is_read_as_far_as_it_goes():
    assert page_text("just text") == "just text"
    assert page_text("") == ""
    assert page_text("<?xml version='1.0'?><p>x") == "x"
    assert page_text("https://example.com/") == "https://example.com/"
    assert page_text("<div>" * 5000 + "deep") == "deep"
