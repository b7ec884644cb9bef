"""Small pieces are joined, without losing or doubling an entry."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from lines import LineCollection

from generator.search import SearchIndex, compaction
from generator.search.folder import IndexFolder

Refs = Callable[..., list[str]]


def segments(index: SearchIndex) -> list[int]:
    snapshot = index._opened().snapshot
    return [sum(snapshot.blocks[n].count for n in blocks) for blocks in snapshot.segments]


def grow(lines: LineCollection, index: SearchIndex, times: int) -> None:
    for number in range(times):
        lines.say("a.jsonl", f"message number{number}", mode="a")
        index.search("message")


def test_many_small_segments_become_one(
    lines: LineCollection, index: SearchIndex, refs: Refs
) -> None:
    grow(lines, index, compaction.MOST_SMALL + 3)
    assert len(segments(index)) == compaction.MOST_SMALL + 3
    before = [refs(f"number{number}") for number in range(19)]
    assert index.tidy()
    assert segments(index) == [19]
    assert [refs(f"number{number}") for number in range(19)] == before
    assert not index.tidy()
    grow(lines, index, 1)
    assert index.search("message").total == 20


def test_replaced_entries_are_dropped_and_no_longer_listed(
    lines: LineCollection, index: SearchIndex, refs: Refs
) -> None:
    lines.say("a.jsonl", *(f"message {number}" for number in range(20)))
    index.search("message")
    for number in range(compaction.MOST_SMALL):
        again = {"text": f"message again{number}", "ref": f"conversation:a#{number + 1}"}
        lines.write("a.jsonl", again, mode="a")
        assert index.search("message").total == 20
    (record,) = index._opened().manifest.files.values()
    assert len(record.replaced) == compaction.MOST_SMALL
    assert index.tidy()
    assert segments(index) == [20]
    (record,) = index._opened().manifest.files.values()
    assert record.replaced == []
    assert refs("again3") == ["a#4"]


def test_an_explicit_refresh_tidies_up(lines: LineCollection, index: SearchIndex) -> None:
    grow(lines, index, compaction.MOST_SMALL)
    index.refresh()
    assert len(segments(index)) == 1


def test_entries_that_no_longer_count_go(lines: LineCollection, index: SearchIndex) -> None:
    lines.say("a.jsonl", *(f"message {number}" for number in range(100)))
    index.search("message")
    lines.say("a.jsonl", "message alone")
    assert index.search("message").total == 1
    assert segments(index) == [100, 1]
    index.tidy()
    assert segments(index) == [1]
    assert index.search("message").total == 1


def test_full_segments_are_joined_as_they_are(
    lines: LineCollection, index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compaction, "BLOCK_ENTRIES", 4)
    monkeypatch.setattr(compaction, "MOST_LARGE", 3)
    for name in "abcd":
        lines.say(f"{name}.jsonl", *(f"message {name} {number}" for number in range(5)))
        index.search("message")
    assert segments(index) == [5, 5, 5, 5]
    lines.reads.clear()
    assert index.tidy()
    assert segments(index) == [20]
    assert lines.reads == []
    assert index.search("message").total == 20
    assert index.search('"message c"').total == 5
    assert index.search("essag").searched.inside == ("essag",)


def test_a_file_that_cannot_be_read_puts_it_off(
    lines: LineCollection, index: SearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow(lines, index, compaction.MOST_SMALL)

    def unreadable(*_: object) -> str:
        raise PermissionError("not now")

    with monkeypatch.context() as patch:
        patch.setattr(lines, "text", unreadable)
        assert not index.tidy()
    assert index.search("message").total == compaction.MOST_SMALL
    assert index.tidy()


def test_threads_search_while_one_writes(tmp_path: Path, lines: LineCollection) -> None:
    lines.say("a.jsonl", *(f"message {number}" for number in range(50)))
    index, other = (SearchIndex(tmp_path / "index", [lines]) for _ in range(2))
    index.refresh()
    failures: list[BaseException] = []
    done = threading.Event()

    def search() -> None:
        last = 0
        try:
            while not done.is_set():
                found = index.search("message", limit=3)
                assert found.total >= max(50, last)
                last = found.total
        except BaseException as error:  # shown by the test, not by the thread
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(6)]
    for thread in threads:
        thread.start()
    for number in range(25):
        lines.say("b.jsonl", f"message more {number}", mode="a")
        other.refresh()
        if number % 8 == 7:
            other.rebuild()
    done.set()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []
    assert index.search("message").total == 75
    assert len([path for path in (tmp_path / "index").iterdir() if path.is_dir()]) == 1
    index.close()
    other.close()


def test_a_long_job_commits_on_the_way(
    tmp_path: Path, lines: LineCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.search.refresh.COMMIT_BLOCKS", 1)
    monkeypatch.setattr("generator.search.packing.BLOCK_ENTRIES", 4)
    for name in "abc":
        lines.say(f"{name}.jsonl", *(f"message {name}" for _ in range(5)))
    seen: list[int] = []

    def progress(done: int, of: int) -> None:
        opened = IndexFolder(tmp_path / "index").current()
        seen.append(len(opened.manifest.files) if opened else 0)
        assert of == 3
        if opened:
            opened.snapshot.close()

    index = SearchIndex(tmp_path / "index", [lines])
    assert index.refresh(progress=progress).entries == 15
    assert seen == [0, 0, 1, 3]
    assert index.search("message").total == 15
    index.close()


def test_a_query_leaves_it_to_a_thread(tmp_path: Path, lines: LineCollection) -> None:
    index = SearchIndex(tmp_path / "index", [lines])
    grow(lines, index, compaction.MOST_SMALL)
    assert index._tidying is not None
    index._tidying.join(timeout=60)
    assert len(segments(index)) == 1
    assert index.search("message").total == compaction.MOST_SMALL
    index.close()
