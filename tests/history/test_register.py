"""The register knows whose file is whose and reads only what was appended."""

import json
import threading
from datetime import UTC, datetime

import pytest

from generator.history.archive import Archive
from generator.history.canonical import encode
from generator.history.register import Register
from generator.model.session import ActionRecord, Document, Head, Message
from generator.paths import Home

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


@pytest.fixture
def home(tmp_path):
    return Home(tmp_path / "home")


def write(home, name, *records):
    path = home.history / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as handle:
        for record in records:
            handle.write(encode(record))
    return path


def message(n, role="user", **more):
    return Message(n=n, id=f"m{n}", role=role, text=f"text {n}", **more)


def test_a_row_tells_whose_file_it_is_and_what_it_holds(home):
    path = write(
        home,
        "a",
        Head(id="s1", agent="codex", channel="cli", created=NOON),
        message(1, ts=NOON.replace(hour=13)),
        message(2, "assistant"),
        message(3, thread="off"),
        message(4, "assistant", partial=True),
        message(5, copy_of="conversation:s0#1"),
        message(1, thread="side", agent="x"),
        ActionRecord(id="t1"),
    )
    row = Register(home).refresh()[path]
    assert (row.id, row.channel, row.is_session) == ("s1", "cli", True)
    assert row.messages == 2
    assert row.marks == {"": bytearray(b"uaUpc"), "x": bytearray(b"u")}
    assert list(row.tasks) == ["t1"]
    assert row.created == NOON
    assert row.updated == NOON.replace(hour=13)
    assert row.replaced == []


def test_only_what_was_appended_is_read(home, monkeypatch):
    path = write(home, "a", Head(id="s1", agent="codex"), message(1))
    register = Register(home)
    register.refresh()
    size = path.stat().st_size
    write(home, "a", message(2, "assistant"))
    starts = []
    records = Archive.records
    monkeypatch.setattr(
        Archive,
        "records",
        lambda self, path, start=0: starts.append(start) or records(self, path, start),
    )
    assert register.refresh()[path].messages == 2
    assert starts == [size]


def test_it_is_kept_beside_the_index_and_made_anew_when_broken(home, monkeypatch):
    path = write(
        home, "a", Head(id="s1", agent="codex"), message(1), message(1, thread="side", agent="x")
    )
    first = Register(home).refresh()
    kept = home.index / "register.json"
    with monkeypatch.context() as patch:
        patch.setattr(Archive, "records", lambda *_: pytest.fail("it was read again"))
        assert Register(home).refresh() == first
    for broken in (b"", b"{", b'{"version": 1}', b'{"version": 1, "rows": [[1]]}', b"\xff"):
        kept.write_bytes(broken)
        assert Register(home).refresh() == first
    assert json.loads(kept.read_text())["rows"][0][0] == path.name


def test_a_line_that_replaces_an_earlier_one_is_noticed(home):
    path = write(home, "a", Head(id="s1", agent="codex"), message(1), message(2))
    register = Register(home)
    assert register.refresh()[path].replaced == []
    write(home, "a", message(2, "assistant"))
    assert register.refresh()[path].replaced == [path.stat().st_size]
    assert register.refresh()[path].marks[""] == b"ua"
    documents = write(home, "d", Head(id="d", agent="w", holds="documents"))
    document = Document(id="p#1", source="doc", path="p")
    write(home, "d", document)
    assert register.refresh()[documents].replaced == []
    write(home, "d", document)
    assert register.refresh()[documents].replaced == [documents.stat().st_size]
    assert register.refresh()[documents].replacing(0) == 1
    assert register.refresh()[documents].replacing(documents.stat().st_size) == 0


def test_a_line_still_being_written_is_left_for_the_next_time(home):
    path = write(home, "a", Head(id="s1", agent="codex"))
    line = encode(message(1))
    with path.open("ab") as handle:
        handle.write(line[:20])
    register = Register(home)
    assert register.refresh()[path].messages == 0
    with path.open("ab") as handle:
        handle.write(line[20:])
    assert register.refresh()[path].messages == 1


def test_a_file_that_was_replaced_is_read_anew(home):
    path = write(home, "a", Head(id="s1", agent="codex"), message(1), message(2))
    register = Register(home)
    register.refresh()
    path.unlink()
    write(
        home, "a", Head(id="s2", agent="gemini-cli", project="p" * 60), *map(message, range(1, 9))
    )
    row = register.refresh()[path]
    assert (row.id, row.messages) == ("s2", 8)
    path.unlink()
    assert register.refresh() == {}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json\n",
        b"\x00" * 100,
        b'{"type":"head","schema":99,"id":"x","agent":"y"}\n',
        b'{"type":"message","n":1,"id":"m","role":"user"}\n',
        encode(Head(id="s", agent="a")) + encode(message(10**12)) + encode(message(-5)),
    ],
)
def test_odd_files_are_no_trouble(home, data):
    home.history.mkdir(parents=True)
    (home.history / "odd.jsonl").write_bytes(data)
    register = Register(home)
    assert len(register.refresh()) == 1
    assert all(row.messages == 0 for row in register.sessions())


def test_a_home_that_cannot_be_written_is_read(home):
    path = write(home, "a", Head(id="s1", agent="codex"), message(1))
    home.index.write_text("a file where the folder should be")
    assert Register(home).refresh()[path].messages == 1


def test_several_threads_may_ask_at_once(home):
    paths = [write(home, f"f{n}", Head(id=f"s{n}", agent="codex"), message(1)) for n in range(20)]
    register = Register(home)
    found = []
    threads = [
        threading.Thread(target=lambda: found.append(len(register.sessions()))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [len(paths)] * 8
