"""A session reads like a conversation: order, rows of calls, lists of tasks, what came back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from generator.export.history.blocks import Blocks
from generator.export.history.twins import Twins
from generator.export.languages import load_texts
from generator.model.session import Attachment, Message, ToolCall
from generator.paths import Home

TEXTS = load_texts("en", Home(Path("nowhere")))
NOON = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
IMAGE = Attachment(name="image", kind="image/png", size=9, file=f"ab/ab{'0' * 62}.png")


def call(name="Bash", seconds=1, **more):
    started = NOON + timedelta(seconds=seconds)
    return ToolCall(id=name, name=name, status="ok", started=started, ended=started, **more)


def message(n, role="assistant", **more):
    return Message(n=n, id=f"m{n}", role=role, ts=more.pop("ts", NOON), **more)


def html_of(*messages):
    blocks = Blocks(UTC, TEXTS, frozenset())
    return "".join(block for item in messages for block in blocks.message(item))


def test_replies_of_calls_alone_stand_in_a_row_under_their_refs():
    html = html_of(
        message(1, "user", text="Mend it"),
        message(2, calls=(call("Grep"),)),
        message(3, calls=(call("Edit"),)),
        message(4, text="Mended"),
    )
    assert html.count("Replied") == 2
    assert '<div class="message assistant bare" id="3">' in html
    for place in ("1", "2", "2.1", "3", "3.1", "4"):
        assert f'id="{place}"' in html
        assert f'href="#{place}"' in html


def test_a_reply_that_says_thinks_or_shows_something_keeps_its_head():
    for more in ({"text": "x"}, {"thinking": "x"}, {"attachments": (IMAGE,)}, {"thread": "off"},
                 {"model": "other"}, {"copy_of": "conversation:a#1"}):  # fmt: skip
        html = html_of(message(1, calls=(call(),)), message(2, calls=(call(),), **more))
        assert "bare" not in html, more
        assert html.count("Replied") == 2


def test_what_was_said_after_the_calls_stands_after_them():
    gathered = message(1, text="Done", ts=NOON + timedelta(seconds=9), calls=(call("shell"),))
    html = html_of(gathered)
    assert html.index('id="1"') < html.index('id="1.1"') < html.index("Done")
    twin = Twins("s", UTC, TEXTS).message(gathered)
    assert twin.index("`shell`") < twin.index("Done")


def test_what_was_said_before_the_calls_stands_before_them():
    for text in (html_of(first := message(1, text="First", calls=(call("Grep"),))),
                 Twins("s", UTC, TEXTS).message(first)):  # fmt: skip
        assert text.index("First") < text.index("Grep")
    undated = message(1, text="First", calls=(ToolCall(id="c", name="Grep"),))
    assert html_of(undated).index("First") < html_of(undated).index("Grep")


def test_a_list_of_tasks_is_ticked_off():
    todos = [{"content": "Find <it>", "status": "completed", "activeForm": "Finding"},
             {"content": "Mend it", "status": "in_progress"},
             {"step": "Test it", "status": "pending"},
             {"description": "Ship it", "status": "dreamt"}]  # fmt: skip
    html = html_of(message(1, calls=(call("TodoWrite", arguments={"todos": todos}),)))
    assert '<li class="completed"><span class="state">done</span> Find &lt;it&gt;</li>' in html
    assert '<li class="in_progress"><span class="state">in progress</span> Mend it</li>' in html
    assert html.count("to do</span>") == 2
    assert '<span class="line" lang="">Mend it</span>' in html
    assert "activeForm" not in html


def test_a_list_that_is_no_list_of_tasks_is_shown_as_it_is():
    for value in (
        [1, 2],
        [{"status": "completed"}],
        [{"content": "x"}],
        [{"status": 1, "content": 2}],
    ):
        html = html_of(message(1, calls=(call("x", arguments={"items": value}),)))
        assert '<ul class="steps"' not in html
        assert "items</dt>" in html


def test_a_stand_in_for_an_image_that_is_shown_is_left_out():
    shown = call("Read", result="[image image/png]", attachments=(IMAGE,))
    assert "Result" not in html_of(message(1, calls=(shown,)))
    told = call("Read", result="Page 1\n[input_image]\nPage 2", attachments=(IMAGE,))
    html = html_of(message(1, calls=(told,)))
    assert "Page 1\nPage 2" in html
    gone = call("Read", result="[image image/png]")
    assert "[image image/png]" in html_of(message(1, calls=(gone,)))
    assert "gave nothing back" in html_of(message(1, calls=(call("Read", result=""),)))
