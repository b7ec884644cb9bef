"""The archive: idempotent, only extended, survives its sources, crashes and rivals."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from generator.exceptions import FieldguideError, ImportFormatError
from generator.history.exporting import export_files
from generator.history.forgetting import (
    forget_before,
    forget_records,
    forget_session,
    forget_source,
)
from generator.history.intake import register, status, take_in
from generator.model.session import Message
from generator.settings_edits import set_setting

S = "aaaaaaaa-0000-4000-8000-000000000001"


def prompt(number, session=S, day=1):
    return {
        "type": "user",
        "uuid": f"{session[:4]}-{number}",
        "parentUuid": f"{session[:4]}-{number - 1}" if number else None,
        "sessionId": session,
        "timestamp": f"2026-03-{day:02}T02:{number // 60 % 60:02}:{number % 60:02}.000Z",
        "message": {"role": "user", "content": f"prompt {number} of {session}"},
    }


def archive_bytes(source):
    return {
        path.relative_to(source.home.history): path.read_bytes()
        for path in source.home.history.rglob("*.jsonl")
    }


def append(path, *records):
    with path.open("a", encoding="utf-8") as handle:
        for record in records:
            handle.write(json.dumps(record) + "\n")


def test_a_source_that_grew_extends_the_file_it_made(source):
    path = source.write(f"{S}.jsonl", [prompt(0)])
    source.take_in()
    (before,) = archive_bytes(source).values()
    append(path, prompt(1))
    source.take_in()
    (after,) = archive_bytes(source).values()
    assert after.startswith(before)
    assert [message.n for message in source.session().messages] == [1, 2]


def test_an_unchanged_source_is_not_opened(source, monkeypatch):
    path = source.write(f"{S}.jsonl", [prompt(0)])
    source.take_in()
    workspace = source.workspace()
    assert workspace.settings.sources
    path.chmod(0)
    monkeypatch.setattr(Path, "open", None)
    assert take_in(workspace).read == []


def test_a_source_that_vanished_loses_nothing(source):
    path = source.write(f"{S}.jsonl", [prompt(0), prompt(1)])
    total = source.total()
    path.unlink()
    report = source.take_in()
    assert report["total"]["messages"] == total["messages"]
    assert "gone" in report["files"][0]["warnings"][0]
    source.write(f"{S}.jsonl", [prompt(0), prompt(1)])
    assert source.row(f"{S}.jsonl")["warnings"] == []


def test_a_source_that_was_cut_loses_nothing(source):
    source.write(f"{S}.jsonl", [prompt(0), prompt(1)])
    source.take_in()
    source.write(f"{S}.jsonl", [prompt(1)])
    assert source.total()["messages"]["user"] == 2


def test_lost_books_are_made_anew_with_the_same_numbers(source):
    source.write(f"{S}.jsonl", [prompt(0), prompt(1)])
    before = source.take_in()
    files = archive_bytes(source)
    for path in source.home.history.glob(".books*"):
        path.unlink()
    assert source.take_in() == before
    assert archive_bytes(source) == files


def test_broken_books_are_made_anew(source):
    source.write(f"{S}.jsonl", [prompt(0)])
    before = source.take_in()
    for path in source.home.history.glob(".books*"):
        path.write_bytes(b"not a database, not at all" * 400)
    assert source.take_in() == before


def test_a_file_dropped_in_is_read(source):
    source.write(f"{S}.jsonl", [prompt(0)])
    source.take_in()
    export_files(source.workspace(), source.folder.parent / "out")
    (exported,) = (source.folder.parent / "out").rglob("*.jsonl")
    assert str(source.folder) not in exported.read_text()
    other = exported.read_text().replace(S, "foreign-1").replace("prompt", "foreign prompt")
    target = source.home.history / "dropped" / "x.jsonl"
    target.parent.mkdir()
    target.write_text(other)
    report = source.take_in()
    assert report["total"]["sessions"] == 2
    assert "canonical" in [row["format"] for row in report["files"]]
    assert source.session("foreign-1").messages[0].text.startswith("foreign")


def test_two_machines_archives_are_merged(source):
    path = source.write(f"{S}.jsonl", [prompt(0), prompt(1)])
    source.take_in()
    out = source.folder.parent / "out"
    export_files(source.workspace(), out)
    append(path, prompt(2))
    source.take_in()
    # The other machine went on differently, and has a session of its own.
    (exported,) = out.rglob("*.jsonl")
    theirs = exported.read_text()
    more = theirs.splitlines()[-1].replace('"n":2', '"n":3').replace("aaaa-1", "aaaa-9")
    target = source.home.history / "laptop" / exported.name
    target.parent.mkdir()
    target.write_text(theirs + more + "\n")
    report = source.take_in()
    assert report["total"]["sessions"] == 1
    assert [message.id for message in source.session().messages] == [
        "aaaa-0",
        "aaaa-1",
        "aaaa-2",
        "aaaa-9",
    ]
    assert [message.n for message in source.session().messages] == [1, 2, 3, 4]
    assert source.take_in() == report


@pytest.mark.parametrize("books", ["kept", "lost"])
def test_an_older_archive_does_not_undo_what_a_newer_one_knows(source, books):
    path = source.write(f"{S}.jsonl", [prompt(0), prompt(1), prompt(2)])
    source.take_in()
    out = source.folder.parent / "out"
    export_files(source.workspace(), out)
    append(path, {**prompt(3), "parentUuid": "aaaa-0"})  # the second and third were rewound
    assert source.counts()[:2] == ((2, 0), (2, 0))
    if books == "lost":
        path.unlink()
        for kept in source.home.history.glob(".*"):
            shutil.rmtree(kept) if kept.is_dir() else kept.unlink()
    shutil.copytree(out, source.home.history / "laptop")
    assert source.counts()[:2] == ((2, 0), (2, 0))
    assert [message.n for message in source.session().messages] == [1, 2, 3, 4]


def test_an_older_copy_of_a_transcript_does_not_undo_what_the_newer_one_knows(source):
    live = [prompt(0), prompt(1), {**prompt(2), "parentUuid": "aaaa-0"}]
    source.write(f"a/{S}.jsonl", live)
    source.take_in()
    source.write(f"backup/{S}.jsonl", live[:2])
    assert source.counts()[:2] == ((2, 0), (1, 0))


def test_an_archive_can_be_added_as_a_source(source, tmp_path):
    source.write(f"{S}.jsonl", [prompt(0), prompt(1)])
    source.take_in()
    other = tmp_path / "other"
    out = tmp_path / "out"
    export_files(source.workspace(), out)
    import dataclasses

    from generator.paths import Home

    workspace = dataclasses.replace(source.workspace(), home=Home(other))
    register(workspace, [out])
    workspace = dataclasses.replace(source.workspace(), home=Home(other))
    take_in(workspace)
    assert status(workspace)["total"]["messages"] == {"user": 2, "assistant": 0}
    assert status(workspace)["files"][0]["format"] == "canonical"


def test_a_forgotten_session_stays_forgotten(source):
    path = source.write(f"{S}.jsonl", [prompt(0)])
    source.take_in()
    assert forget_session(source.workspace(), S[-6:])["sessions"] == 1
    append(path, prompt(1))
    assert source.total()["sessions"] == 0
    for books in source.home.history.glob(".books*"):
        books.unlink()
    assert source.total()["messages"]["user"] == 0
    assert archive_bytes(source) == {}


def test_a_forgotten_source_is_not_read_again(source):
    source.write(f"keep/{S}.jsonl", [prompt(0)])
    other = S.replace("a", "b")
    path = source.write(f"drop/{other}.jsonl", [prompt(0, other)])
    source.take_in()
    assert forget_source(source.workspace(), path.parent)["sessions"] == 1
    report = source.take_in()
    assert report["total"]["sessions"] == 1
    assert [row["path"] for row in report["files"]] == [str(source.folder / f"keep/{S}.jsonl")]
    with pytest.raises(FieldguideError, match="Nothing was ever read"):
        forget_source(source.workspace(), Path("/never/seen"))


def test_forgetting_by_day_keeps_the_rest_and_its_numbers(source):
    other = S.replace("a", "b")
    source.write(f"{S}.jsonl", [prompt(0, day=1), prompt(1, day=5)])
    source.write(f"{other}.jsonl", [prompt(0, other, day=2)])
    source.take_in()
    done = forget_before(source.workspace(), date(2026, 3, 4))
    assert done == {"sessions": 1, "messages": 1, "documents": 0}
    for _ in range(2):
        assert source.total()["messages"] == {"user": 1, "assistant": 0}
        assert [(m.n, m.id) for m in source.session().messages] == [(2, "aaaa-1")]
        for path in source.folder.glob("*.jsonl"):
            path.touch()


def test_a_single_message_can_be_forgotten(source):
    source.write(f"{S}.jsonl", [prompt(0), prompt(1), prompt(2)])
    source.take_in()
    (path,) = source.home.history.rglob("*.jsonl")
    forget_records(source.workspace(), path, lambda r: isinstance(r, Message) and r.n == 2)
    (source.folder / f"{S}.jsonl").touch()
    assert [m.n for m in source.session().messages] == [1, 3]
    assert b"prompt 1 of" not in b"".join(archive_bytes(source).values())


def test_excluded_paths_are_left_out(source):
    source.write(f"a/{S}.jsonl", [prompt(0)])
    source.write("secret/x.jsonl", [prompt(0, S.replace("a", "b"))])
    set_setting(source.home, "exclude", '["secret", "*.tmp"]')
    assert source.total()["sessions"] == 1


def test_links_are_not_followed_and_told(source):
    outside = source.folder.parent / "outside"
    outside.mkdir()
    (outside / "x.jsonl").write_text(json.dumps(prompt(0)))
    source.write(f"{S}.jsonl", [prompt(0)])
    (source.folder / "out").symlink_to(outside)
    (source.folder / "one.jsonl").symlink_to(outside / "x.jsonl")
    source.folder.mkdir(exist_ok=True)
    register(source.workspace(), [source.folder])
    done = take_in(source.workspace())
    assert len(done.read) == 1
    assert {Path(path).name for path, _ in done.problems} == {"out", "one.jsonl"}


def test_a_file_of_records_without_messages_is_warned_of(source):
    strange = {"type": "user", "uuid": "u", "sessionId": S, "payload": "a new shape"}
    source.write(f"{S}.jsonl", [strange])
    assert any("no message" in text for text in source.row(f"{S}.jsonl")["warnings"])


def test_what_no_importer_knows_is_told(source):
    source.write("x.jsonl", [{"foreign": 1}])
    register(source.workspace(), [source.folder])
    assert [Path(path).name for path in take_in(source.workspace()).unknown] == ["x.jsonl"]


def test_a_path_that_does_not_exist_is_refused(source):
    with pytest.raises(ImportFormatError, match="nothing at"):
        register(source.workspace(), [source.folder / "none"])


def test_a_file_that_changes_while_it_is_read_is_read_again(source, monkeypatch):
    from generator.history.importers import claude_code

    path = source.write(f"{S}.jsonl", [prompt(0), prompt(1)])
    real = claude_code.messages_of

    def shrink(seen):
        path.write_text(json.dumps(prompt(0)) + "\n")
        yield from real(seen)

    monkeypatch.setattr(claude_code, "messages_of", shrink)
    row = source.row(f"{S}.jsonl")
    assert any("changed while it was read" in text for text in row["warnings"])
    monkeypatch.setattr(claude_code, "messages_of", real)
    assert source.row(f"{S}.jsonl")["warnings"] == []


def command(source, *arguments):
    return [sys.executable, "-m", "generator", "--home", str(source.home.root), *arguments]


def test_two_importers_at_once_queue(source):
    for number in range(40):
        session = f"{number:08}-0000-4000-8000-000000000001"
        source.write(f"{session}.jsonl", [prompt(n, session) for n in range(20)])
    register(source.workspace(), [source.folder])
    rivals = [
        subprocess.Popen(command(source, "history", "index"), stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    assert [rival.wait() for rival in rivals] == [0, 0, 0]
    for rival in rivals:
        rival.stdout.close()
    total = source.total()
    assert (total["sessions"], total["messages"]["user"]) == (40, 800)
    for content in archive_bytes(source).values():
        assert content.count(b'"type":"message"') == 20


def test_a_killed_importer_leaves_an_archive_that_the_next_one_completes(source):
    for number in range(300):
        session = f"{number:08}-0000-4000-8000-000000000001"
        source.write(f"{session}.jsonl", [prompt(n, session) for n in range(10)])
    register(source.workspace(), [source.folder])
    for _ in range(4):
        victim = subprocess.Popen(command(source, "history", "index"), stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        grown = len(archive_bytes(source))
        while len(archive_bytes(source)) < min(grown + 20, 300) and time.monotonic() < deadline:
            time.sleep(0.005)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        source.archive().sessions()
    torn = next(iter(source.home.history.rglob("*.jsonl")))
    torn.write_bytes(torn.read_bytes() + b'{"type":"message","n":99,"te')
    total = source.total()
    assert (total["sessions"], total["messages"]["user"]) == (300, 3000)
    for session in source.archive().sessions():
        assert len(source.archive().load_file(source.archive().path_of(session.id)).messages) == 10
        break


def test_a_home_that_cannot_be_written_still_answers(source):
    path = source.write(f"{S}.jsonl", [prompt(0)])
    before = source.take_in()
    for item in [*source.home.history.rglob("*"), source.home.history]:
        item.chmod(0o555 if item.is_dir() else 0o444)
    try:
        take_in(source.workspace())
        assert status(source.workspace()) == before
        append(path, prompt(1))
        if os.geteuid() != 0:
            assert "not taken in" in take_in(source.workspace()).problems[0][1]
    finally:
        for item in [source.home.history, *source.home.history.rglob("*")]:
            item.chmod(0o755 if item.is_dir() else 0o644)


def test_a_full_disk_is_one_sentence_and_the_next_run_completes(source, monkeypatch):
    from generator.history import appender

    source.write(f"{S}.jsonl", [prompt(n) for n in range(50)])
    real = appender.Appender.write
    written = []

    def full(self, line):
        written.append(line)
        if len(written) == 20:
            raise appender._explained(self.path, OSError(28, "No space left on device"))
        return real(self, line)

    monkeypatch.setattr(appender.Appender, "write", full)
    register(source.workspace(), [source.folder])
    with pytest.raises(FieldguideError, match="No space left"):
        take_in(source.workspace(), strict=True)
    written.clear()
    assert "No space left" in take_in(source.workspace()).problems[0][1]
    monkeypatch.setattr(appender.Appender, "write", real)
    assert source.total()["messages"]["user"] == 50
    (content,) = archive_bytes(source).values()
    assert content.count(b'"type":"message"') == 50


def test_a_file_that_is_named_itself_is_looked_into_whatever_its_name(source):
    path = source.write("transcript.txt", json.dumps(prompt(0)))
    register(source.workspace(), [path])
    assert take_in(source.workspace()).read == [str(path)]
    assert take_in(source.workspace()).read == []


@pytest.mark.parametrize("kind", ["storage", "database"])
def test_a_session_that_is_named_itself_is_read_once(source, kind):
    import sqlite3

    if kind == "storage":
        head = {"id": "ses_1", "projectID": "p", "directory": "/x", "time": {"created": 1}}
        path = source.write("storage/session/p/ses_1.json", head)
        source.write("storage/message/ses_1/msg_1.json", {"id": "msg_1", "role": "user"})
        source.write("storage/part/msg_1/prt_1.json", {"type": "text", "text": "hi"})
    else:
        path = source.write("opencode.db", b"")
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE session (id TEXT)")
        connection.execute("CREATE TABLE message (id TEXT, session_id TEXT, data TEXT)")
        connection.execute("CREATE TABLE part (id TEXT, message_id TEXT, data TEXT)")
        connection.execute("INSERT INTO session VALUES ('ses_1')")
        connection.execute("INSERT INTO message VALUES ('m', 'ses_1', '{\"role\": \"user\"}')")
        connection.execute(
            'INSERT INTO part VALUES (\'p\', \'m\', \'{"type": "text", "text": "hi"}\')'
        )
        connection.commit()
    register(source.workspace(), [path])
    assert take_in(source.workspace()).read == [str(path)]
    assert status(source.workspace())["total"]["messages"]["user"] == 1
    assert take_in(source.workspace()).read == []
    if kind == "database":
        connection.execute("INSERT INTO message VALUES ('n', 'ses_1', '{\"role\": \"user\"}')")
        connection.execute(
            'INSERT INTO part VALUES (\'q\', \'n\', \'{"type": "text", "text": "yo"}\')'
        )
        connection.commit()
        take_in(source.workspace())
        assert status(source.workspace())["total"]["messages"]["user"] == 2
        connection.close()
