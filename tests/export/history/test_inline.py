"""Images whose data stands in a text: nothing that a camera noted stays, however they are written."""

import base64
import textwrap

import pytest

from generator.export.history.inline import InlineImages
from tests.pictures import PHOTO

ONE_LINE = base64.b64encode(PHOTO).decode()


def wrapped(width: int, end: str = "\n") -> str:
    return end.join(textwrap.wrap(ONE_LINE, width)) + end


@pytest.mark.parametrize(
    "data",
    [ONE_LINE, wrapped(76), wrapped(76, "\r\n"), wrapped(64), "\n" + wrapped(76)],
    ids=["one line", "base64", "mail", "pem", "begun on the next line"],
)
@pytest.mark.parametrize("lead", ["data:image/jpeg;base64,", "DATA:Image/JPEG;Base64,"])
@pytest.mark.parametrize("keep", [True, False])
def test_no_line_of_a_photo_stays(data, lead, keep):
    text = f"See ![pier]({lead}{data}) and go on."
    shown = InlineImages(keep=keep)(text)
    assert shown.startswith("See ![pier](data:image/")
    assert shown.endswith(") and go on.")
    # A width that both breaks leave whole.
    assert not any(ONE_LINE[at : at + 60] in shown for at in range(0, len(ONE_LINE), 64))
    assert not any(ONE_LINE[at : at + 60] in shown for at in range(0, len(ONE_LINE), 76))


def test_what_follows_a_wrapped_photo_stays():
    shown = InlineImages(keep=False)(f"data:image/jpeg;base64,{wrapped(76)}\nNext line.")
    assert shown.endswith("Next line.")


def test_texts_without_a_photo_stay_as_they_are():
    for text in ("data:image/png;base64,AAAA", "a;base64,b", "DATA:IMAGE/PNG", ""):
        assert InlineImages(keep=True)(text) == text
