"""Archive: canonical files are read back as written, a later line replaces an earlier one."""

from datetime import UTC, datetime

import pytest

from generator.exceptions import NotFoundError
from generator.history.archive import Archive
from generator.history.canonical import encode
from generator.model.session import Attachment, Head, Message, Tokens, ToolCall, Usage
from generator.paths import Home


def write(folder, name, *records):
    path = folder / "history" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(encode(record) for record in records))
    return path


def test_what_was_written_is_read_back(tmp_path):
    moment = datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)
    message = Message(
        n=1,
        id="a",
        role="assistant",
        text="行\u2028了",
        ts=moment,
        calls=(ToolCall(id="c", name="Bash", arguments={"x": None}, result="", status="ok"),),
        attachments=(Attachment(name="a.txt", text="3"),),
        tokens=Tokens(input=0, output=5),
    )
    usage = Usage(id="u", tokens=Tokens(input=1), cost=0.5)
    write(tmp_path, "x/s.jsonl", Head(id="s", agent="x", created=moment), message, usage)
    session = Archive(Home(tmp_path)).load("s")
    assert session.messages == (message,)
    assert session.usage == (usage,)
    assert session.created == moment
    assert session.messages[0].tokens.cache_read is None


def test_a_later_line_replaces_an_earlier_one(tmp_path):
    path = write(
        tmp_path,
        "s.jsonl",
        Head(id="s", agent="x"),
        Message(n=1, id="a", role="user", text="old"),
        Message(n=1, id="a", role="user", text="side", thread="side", agent="k"),
        Message(n=1, id="a", role="user", text="new", thread="off"),
        Head(id="s", agent="x", title="named"),
    )
    with path.open("ab") as handle:
        handle.write(b'{"type":"message","n":2,"id":"torn')
    archive = Archive(Home(tmp_path))
    session = archive.load("s")
    assert session.title == "named"
    assert [(message.agent, message.text) for message in session.messages] == [
        (None, "new"),
        ("k", "side"),
    ]


def test_a_record_is_read_again_by_its_place(tmp_path):
    path = write(
        tmp_path, "s.jsonl", Head(id="s", agent="x"), Message(n=1, id="a", role="user", text="hi")
    )
    archive = Archive(Home(tmp_path))
    *_, last = archive.records(path)
    assert archive.record(path, last.start, last.length).text == "hi"
    with pytest.raises(NotFoundError):
        archive.record(path, last.start + 1, last.length)


def test_an_empty_home_has_no_sessions(tmp_path):
    archive = Archive(Home(tmp_path / "none"))
    assert archive.sessions() == []
    with pytest.raises(NotFoundError):
        archive.load("s")
