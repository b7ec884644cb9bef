"""Many at once, no index, one huge session."""

import subprocess
import sys
import threading
from datetime import UTC, datetime

import pytest

from generator.history.canonical import encode
from generator.model.session import Head, Message, ToolCall
from generator.tools import get_tool

START = datetime(2026, 5, 4, tzinfo=UTC)


@pytest.fixture
def archive(workspace):
    folder = workspace.home.history / "codex"
    folder.mkdir(parents=True)

    def write(name, *records):
        with (folder / f"{name}.jsonl").open("ab") as handle:
            for record in records:
                handle.write(encode(record))

    for number in range(10):
        write(
            f"s{number}",
            Head(id=f"session-{number}", agent="codex", created=START, updated=START),
            *(
                Message(n=n, id=f"m{n}", role="user", text=f"anchor {n} of {number}", ts=START)
                for n in range(1, 21)
            ),
        )
    return write


def test_many_threads_ask_and_an_agent_writes(workspace, archive):
    failures = []

    def ask(number):
        try:
            for _ in range(5):
                found = get_tool("memory_search").call({"query": "anchor", "limit": 50}, workspace)
                assert found.total >= 200
                read = get_tool("conversation_read").call({"id": f"session-{number}"}, workspace)
                assert read.total == 20
                listed = get_tool("conversation_list").call({"query": "anchor"}, workspace)
                assert listed.total >= 10
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for number in range(20):
        archive(
            f"new{number}",
            Head(id=f"new-{number}", agent="codex"),
            Message(n=1, id="m1", role="user", text="anchor late"),
        )
    for thread in threads:
        thread.join()
    assert not failures
    assert get_tool("memory_search").call({"query": "late"}, workspace).total == 20


def test_two_processes_ask_a_new_home_at_once(workspace, archive):
    command = [sys.executable, "-m", "generator", "--home", str(workspace.home.root)]
    running = [
        subprocess.Popen(
            [*command, "memory", "search", "anchor", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    for process in running:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err.decode()
        assert b'"total": 200' in out


def test_everything_works_where_no_index_can_be_kept(workspace, archive):
    workspace.home.index.write_text("a file where the folder should be")
    assert get_tool("memory_search").call({"query": "anchor"}, workspace).total == 200
    assert get_tool("conversation_list").call({}, workspace).total == 10
    assert get_tool("conversation_read").call({"id": "session-3"}, workspace).total == 20
    assert get_tool("chat_history").call({"session_id": "session-3"}, workspace).total == 20
    got = get_tool("memory_get").call({"ref": "conversation:session-3#7"}, workspace)
    assert got.text == "anchor 7 of 3"


def test_one_huge_session_is_listed_read_and_searched_in_parts(workspace, archive):
    calls = (ToolCall(id="c", name="Read", result="reef " * 40, status="ok"),)
    archive("huge", Head(id="huge", agent="codex", created=START, updated=START))
    archive(
        "huge",
        *(
            Message(
                n=n,
                id=f"m{n}",
                role="user" if n % 2 else "assistant",
                text=f"lagoon {n}",
                calls=() if n % 2 else calls,
                ts=START,
            )
            for n in range(1, 20_001)
        ),
    )
    read = get_tool("conversation_read").call({"id": "huge"}, workspace)
    assert (read.first, read.last, read.total) == (19_986, 20_000, 20_000)
    listed = get_tool("chat_history").call({"session_id": "huge"}, workspace)
    assert (listed.total, len(listed.runs)) == (10_000, 10)
    got = get_tool("memory_get").call({"ref": "conversation:huge#12345"}, workspace)
    assert got.text == "lagoon 12345"
    found = get_tool("memory_search").call({"query": "lagoon", "session": "huge"}, workspace)
    assert found.total == 20_000
    page = get_tool("memory_get").call({"ref": "conversation:huge", "offset": 19_990}, workspace)
    assert [record.n for record in page.records] == list(range(19_991, 20_001))


def test_a_50_mb_record_is_read_in_windows(workspace, archive):
    archive(
        "wide",
        Head(id="wide", agent="codex"),
        Message(n=1, id="m1", role="user", text="start " + "x" * 50_000_000 + " finish"),
    )
    got = get_tool("memory_get").call({"ref": "conversation:wide#1"}, workspace)
    assert got.text.startswith("start x")
    assert got.text.endswith("x finish")
    last = get_tool("memory_get").call(
        {"ref": "conversation:wide#1", "offset": got.characters - 6}, workspace
    )
    assert (last.text, last.next_offset) == ("finish", None)
